package io.delayjob.store;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pages of unfinished rows by due time, for engines: what comes due soon, what is overdue, and what was lost. Nothing
 * here changes anything. Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface DueJobs {

    /**
     * Partitions that hold unfinished jobs, whatever is configured, each with the due time of the earliest of these,
     * waiting or running. Idle engines ask once a sweep, however many rows there are.
     */
    Map<Partition, Instant> partitionsInUse();

    /**
     * Waiting rows of each cursor's partition that come after the cursor and are due at or before {@code until}, in the
     * order of (due time, id), at most {@code limit} per partition. Fewer mean that the partition holds no more.
     */
    List<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit);

    /**
     * Waiting rows of these handler names, which may be many, in a bounded part of each cursor's partition: they come
     * after the cursor and are due at or before {@code until}, in the order of (due time, id). However many rows of other
     * names lie ahead, one call does not step over more than {@code lookAt}. A page may be short or empty: as long as
     * {@link OverduePage#next()} names a partition, the look goes on there, and each page makes progress.
     *
     * @param limit maximum number of rows to answer, of each partition
     * @param lookAt maximum number of rows to look at, in each partition; not less than {@code limit}. Whether running
     *     rows count is the store's choice
     */
    OverduePage overdue(Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt);

    /**
     * Looks for attempts that were lost, in a bounded part of each cursor's partition: rows that run, whose owner is not
     * registered, that come after the cursor, and are due at or before {@code until}, in the order of (due time, id). A
     * store that keeps the register elsewhere reads it after the rows: an owner was registered before it claimed, and its
     * number is never used again. A page may be short or empty, as for {@link #overdue}.
     *
     * @param limit maximum number of rows to look at in each partition. Whether waiting rows count is the store's choice
     */
    LostPage lost(Collection<PartitionCursor> cursors, Instant until, int limit);
}
