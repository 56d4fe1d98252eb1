package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/** Limits the rows of each handler name that are kept in memory. */
@FunctionalInterface
public interface Capacity {

    /**
     * Returns how many more overdue rows of this name can start before the next sweep. Returns 0 if this instance has
     * no handler of this name or does not run its queue, if the name is paused, or if enough of its rows are in memory.
     */
    int roomFor(String name);

    /**
     * Tells whether this instance can run this row: it has the handler, it runs jobs of the queue, and neither is
     * paused.
     */
    default boolean isRunHere(DueRow row) {
        return true;
    }

    /**
     * Tells whether this row may wait for others of its key, even if there is room for its name. Then rows of other keys
     * may lie behind a long backlog of its key.
     */
    default boolean hasKey(DueRow row) {
        return row.mutex() != null || row.rateKey() != null;
    }

    /** Tells whether any of these rows is in memory. */
    default boolean keepsAny(List<DueRow> rows) {
        return true;
    }
}
