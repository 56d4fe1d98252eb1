package io.delayjob.store;

import java.util.List;

/**
 * One page of a read through some partitions. Only {@link #next()} says whether there are more rows. A page in the
 * middle of a partition may hold fewer rows than requested, or none. Immutable.
 *
 * @param rows the rows of all partitions together, in the order of (due time, id)
 * @param next cursors for the next page: one for each partition that may hold more rows, in any order. Each cursor is
 *     after the former cursor of its partition. It is at the last row of that partition on this page, or after that
 *     row. A partition without a cursor has been read to its end
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
