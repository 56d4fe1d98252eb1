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
 * Reads pages of unfinished rows for engines, in the order of their due times. These methods change nothing.
 * Thread-safe; see {@link JobStore} for the rules of all roles of a store.
 *
 * <p><strong>Pages.</strong> One call does a limited amount of work: it reads a limited number of rows, and returns
 * those that match. {@link DuePage#next()} says where the next page begins. If a caller reads all pages from a cursor
 * to the end, the pages contain each unchanged row exactly once. A row that is added, removed or moved during the read
 * may be missing.
 */
public interface DueJobs {

    /** Maximum number of pages that {@link #firstDue} reads. */
    int MAX_PAGES_OF_FIRST = 10;

    /**
     * Returns all partitions that contain waiting or running jobs. For each partition, the map contains the due time of
     * its earliest job. A partition is also returned if its index is beyond the configured number of partitions. The
     * call must be cheap for any number of rows.
     */
    Map<Partition, Instant> partitionsInUse();

    /**
     * Returns waiting rows from the partition of each cursor. These rows come after the cursor, and their due time is
     * not after {@code until}. If the job of a row awaits an answer, the row is also a waiting row.
     *
     * @param cursors at most one cursor for each partition. A partition of an unknown queue has no rows
     * @param limit maximum number of rows that are returned from each partition; at least 1
     */
    DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit);

    /**
     * Returns rows in the same way as {@link #dueAfter}, but only rows whose handler name is in the set {@code names}.
     *
     * @param names the handler names, possibly thousands; for an empty set, no row is found
     * @param limit maximum number of rows that are returned from each partition; at least 1
     * @param lookAt maximum number of rows that are read in each partition, including rows with other names; not less
     *     than {@code limit}. In some stores, running rows count towards this number, too
     */
    DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt);

    /**
     * Returns running rows from the partition of each cursor. These rows come after the cursor, and their due time is
     * not after {@code until}. The store does not check whether the owners of the rows are registered.
     *
     * @param known the instances whose rows are left out, by their numbers in the register
     * @param limit maximum number of rows that are read in each partition; at least 1. Each store decides whether
     *     waiting rows and rows of known owners count towards this number
     */
    DuePage<ClaimedRow> claimedByOthers(Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit);

    /**
     * Returns the first waiting rows of some partitions, to show them to people. The parameter {@code limit} is the
     * approximate number of rows for each partition. If the first page has fewer rows of a partition, the method
     * reads a few more pages of this partition.
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
