package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * What a look for overdue rows has found in its part of some partitions.
 *
 * @param rows waiting rows of the names that were asked for, in the order of (due time, id)
 * @param next where to look on: a cursor for each partition that may hold more, even if nothing was found in this part
 *     of it. A partition without one is through.
 */
public record OverduePage(List<DueRow> rows, List<PartitionCursor> next) {

    /** Nothing here, and nothing behind. */
    public static final OverduePage NONE = new OverduePage(List.of(), List.of());

    public OverduePage {
        rows = List.copyOf(rows);
        next = List.copyOf(next);
    }
}
