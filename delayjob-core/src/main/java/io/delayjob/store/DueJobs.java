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
 * Reads pages of unfinished rows for engines. Some of these rows are due soon or overdue. Others are running, but their
 * instance may be gone. The rows are in the order of their due times. These methods change nothing. This interface is
 * thread-safe. {@link JobStore} states the rules that apply to all roles.
 *
 * <p><strong>Pages.</strong> One call does a limited amount of work, even if there are very many rows: the store reads
 * only a limited number of rows, and returns those of them that match. {@link DuePage#next()} says where the next page
 * begins. A caller that reads all pages from a cursor to the end finds each unchanged row exactly once. A row that is
 * added, removed or moved during the read may be missing from the pages.
 */
public interface DueJobs {

    /** Maximum number of pages that {@link #firstDue} reads. */
    int MAX_PAGES_OF_FIRST = 10;

    /**
     * Returns all partitions that contain unfinished jobs, waiting or running, each with the due time of its earliest
     * job. A partition is also returned if its index is beyond the configured number of partitions. An idle engine
     * calls this method once in each sweep, so the call must be cheap for any number of rows.
     */
    Map<Partition, Instant> partitionsInUse();

    /**
     * Returns waiting rows from the partition of each cursor. These rows come after the cursor, and are due at or
     * before {@code until}. If the job of a row awaits an answer, the row is also a waiting row.
     *
     * @param cursors at most one cursor for each partition. A partition without jobs, or of an unknown queue, has no
     *     rows
     * @param limit maximum number of rows that are returned from each partition; at least 1
     */
    DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit);

    /**
     * Returns rows as {@link #dueAfter} does, but only rows with one of the handler names in {@code names}. One call
     * reads no more than {@code lookAt} rows of each partition, including rows with other names.
     *
     * @param names the handler names, possibly thousands; for an empty set, no row is found
     * @param limit maximum number of rows that are returned from each partition; at least 1
     * @param lookAt maximum number of rows that are read in each partition; not less than {@code limit}. In some
     *     stores, running rows count as read, in others not
     */
    DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt);

    /**
     * For each cursor, returns running rows of the cursor's partition. These rows come after the cursor, and are due at
     * or before {@code until}. Rows of {@code known} owners are left out. The store does not check whether the other
     * owners are registered. The engine first reads these rows, and then the register. If the owner of a row is not
     * registered, the engine rescues the row.
     *
     * @param known numbers of instances; the rows of these instances are left out
     * @param limit maximum number of rows that are read in each partition; at least 1. Each store decides whether
     *     waiting rows and rows of known owners count towards this number
     */
    DuePage<ClaimedRow> claimedByOthers(Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit);

    /**
     * Returns the first waiting rows of some partitions, to show them to people: about {@code limit} rows of each
     * partition. If the first page has fewer rows, the method reads a few more pages. It then returns the rows that it
     * has found.
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
