package io.delayjob;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Schedules and changes jobs and groups of jobs by name, key and id, without a reference to a method. In the
 * application that has the job tables, {@link DelayJobOperations} implements this interface. In a client of the REST
 * API, another implementation sends the calls over HTTP.
 *
 * <pre>{@code
 * jobs.schedule("cancel-unpaid-order").with(Map.of("orderId", 42)).key(42).after(ofMinutes(30));
 * jobs.cancel("cancel-unpaid-order", 42);
 * }</pre>
 *
 * <p>A call with invalid input throws an {@link IllegalArgumentException}. The message states the value and the rule.
 * Thread-safe.
 */
public interface NamedJobs {

    /** Starts to schedule a handler by its name; the handler may be in another application that shares the store. */
    @CheckReturnValue
    NamedSpec schedule(String name);

    /**
     * Returns the group of jobs with this name, even if the group does not exist yet. This method does not call the
     * store:
     *
     * <pre>{@code
     * jobs.group("import-42")
     *         .add(jobs.schedule("load-row").with(Map.of("row", 1)))
     *         .add(jobs.schedule("load-row").with(Map.of("row", 2)))
     *         .whenAllEnded(jobs.schedule("import-done"));
     * }</pre>
     *
     * @param name the name of the group, such as {@code import-42}: 1 to
     *     {@value io.delayjob.job.GroupRef#MAX_NAME_LENGTH} characters, no control characters. As long as a group is
     *     kept, no other group can have its name
     * @throws IllegalArgumentException if the job store keeps no groups
     */
    JobGroup group(String name);

    /**
     * Returns the groups that have not ended, the oldest first.
     *
     * @param limit maximum number of groups, at least 1; over HTTP at most 500
     * @throws IllegalArgumentException if the job store keeps no groups
     */
    List<GroupStatus> groups(int limit);

    /**
     * Returns the groups that have ended and are still kept; the group that ended last comes first.
     *
     * @param limit maximum number of groups, at least 1; over HTTP at most 500
     * @throws IllegalArgumentException if the job store keeps no groups
     */
    List<GroupStatus> endedGroups(int limit);

    /** Cancels the job with this id. A job that has ended does not change. */
    CancelResult cancel(JobId id);

    /** Cancels the unfinished job of this handler name and key. */
    CancelResult cancel(String name, Object key);

    /** Makes a waiting job due after {@code delay}, counted from now; zero means at once. */
    ChangeResult reschedule(JobId id, Duration delay);

    /** Makes a waiting job due at {@code instant}. If the instant is in the past, the job is due at once. */
    ChangeResult reschedule(JobId id, Instant instant);

    /** Makes a failed job due now. The failures of the job are then counted from zero again. */
    ChangeResult retry(JobId id);

    /**
     * Makes a failed job due after {@code delay}. If you retry many jobs, use different delays, so that the jobs do not
     * start together.
     */
    ChangeResult retry(JobId id, Duration delay);

    /** Returns the job, unfinished or ended. An ended job is found as long as the history keeps it. */
    Optional<Job> find(JobId id);

    /** Returns the unfinished job of this name and key, or else the newest ended job that the history still keeps. */
    Optional<Job> find(String name, String key);

    /**
     * Returns the progress that the running attempt of a job has reported by {@link
     * io.delayjob.handler.JobContext#progress(long, long, String)}. On the instance that runs the job, the values are
     * up to date. On all other instances, the values are as old as the last heartbeat. Empty if the job does not run,
     * or if its attempt has reported nothing yet.
     */
    Optional<Vitals.Progress> progress(JobId id);

    /**
     * Returns the newest lines that a handler has logged for a job by {@link io.delayjob.handler.JobContext#log}. On
     * the instance that runs the job, the lines are up to date. On all other instances, the lines are as old as the
     * last heartbeat. If the running attempt has logged nothing, or no attempt runs, the result is {@link Job#log()}.
     * Over HTTP, the server returns these lines only if it also returns payloads.
     */
    Optional<JobLog> log(JobId id);
}
