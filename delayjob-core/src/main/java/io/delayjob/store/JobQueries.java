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

    /** Returns the job, unfinished or ended. */
    Optional<Job> find(JobId id);

    /**
     * Returns the unfinished job of this name and key. If there is none, returns the ended job of this name and key
     * with the highest id.
     */
    Optional<Job> find(String name, String key);

    /**
     * Returns one page of the jobs that {@link JobFilter#matches} as of {@code now}, in the order of {@link
     * JobQuery#comparator()}, after {@link JobQuery#after()}. Looks at no more than {@link JobQuery#look()} rows of the
     * unfinished jobs, and as many of the history. If that is not enough, the page is short or empty, and says where to
     * look further: {@link JobPage#next()} is {@link JobQuery#behind} the last job that was looked at. It is {@code
     * null} only if no further job can match.
     *
     * <p>Some conditions lead to their rows, and others are not looked at: name and key together; and {@code from} and
     * {@code until} in the order of {@linkplain JobOrder#DUE due times} or {@linkplain JobOrder#ENDED ends}. A query of
     * one ended state looks at no other. A query of {@link JobState#READY} or {@link JobState#RUNNING} need not look at
     * jobs that are due later than now, or than {@link io.delayjob.job.JobPlan#LONGEST_CLAIM_LEAD}. If there are few
     * others, it finds all of them at once, whatever the order.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it exceeds the time limit
     *     for reads for people
     */
    JobPage find(JobQuery query, Instant now);

    /**
     * Returns the attempt log of a job, at most {@code limit} lines, in the reverse of the order in which {@code
     * complete} got them.
     */
    List<AttemptRecord> attempts(JobId id, int limit);

    /**
     * Returns the number of jobs in each state, and the due time of the oldest due job, for people. Counts up to
     * {@link JobCounts#CAP}, or further if that costs nothing; beyond that, the database may know an estimate. It
     * sees committed rows, not the caller's own transaction, and not all rows as of one moment.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it exceeds the time limit
     *     for reads for people
     */
    JobCounts counts(Instant now);

    /**
     * Returns the number of unfinished jobs that become due in each part of a span, for people. Reads about {@link
     * DueCounts#MAX_LOOK} rows at most: the first due jobs are counted, the rest is estimated. It sees committed
     * rows.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it exceeds the time limit
     *     for reads for people
     */
    DueCounts due(DueSpan span);

    /**
     * Returns the {@link JobState#FAILED} jobs that ended in a span, by handler and type of failure, for people. Reads
     * a limited number of the newest failed jobs. It sees committed rows.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it exceeds the time limit
     *     for reads for people
     */
    FailureGroups failures(FailureGroups.Span span);
}
