package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;
import java.util.Set;

/** Limits how many rows of each handler are kept in memory. */
@FunctionalInterface
public interface Capacity {

    /** Returns how many more overdue rows of this name can start before the next sweep. */
    int roomFor(String name);

    /**
     * Tells whether one of these queues is new to the handler of this name, because this instance knows no job of the
     * handler in that queue yet. Such a queue has room, even if the other queues of the handler have none.
     */
    default boolean hasNewQueue(String name, Set<String> queues) {
        return false;
    }

    /**
     * Tells whether this instance has the handler and runs jobs of the queue. Neither the handler nor the queue may be
     * paused.
     */
    default boolean isRunHere(DueRow row) {
        return true;
    }

    /** Tells whether the row may have to wait for rows of the same key, even if memory has a free place. */
    default boolean hasKey(DueRow row) {
        return row.mutex() != null || row.rateKey() != null;
    }

    default boolean keepsAny(List<DueRow> rows) {
        return true;
    }
}
