package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * The result of a search for lost attempts, in a part of some partitions.
 *
 * @param rows running rows whose owner is not registered, in the order of (due time, id)
 * @param next the places to go on: a cursor for each partition that may hold more, even if this part of it held
 *     nothing. A partition without a cursor is done
 */
public record LostPage(List<DueRow> rows, List<PartitionCursor> next) {

    /** Nothing was found, and there is no further page. */
    public static final LostPage NONE = new LostPage(List.of(), List.of());

    public LostPage {
        rows = List.copyOf(rows);
        next = List.copyOf(next);
    }
}
