package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;

/** What preload may keep in memory per handler name. */
@FunctionalInterface
public interface Capacity {

    /**
     * How many more overdue rows of this name can start before the next sweep; 0 when the name has no handler here, is
     * switched off here, paused or saturated.
     */
    int roomFor(String name);

    /** Whether rows like this one run here at all: their handler is known, their queue worked, and neither paused. */
    default boolean isRunHere(DueRow row) {
        return true;
    }
}
