package io.delayjob;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.engine.EngineParts;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.EngineClock;
import java.util.random.RandomGenerator;

/** The parts of an engine that never starts, and so needs no threads. */
final class Parts {

    private Parts() {}

    static EngineParts of(
            EngineSettings settings,
            JobStore store,
            HandlerRegistry handlers,
            EngineClock clock,
            JobListeners listeners,
            RandomGenerator random) {
        return new EngineParts(
                settings,
                store,
                new DelayJobEngineTest.EveryLease(),
                handlers,
                new TextCodec(),
                listeners,
                new EngineParts.Surroundings(clock, Parts::neverStarted, Runnable::run, random));
    }

    static AgentHandle neverStarted(Agent agent) {
        throw new IllegalStateException("This engine never starts.");
    }
}
