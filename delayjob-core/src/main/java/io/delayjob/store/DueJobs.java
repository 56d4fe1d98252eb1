package io.delayjob.store;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads unfinished rows for engines, by due time, in pages: rows that are due soon, overdue rows, and running rows
 * whose instance may be gone. Changes nothing. Thread-safe; see {@link JobStore} for the rules of all roles.
 *
 * <p><strong>Pages.</strong> One call does a limited amount of work, for any number of rows. So a store reads a limited
 * number of rows, and returns those that match. {@link DuePage#next()} says where the next page begins. A caller that
 * reads all pages from a cursor to the end finds each unchanged row exactly once. A row that is added, removed or moved
 * meanwhile may be found or not.
 */
public interface DueJobs {

    /** Maximum number of pages that {@link #firstDue} reads. */
    int MAX_PAGES_OF_FIRST = 10;

    /**
     * Returns all partitions that hold unfinished jobs, waiting or running, each with the due time of its earliest job.
     * A partition is returned even if its index is beyond the configured number of partitions. Idle engines call this
     * method once in each sweep, so it must be cheap for any number of rows.
     */
    Map<Partition, Instant> partitionsInUse();

    /**
     * Returns waiting rows of each cursor's partition that come after the cursor and are due at or before {@code
     * until}.
     *
     * @param cursors at most one cursor for each partition. A partition without jobs, or of an unknown queue, has no
     *     rows
     * @param limit maximum number of rows to return from each partition; at least 1
     */
    DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit);

    /**
     * Returns rows as {@link #dueAfter} does, but only rows of some handler names. One call looks at no more than
     * {@code lookAt} rows of each partition, including rows of other names.
     *
     * @param names the names, possibly thousands; an empty set finds no row
     * @param limit maximum number of rows to return from each partition; at least 1
     * @param lookAt maximum number of rows to look at, in each partition; not less than {@code limit}. A store decides
     *     whether running rows count
     */
    DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt);

    /**
     * Returns running rows of each cursor's partition that come after the cursor and are due at or before {@code
     * until}, except the rows of {@code known} owners. The store does not check whether the other owners are
     * registered. The engine reads these rows first and the register afterwards. Then it rescues the rows whose owner
     * is not registered.
     *
     * @param known numbers of instances whose rows are left out
     * @param limit maximum number of rows to look at, in each partition; at least 1. A store decides whether waiting
     *     rows and rows of known owners count
     */
    DuePage<ClaimedRow> claimedByOthers(Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit);

    /**
     * Returns the first waiting rows of some partitions, for people: about {@code limit} rows of each partition. If
     * pages are short, the method reads a few more pages, and returns the rows that it has found.
     */
    default List<DueRow> firstDue(Collection<Partition> partitions, Instant until, int limit) {
        List<DueRow> rows = new ArrayList<>();
        Map<Partition, Integer> found = new HashMap<>();
        List<PartitionCursor> cursors =
                partitions.stream().map(PartitionCursor::start).toList();
        for (int pages = 0; pages < MAX_PAGES_OF_FIRST && !cursors.isEmpty(); pages++) {
            DuePage<DueRow> page = dueAfter(cursors, until, limit);
            page.rows().forEach(row -> found.merge(row.partition(), 1, Integer::sum));
            rows.addAll(page.rows());
            cursors = page.next().stream()
                    .filter(cursor -> found.getOrDefault(cursor.partition(), 0) < limit)
                    .toList();
        }
        return rows;
    }
}
