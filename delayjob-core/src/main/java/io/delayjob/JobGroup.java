package io.delayjob;

import io.delayjob.job.BulkResult;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobId;
import java.util.Optional;

/**
 * A named group of jobs. A job that <em>follows</em> the group is due when all members have ended:
 *
 * <pre>{@code
 * jobs.group("import-42")
 *         .add(jobs.schedule(Imports::load).withEach(rows))
 *         .whenAllEnded(Imports::done);
 * }</pre>
 *
 * <p>The group exists from the first call that names it until its retention period is over. Every call takes effect at
 * once, or with the commit of the caller's transaction. Any instance may add members, and members may add members, too.
 * A group may have a million members.
 *
 * <p>A member has ended when it is finished, failed or cancelled. The group ends within a second after the end of its
 * last member.
 *
 * <p>In the client of the REST API, a group accepts only single jobs that the same client schedules by name. For any
 * other job, the call throws an {@link IllegalArgumentException}. Thread-safe.
 */
public interface JobGroup {

    /** Returns the name of the group. */
    String name();

    /**
     * Adds a job to the group; the job is due at once. For a job with another due time, use {@link ScheduleSpec#group}.
     *
     * @throws io.delayjob.job.GroupEndedException if the group has ended or was cancelled
     */
    @CanIgnoreReturnValue
    default JobGroup add(ScheduleSpec job) {
        job.group(name()).now();
        return this;
    }

    /**
     * Adds many jobs to the group; the first of them is due at once. For jobs with another due time, use {@link
     * BulkSpec#group}.
     *
     * @throws io.delayjob.job.GroupEndedException if the group has ended or was cancelled
     */
    @CanIgnoreReturnValue
    default JobGroup add(BulkSpec<?> jobs) {
        jobs.group(name()).now();
        return this;
    }

    /**
     * Makes a job due as soon as a member has failed, even if other members have not ended. A group has at most one
     * such job. Before the job is due, a further call replaces the job. After that, a further call changes nothing.
     *
     * @param job the job, without a key. The job may have an {@linkplain ScheduleSpec#id id}
     * @throws io.delayjob.job.GroupEndedException if the group has ended or was cancelled
     */
    @CanIgnoreReturnValue
    default JobGroup whenAnyFails(ScheduleSpec job) {
        job.whenAnyFails(name());
        return this;
    }

    /**
     * Closes the group: the given job is due once all members have ended. The job is written exactly once. Until the
     * last member has ended, further members may be added.
     *
     * @param job the job, without a key. {@link io.delayjob.handler.JobContext#followsGroup} tells the job's handler
     *     which group has ended. If the job has an {@linkplain ScheduleSpec#id id}, the call may be repeated
     * @return the id that the job will have
     * @throws io.delayjob.job.GroupEndedException if the group has ended or was cancelled
     * @throws io.delayjob.job.GroupClosedException if the group is closed already
     */
    @CanIgnoreReturnValue
    default JobId whenAllEnded(ScheduleSpec job) {
        return job.whenAllEnded(name());
    }

    /** Closes the group, as {@link #whenAllEnded(ScheduleSpec)} does. */
    @CanIgnoreReturnValue
    <B> JobId whenAllEnded(MethodReference.NoPayload<B> handler);

    /** Closes the group, as {@link #whenAllEnded(ScheduleSpec)} does. */
    @CanIgnoreReturnValue
    <B> JobId whenAllEnded(MethodReference.ContextOnly<B> handler);

    /**
     * Closes the group like {@link #whenAllEnded(ScheduleSpec)}, but without a job that follows the group.
     *
     * @throws io.delayjob.job.GroupEndedException if the group has ended or was cancelled
     * @throws io.delayjob.job.GroupClosedException if the group is closed already
     */
    void close();

    /**
     * Cancels the group and its unfinished members, as {@link DelayJobOperations#cancel(JobId)} does. After that, the
     * group accepts no member, and no job follows the group. But if a running member finishes, the next job of its
     * chain runs, too. The call may be repeated, for example after an error.
     *
     * @return number of members that were cancelled, or that get no further attempt
     */
    BulkResult cancel();

    /** Returns the state and the numbers of the group; empty if the group does not exist, or is no longer kept. */
    Optional<GroupStatus> find();
}
