package io.delayjob.store;

import java.util.List;

/**
 * Contains one page of rows from one or more partitions. Only {@link #next()} says whether there are more rows. Any
 * page may contain fewer rows than requested, or none. Immutable.
 *
 * @param rows the rows of all partitions together, in the order of (due time, id)
 * @param next the cursors for the next page, in any order. The list has one cursor for each partition that may contain
 *     more rows. The new cursor of a partition is later than the cursor with which this page was read. The new cursor
 *     is at the partition's last row on this page, or later. If a partition has no cursor in this list, the partition
 *     has been read to its end
 * @param <R> type of a returned row
 */
public record DuePage<R>(List<R> rows, List<PartitionCursor> next) {

    public DuePage {
        rows = List.copyOf(rows);
        next = List.copyOf(next);
    }

    /** Returns a page without rows and without a next page. */
    public static <R> DuePage<R> none() {
        return new DuePage<>(List.of(), List.of());
    }
}
