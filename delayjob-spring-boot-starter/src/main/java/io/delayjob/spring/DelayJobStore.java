package io.delayjob.spring;

import io.delayjob.DelayJobEngine;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;

/**
 * One store and the engine of this store, in an application with several stores.
 *
 * @param name the name of the store; {@value DelayJobStores#DEFAULT} for the store that {@code delayjob.*} describes
 * @param engine the engine of the store
 * @param store the store itself, without wrappers
 * @param settings the engine's settings
 * @param clock the clock of this store
 * @param handlers the handlers of the store's jobs
 * @param surroundings further objects of the engine
 */
public record DelayJobStore(
        String name,
        DelayJobEngine engine,
        JobStore store,
        EngineSettings settings,
        EngineClock clock,
        HandlerRegistry handlers,
        Surroundings surroundings) {

    /**
     * Further objects that belong to the engine of a store.
     *
     * @param listeners the listeners for the events of the engine
     * @param transactions the transactions in which self-starting jobs are written
     */
    public record Surroundings(JobListeners listeners, DelayJobTransactions transactions) {}

    /** Returns the listeners for the events of this store. */
    public JobListeners listeners() {
        return surroundings.listeners();
    }

    DeclaredSchedules newSchedules() {
        return new DeclaredSchedules(
                (handler, repeat) -> repeat == null ? engine.undeclare(handler) : engine.declare(handler, repeat),
                surroundings.transactions());
    }

    @Override
    public String toString() {
        return "'%s' (%s)".formatted(name, store);
    }
}
