package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/** Limits how many rows of each handler are kept in memory. */
@FunctionalInterface
public interface Capacity {

    /**
     * Returns how many more overdue rows of this name can start before the next sweep. Returns 0 if this instance does
     * not run the handler or the queue, if the name is paused, or if enough rows of the name are in memory.
     */
    int roomFor(String name);

    /**
     * Tells whether this instance can run this row: it has the handler, it runs jobs of the queue, and the handler and
     * the queue are not paused.
     */
    default boolean isRunHere(DueRow row) {
        return true;
    }

    /**
     * Tells whether this row has a mutex or a rate key. Such a row may have to wait for other rows of its key even if
     * memory has a place for it. So in the store, very many waiting rows of one key may come before the rows of other
     * keys.
     */
    default boolean hasKey(DueRow row) {
        return row.mutex() != null || row.rateKey() != null;
    }

    /** Tells whether any of these rows is in memory. */
    default boolean keepsAny(List<DueRow> rows) {
        return true;
    }
}
