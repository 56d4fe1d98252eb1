package io.delayjob.job;

/** What preload may keep in memory per handler name. */
@FunctionalInterface
public interface Capacity {

    /**
     * How many more overdue rows of this name can start before the next sweep; 0 when the name has no handler here, is
     * switched off here, paused or saturated.
     */
    int roomFor(String name);

    /** Whether this row's handler or queue is paused, so that the row is not kept; by default nothing is. */
    default boolean isPaused(DueRow row) {
        return false;
    }
}
