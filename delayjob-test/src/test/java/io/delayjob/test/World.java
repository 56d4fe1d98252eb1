package io.delayjob.test;

import io.delayjob.settings.EngineSettings;

/** What the instances of one simulation have in common. */
record World(
        VirtualTime time,
        Interleaving interleaving,
        SharedStore store,
        Faults faults,
        Judge judge,
        Mutation mutation,
        EngineSettings settings) {}
