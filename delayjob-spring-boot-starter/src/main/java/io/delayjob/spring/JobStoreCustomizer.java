package io.delayjob.spring;

import io.delayjob.store.JobStore;

/**
 * Wraps the store that the engine uses, for example to measure it. Beans of this type are called in their order, at
 * start, on one thread.
 */
@FunctionalInterface
public interface JobStoreCustomizer {

    /** Returns the same store, or a wrapper that passes all calls on to it. */
    JobStore customize(JobStore store);

    /**
     * Wraps one of the stores, if the application has several stores.
     *
     * @param name the name of the store
     */
    default JobStore customize(JobStore store, String name) {
        return customize(store);
    }
}
