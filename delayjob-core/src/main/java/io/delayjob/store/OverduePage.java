package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * The result of a search for overdue rows, in a part of some partitions.
 *
 * @param rows waiting rows of the given names, in the order of (due time, id)
 * @param next the places to go on: a cursor for each partition that may hold more, even if this part of it held
 *     nothing. A partition without a cursor is done
 */
public record OverduePage(List<DueRow> rows, List<PartitionCursor> next) {

    /** Nothing was found, and there is no further page. */
    public static final OverduePage NONE = new OverduePage(List.of(), List.of());

    public OverduePage {
        rows = List.copyOf(rows);
        next = List.copyOf(next);
    }
}
