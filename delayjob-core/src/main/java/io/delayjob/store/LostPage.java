package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * What a look for lost attempts has found in its part of some partitions.
 *
 * @param rows rows that run and whose owner is not registered, in the order of (due time, id)
 * @param next where to look on: a cursor for each partition that may hold more, even if nothing was found in this part
 *     of it. A partition without one is through.
 */
public record LostPage(List<DueRow> rows, List<PartitionCursor> next) {

    /** Nothing here, and nothing behind. */
    public static final LostPage NONE = new LostPage(List.of(), List.of());

    public LostPage {
        rows = List.copyOf(rows);
        next = List.copyOf(next);
    }
}
