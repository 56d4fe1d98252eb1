package io.delayjob.store;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads for people: one job, pages of jobs, the attempt log, counts. Nothing here changes anything. Thread-safe; see
 * {@link JobStore} for the rules of all roles.
 */
public interface JobQueries {

    /** The job, unfinished or ended. */
    Optional<Job> find(JobId id);

    /**
     * The unfinished job of this name and key. If there is none, the ended job of this name and key with the highest
     * id.
     */
    Optional<Job> find(String name, String key);

    /**
     * One page of jobs, in the order that {@link JobQuery} describes; whether one is due is judged as of {@code now}.
     * Looks at no more than {@link JobQuery#look()} rows of each table. If that is not enough, the page is short or
     * empty, and says where to look further.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it takes longer than reads for
     *     people may
     */
    JobPage find(JobQuery query, Instant now);

    /** The attempt log of a job, newest first, at most {@code limit} lines. */
    List<AttemptRecord> attempts(JobId id, int limit);

    /**
     * Number of jobs in each state, and the due time of the oldest due one, for people. Counts up to {@link
     * JobCounts#CAP}, or further if that costs nothing; beyond, the database may know an estimate. Sees committed rows,
     * not those of the caller's transaction, and not all of them at one moment.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it takes longer than reads for
     *     people may
     */
    JobCounts counts(Instant now);

    /**
     * How many unfinished jobs come due in each part of a span, for people. Looks at no more than some {@link
     * DueCounts#MAX_LOOK} rows: what comes due first is counted, the rest is estimated. Sees committed rows.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it takes longer than reads for
     *     people may
     */
    DueCounts due(DueSpan span);

    /**
     * The {@link JobState#FAILED} jobs that ended in a span, by handler and type of failure, for people. Looks at a
     * bounded number of the newest. Sees committed rows.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it takes longer than reads for
     *     people may
     */
    FailureGroups failures(FailureGroups.Span span);
}
