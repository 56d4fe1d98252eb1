package io.delayjob.spring;

import io.delayjob.store.JobStore;

/**
 * Wraps the store that the engine works with, to measure it for example: beans of this type are asked in their order.
 * Called at start, on one thread.
 */
@FunctionalInterface
public interface JobStoreCustomizer {

    /** The store to use in place of {@code store}: itself, or one that passes all calls on to it. */
    JobStore customize(JobStore store);
}
