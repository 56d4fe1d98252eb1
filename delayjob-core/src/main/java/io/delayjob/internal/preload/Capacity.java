package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;

/** The limits on rows that preload keeps in memory for each handler name. */
@FunctionalInterface
public interface Capacity {

    /**
     * Returns how many more overdue rows of this name can start before the next sweep. Returns 0 if the name has no
     * handler here, is switched off here, or is paused or saturated.
     */
    int roomFor(String name);

    /**
     * Tells whether rows like this one run here at all: their handler is known, their queue worked, and neither is
     * paused.
     */
    default boolean isRunHere(DueRow row) {
        return true;
    }
}
