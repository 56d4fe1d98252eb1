package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/** Limits how many rows of each handler are kept in memory. */
@FunctionalInterface
public interface Capacity {

    /**
     * Returns how many more overdue rows of this name can start before the next sweep. Returns 0 in three cases: this
     * instance does not run the handler or the queue, the name is paused, or memory contains enough rows of the name.
     */
    int roomFor(String name);

    /**
     * Tells whether this instance can run this row. To run it, the instance must have the handler and run jobs of the
     * queue. Neither the handler nor the queue may be paused.
     */
    default boolean isRunHere(DueRow row) {
        return true;
    }

    /**
     * Tells whether this row has a mutex or a rate key. Even if memory has a place for such a row, the row may have to
     * wait for other rows of its key. So in the store, very many waiting rows of one key may come before the rows of
     * other keys.
     */
    default boolean hasKey(DueRow row) {
        return row.mutex() != null || row.rateKey() != null;
    }

    /** Tells whether any of these rows is in memory. */
    default boolean keepsAny(List<DueRow> rows) {
        return true;
    }
}
