package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Limits how many rows of each handler in each queue are kept in memory. */
@FunctionalInterface
public interface Capacity {

    /**
     * Returns how many more overdue rows of each of these names in this queue can start before the next sweep. If this
     * instance knows no job of a name in the queue, and memory has no free place, the name is left out. If this instance
     * does not run the jobs of a name in the queue, or the handler or the queue is paused, the name is also left out.
     *
     * @return a new map, which the caller may change
     */
    Map<String, Integer> roomIn(String queue, Set<String> names);

    default int roomFor(String name, String queue) {
        return roomIn(queue, Set.of(name)).getOrDefault(name, 0);
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
