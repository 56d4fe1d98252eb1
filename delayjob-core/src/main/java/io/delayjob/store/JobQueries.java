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
 * Thread-safe; see {@link JobStore} for the rules of all roles of a store.
 */
public interface JobQueries {

    /** Returns the job, whether it is unfinished or has ended. */
    Optional<Job> find(JobId id);

    /**
     * Returns the unfinished job of this name and key. If there is no such job, returns an ended job of this name and
     * key: the job with the highest id.
     */
    Optional<Job> find(String name, String key);

    /**
     * Returns one page of the jobs that {@linkplain JobFilter#matches meet the conditions} at the given time. The jobs
     * are sorted by {@link JobQuery#comparator()}. The page begins after the place that {@link JobQuery#after()}
     * returns. The store reads at most {@link JobQuery#look()} rows of unfinished jobs. From the history, the store
     * also reads at most this number of rows. If too few of these rows match, the page is short or empty. {@link
     * JobPage#next()} is the place {@linkplain JobQuery#behind after} the last job that was read. If all rows that
     * could match have been read, {@code next()} is {@code null}, even on a full page. Otherwise, {@code next()} is
     * never {@code null}.
     *
     * <p>The store needs an index for two kinds of conditions, so that it reads only matching rows. The first kind is a
     * name together with a key. The second kind is a span of time, if the query sorts the jobs by
     * {@linkplain JobOrder#DUE due time} or {@linkplain JobOrder#ENDED end time}. The span has the bounds {@code from}
     * and {@code until}. A query for one ended state reads no rows of other states. In a query for
     * {@link JobState#READY} or {@link JobState#RUNNING}, the store may skip jobs that are due later than a limit. The
     * limit is {@code now} plus {@link io.delayjob.job.JobPlan#LONGEST_CLAIM_LEAD}.
     *
     * @throws StoreException if the read takes longer than the store's time limit; this exception is {@linkplain
     *     StoreException#isTransient() transient}
     */
    JobPage find(JobQuery query, Instant now);

    /**
     * Returns the attempt log of a job, beginning with the latest line. The parameter {@code limit} is the maximum
     * number of lines.
     */
    List<AttemptRecord> attempts(JobId id, int limit);

    /**
     * Returns the number of jobs in each state, and the due time of the oldest due job, for display. A store may stop
     * counting the jobs of a state at {@link JobCounts#CAP}. In this case, the number is an estimate or a lower bound.
     * The store counts only committed rows. It does not count the writes of the caller's open transaction. The numbers
     * of different states may belong to slightly different times.
     *
     * @throws StoreException if the read takes longer than the store's time limit; this exception is {@linkplain
     *     StoreException#isTransient() transient}
     */
    JobCounts counts(Instant now);

    /**
     * Returns how many unfinished jobs become due in each part of a span of time, for display. The method reads only
     * committed rows. The maximum number of rows that it reads is approximately {@link DueCounts#MAX_LOOK}. The store
     * counts the earliest jobs, and estimates the number of later jobs.
     *
     * @throws StoreException if the read takes longer than the store's time limit; this exception is {@linkplain
     *     StoreException#isTransient() transient}
     */
    DueCounts due(DueSpan span);

    /**
     * Returns the {@link JobState#FAILED} jobs that ended in a span of time, grouped by handler and type of failure.
     * The method reads only committed rows. If there are many failed jobs, the method reads only the newest of them.
     *
     * @throws StoreException if the read takes longer than the store's time limit; this exception is {@linkplain
     *     StoreException#isTransient() transient}
     */
    FailureGroups failures(FailureGroups.Span span);
}
