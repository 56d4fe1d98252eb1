package io.delayjob.internal.engine;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * All that an engine is made of.
 *
 * @param leases decides which instance leads a partition
 * @param handlers what the jobs call
 * @param codec turns arguments into payloads
 */
public record EngineParts(
        EngineSettings settings,
        JobStore store,
        LeaseProvider leases,
        HandlerRegistry handlers,
        PayloadCodec codec,
        JobListeners listeners,
        Surroundings surroundings) {

    /**
     * All that could make two runs differ.
     *
     * @param agents calls the background roles
     * @param workers calls the handlers
     * @param random safe for use by many threads
     */
    public record Surroundings(EngineClock clock, AgentRunner agents, Executor workers, RandomGenerator random) {}

    public EngineClock clock() {
        return surroundings.clock;
    }

    /** The transitions of jobs, in batches that the store takes at once. */
    JobTransitions transitions() {
        return new GroupedTransitions(store, store.placement());
    }

    public RandomGenerator random() {
        return surroundings.random;
    }
}
