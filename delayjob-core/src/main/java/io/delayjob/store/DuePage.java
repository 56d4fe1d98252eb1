package io.delayjob.store;

import java.util.List;

/**
 * One page of a look through some partitions. Only {@link #next()} says whether there is more: a page may hold fewer
 * rows than were asked for, or none, in the middle of a partition. Immutable.
 *
 * @param rows the rows that were found, in the order of (due time, id), those of all partitions together
 * @param next where to look on: one cursor for each partition that may hold more, in any order. Each lies behind the
 *     cursor that it follows and not before the last row of its partition on this page, so every page makes progress. A
 *     partition without one is through
 * @param <R> what is answered of a row
 */
public record DuePage<R>(List<R> rows, List<PartitionCursor> next) {

    public DuePage {
        rows = List.copyOf(rows);
        next = List.copyOf(next);
    }

    /** Nothing here, and nothing behind. */
    public static <R> DuePage<R> none() {
        return new DuePage<>(List.of(), List.of());
    }
}
