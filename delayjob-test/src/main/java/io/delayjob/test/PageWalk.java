package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads some partitions page by page, and checks the order, the partitions and the progress of each page.
 */
final class PageWalk {

    /** A read that reaches this number of pages makes no progress. */
    private static final int MAX_PAGES = 20_000;

    private static final Comparator<PartitionCursor> BY_PLACE =
            Comparator.comparingLong(PartitionCursor::dueMillis).thenComparing(PartitionCursor::id);

    private PageWalk() {}

    static <R> List<DuePage<R>> pages(
            List<PartitionCursor> from, Function<List<PartitionCursor>, DuePage<R>> read, Function<R, DueRow> rowOf) {
        List<DuePage<R>> pages = new ArrayList<>();
        List<PartitionCursor> cursors = from;
        do {
            DuePage<R> page = read.apply(cursors);
            check(cursors, page.rows().stream().map(rowOf).toList(), page.next());
            pages.add(page);
            cursors = page.next();
        } while (!cursors.isEmpty() && pages.size() < MAX_PAGES);
        assertThat(cursors)
                .as("cursors that are left after %d pages", pages.size())
                .isEmpty();
        return pages;
    }

    static List<DuePage<DueRow>> pages(
            List<PartitionCursor> from, Function<List<PartitionCursor>, DuePage<DueRow>> read) {
        return pages(from, read, row -> row);
    }

    static <R> List<R> rows(List<DuePage<R>> pages) {
        return pages.stream().flatMap(page -> page.rows().stream()).toList();
    }

    private static void check(List<PartitionCursor> from, List<DueRow> rows, List<PartitionCursor> next) {
        Map<Partition, PartitionCursor> passed =
                from.stream().collect(Collectors.toMap(PartitionCursor::partition, cursor -> cursor));
        assertThat(rows).as("rows of one page").isSortedAccordingTo(PreloadContract.BY_DUE_TIME);
        for (DueRow row : rows) {
            assertThat(passed).as("requested partitions").containsKey(row.partition());
            isBehind(PartitionCursor.at(row), Objects.requireNonNull(passed.get(row.partition())));
        }
        assertThat(next).extracting(PartitionCursor::partition).doesNotHaveDuplicates();
        for (PartitionCursor cursor : next) {
            assertThat(passed).as("requested partitions").containsKey(cursor.partition());
            isBehind(cursor, Objects.requireNonNull(passed.get(cursor.partition())));
            assertThat(rows)
                    .as("rows of this partition after its cursor %s", cursor)
                    .noneMatch(row -> row.partition().equals(cursor.partition())
                            && BY_PLACE.compare(PartitionCursor.at(row), cursor) > 0);
        }
    }

    private static void isBehind(PartitionCursor cursor, PartitionCursor passed) {
        assertThat(BY_PLACE.compare(cursor, passed))
                .as("%s must be after %s", cursor, passed)
                .isPositive();
    }
}
