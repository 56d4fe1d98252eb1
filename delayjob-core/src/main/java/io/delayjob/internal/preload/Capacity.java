package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/** Limits how many rows of each handler are kept in memory. */
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
     * Tells whether this row has a mutex, or a key with a rate of its own. Such a row may have to wait for other rows
     * of its key, even if its handler has room. So rows of other keys may lie behind a long backlog of one key.
     */
    default boolean hasKey(DueRow row) {
        return row.mutex() != null || row.rateKey() != null;
    }

    /** Tells whether any of these rows is in memory. */
    default boolean keepsAny(List<DueRow> rows) {
        return true;
    }
}
