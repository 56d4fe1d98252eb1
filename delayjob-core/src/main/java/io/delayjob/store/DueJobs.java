package io.delayjob.store;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pages of unfinished rows by due time, for engines: rows that become due soon, overdue rows, and lost rows. Nothing
 * here changes anything. Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface DueJobs {

    /**
     * Returns the partitions that hold unfinished jobs, waiting or running, each with the due time of the earliest.
     * The number of partitions that is configured does not matter. Idle engines ask once a sweep, however many rows
     * there are.
     */
    Map<Partition, Instant> partitionsInUse();

    /**
     * Returns waiting rows of each cursor's partition that come after the cursor and are due at or before {@code
     * until}. They are in the order of (due time, id), at most {@code limit} for each partition. Fewer rows mean that
     * the partition holds no more.
     */
    List<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit);

    /**
     * Returns waiting rows of these handler names, which may be many, from a bounded part of each cursor's partition.
     * The rows come after the cursor and are due at or before {@code until}, in the order of (due time, id). One call
     * steps over at most {@code lookAt} rows, however many rows of other names lie ahead. So a page may be short or
     * empty. As long as {@link OverduePage#next()} names a partition, the search goes on there, and each page makes
     * progress.
     *
     * @param limit maximum number of rows to return, of each partition
     * @param lookAt maximum number of rows to read, in each partition; at least {@code limit}. The store decides
     *     whether running rows count
     */
    OverduePage overdue(Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt);

    /**
     * Returns running rows whose owner is not registered, from a bounded part of each cursor's partition. The rows
     * come after the cursor and are due at or before {@code until}, in the order of (due time, id). A store that
     * keeps the register elsewhere must read it after the rows. An owner is registered before it claims, and its
     * number is never used again. A page may be short or empty, as for {@link #overdue}.
     *
     * @param limit maximum number of rows to read in each partition. The store decides whether waiting rows count
     */
    LostPage lost(Collection<PartitionCursor> cursors, Instant until, int limit);
}
