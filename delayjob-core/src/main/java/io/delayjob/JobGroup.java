package io.delayjob;

import io.delayjob.job.BulkResult;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobId;
import java.util.Optional;

/**
 * A group of jobs, by its name. A job may follow the group:
 *
 * <pre>{@code
 * jobs.group("import-42")
 *         .add(jobs.schedule(Imports::load).withEach(rows))
 *         .whenAllEnded(Imports::done);
 * }</pre>
 *
 * <p>The group exists from the first call that names it until its retention is over. Every call takes effect at once,
 * or with the commit of the caller's transaction. So members may be added in many calls, by many instances, and by the
 * group's own members. A million members are fine.
 *
 * <p>A member has ended when it has finished, failed or was cancelled. About a second after the end of the last member,
 * the group ends.
 *
 * <p>In the client of the REST API, a group accepts only jobs that this client schedules by name, one by one. It
 * refuses all others with an {@link IllegalArgumentException}. Thread-safe.
 */
public interface JobGroup {

    /** Returns the name of the group. */
    String name();

    /**
     * Adds a job that is due at once. For another time, use {@link ScheduleSpec#group}.
     *
     * @return this group
     * @throws io.delayjob.job.GroupEndedException when the group has ended or was cancelled
     */
    @CanIgnoreReturnValue
    default JobGroup add(ScheduleSpec job) {
        job.group(name()).now();
        return this;
    }

    /**
     * Adds many jobs, the first of them due at once. For another time, use {@link BulkSpec#group}.
     *
     * @return this group
     * @throws io.delayjob.job.GroupEndedException when the group has ended or was cancelled
     */
    @CanIgnoreReturnValue
    default JobGroup add(BulkSpec<?> jobs) {
        jobs.group(name()).now();
        return this;
    }

    /**
     * Makes a job due as soon as a member has failed, even if other members have not ended. The job is written at most
     * once. It replaces the job of an earlier call. If that job is due already, this call changes nothing.
     *
     * @param job the job, without a key. It may have an {@linkplain ScheduleSpec#id id}
     * @return this group
     * @throws io.delayjob.job.GroupEndedException when the group has ended or was cancelled
     */
    @CanIgnoreReturnValue
    default JobGroup whenAnyFails(ScheduleSpec job) {
        job.whenAnyFails(name());
        return this;
    }

    /**
     * Closes the group: once all members have ended, the job is due. The job is written exactly once. Until the last
     * member has ended, calls may add further members, above all the handlers of members. A call that comes later is
     * refused.
     *
     * @param job the job, without a key. {@link io.delayjob.handler.JobContext#followsGroup} tells it the group. If the
     *     job has an {@linkplain ScheduleSpec#id id}, the call may be repeated, for example after a lost connection
     * @return the id that the job will have
     * @throws io.delayjob.job.GroupEndedException when the group has ended or was cancelled
     * @throws io.delayjob.job.GroupClosedException when the group is closed already
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
     * Closes the group, as {@link #whenAllEnded(ScheduleSpec)} does, without a job that follows.
     *
     * @throws io.delayjob.job.GroupEndedException when the group has ended or was cancelled
     * @throws io.delayjob.job.GroupClosedException when the group is closed already
     */
    void close();

    /**
     * Cancels the group and its unfinished members, as {@link DelayJobOperations#cancel(JobId)} does. It takes no
     * further member, and no job follows it, even if running members finish. May be repeated, for example after an
     * error.
     *
     * @return the number of members that were cancelled, or are to get no further attempt
     */
    BulkResult cancel();

    /** Returns the state and the numbers of the group; empty if it does not exist, or its retention is over. */
    Optional<GroupStatus> find();
}
