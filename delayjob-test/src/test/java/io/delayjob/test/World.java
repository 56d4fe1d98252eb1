package io.delayjob.test;

import io.delayjob.settings.EngineSettings;

/** The objects that the instances of one simulation share. */
record World(
        VirtualTime time,
        Interleaving interleaving,
        SharedStore store,
        Faults faults,
        Judge judge,
        Mutation mutation,
        EngineSettings settings) {}
