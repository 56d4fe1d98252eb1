package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * What a look for lost attempts has found in its part of some partitions.
 *
 * @param rows rows that run and whose owner is not registered, in the order of (due time, id)
 * @param next where to look on: a cursor for each partition of which a full page was looked at, even if nothing was
 *     found there. A partition without one is through.
 */
public record LostPage(List<DueRow> rows, List<PartitionCursor> next) {

    /** Nothing here, and nothing behind. */
    public static final LostPage NONE = new LostPage(List.of(), List.of());

    public LostPage {
        rows = List.copyOf(rows);
        next = List.copyOf(next);
    }
}
