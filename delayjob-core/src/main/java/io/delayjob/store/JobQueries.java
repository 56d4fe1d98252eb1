package io.delayjob.store;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads jobs for people: one job, pages of jobs, the attempt log, counts. Changes nothing. Thread-safe; see {@link
 * JobStore} for the rules of all roles.
 */
public interface JobQueries {

    /** Returns the job, unfinished or ended. */
    Optional<Job> find(JobId id);

    /**
     * Returns the unfinished job of this name and key. If there is none, returns the ended job of this name and key
     * with the highest id.
     */
    Optional<Job> find(String name, String key);

    /**
     * Returns one page of the jobs that {@link JobFilter#matches} as of {@code now}, in the order of {@link
     * JobQuery#comparator()}, after {@link JobQuery#after()}. Reads at most {@link JobQuery#look()} rows of the
     * unfinished jobs, and at most as many rows of the history. If these rows do not fill the page, the page is short
     * or empty. Then {@link JobPage#next()} is the place {@linkplain JobQuery#behind after} the last job that was read.
     * This place is {@code null} only if no further job can match.
     *
     * <p>Two conditions need an index, so that the store reads only matching rows. The first is name and key together.
     * The second is {@code from} and {@code until}, in the order of {@linkplain JobOrder#DUE due times} or {@linkplain
     * JobOrder#ENDED ends}. A query for one ended state reads no rows of other states. A query for {@link
     * JobState#READY} or {@link JobState#RUNNING} need not read jobs that are due later than {@code now} plus {@link
     * io.delayjob.job.JobPlan#LONGEST_CLAIM_LEAD}. So if few jobs are due, one page may contain all of them, in any
     * order of the query.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    JobPage find(JobQuery query, Instant now);

    /** Returns the attempt log of a job, at most {@code limit} lines, the latest line first. */
    List<AttemptRecord> attempts(JobId id, int limit);

    /**
     * Returns the number of jobs in each state, and the due time of the oldest due job, for people. A store counts up
     * to {@link JobCounts#CAP} jobs of a state, or more if that costs nothing. For higher numbers, a store may return
     * an estimate of its database. Only committed rows are counted, without the writes of the caller's open
     * transaction. The numbers of different states may be from slightly different times.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    JobCounts counts(Instant now);

    /**
     * Returns the number of unfinished jobs that become due in each part of a span, for people. Reads at most about
     * {@link DueCounts#MAX_LOOK} rows. The earliest jobs are counted, and the number of later jobs is estimated. Only
     * committed rows are read.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    DueCounts due(DueSpan span);

    /**
     * Returns the {@link JobState#FAILED} jobs that ended in a span, by handler and type of failure, for people. Reads
     * a limited number of the newest failed jobs. Only committed rows are read.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    FailureGroups failures(FailureGroups.Span span);
}
