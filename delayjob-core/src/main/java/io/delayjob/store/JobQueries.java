package io.delayjob.store;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads jobs for people: single jobs, pages of jobs, the attempt log, and counts. These methods change nothing.
 * Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface JobQueries {

    /** Returns the job, whether it is unfinished or has ended. */
    Optional<Job> find(JobId id);

    /**
     * Returns the unfinished job of this name and key. If there is no such job, returns the ended job of this name and
     * key with the highest id.
     */
    Optional<Job> find(String name, String key);

    /**
     * Returns one page of the jobs that {@linkplain JobFilter#matches meet the conditions} at the time {@code now}. The
     * jobs are in the order of {@link JobQuery#comparator()}, and come after {@link JobQuery#after()}. The method reads
     * at most {@link JobQuery#look()} rows of unfinished jobs, and as many rows of the history. If too few of these
     * rows match, the page is short or empty. {@link JobPage#next()} is the place {@linkplain JobQuery#behind after}
     * the last job that was read. If all rows that could match have been read, {@code next()} is {@code null}, even on
     * a full page. Otherwise, {@code next()} is never {@code null}.
     *
     * <p>Two kinds of conditions need an index, so that the store reads only matching rows. The first kind is a name
     * together with a key. The second kind is {@code from} and {@code until}, in the order of {@linkplain JobOrder#DUE
     * due times} or {@linkplain JobOrder#ENDED ends}. A query for one ended state reads no rows of other states. A
     * query for {@link JobState#READY} or {@link JobState#RUNNING} need not read jobs that are due later than {@code
     * now} plus {@link io.delayjob.job.JobPlan#LONGEST_CLAIM_LEAD}.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    JobPage find(JobQuery query, Instant now);

    /** Returns the attempt log of a job, at most {@code limit} lines, beginning with the latest line. */
    List<AttemptRecord> attempts(JobId id, int limit);

    /**
     * Returns the number of jobs in each state, and the due time of the oldest due job, for display. A store counts up
     * to {@link JobCounts#CAP} jobs of a state, or more if the count is cheap. For higher numbers, a store may return
     * an estimate of its database. The store counts only committed rows. It does not count the writes of the caller's
     * open transaction. The numbers of different states may belong to slightly different times.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    JobCounts counts(Instant now);

    /**
     * Returns how many unfinished jobs become due in each part of a span of time, for display. The method reads only
     * committed rows, and at most about {@link DueCounts#MAX_LOOK} of them. The store counts the earliest jobs, and
     * estimates the number of later jobs.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    DueCounts due(DueSpan span);

    /**
     * Returns the {@link JobState#FAILED} jobs that ended in a span of time, grouped by handler and type of failure.
     * The method reads only committed rows, and a limited number of the newest failed jobs.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when the read takes longer than the
     *     store's time limit
     */
    FailureGroups failures(FailureGroups.Span span);
}
