package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * The last step of a call that schedules a job. If needed, set a key, a queue or a policy. Then state when the job is
 * due: call {@link #now()}, {@link #after}, {@link #at} or {@link #repeat}. Nothing is scheduled before this call.
 * Immutable: every step returns a new object.
 */
@CheckReturnValue
public interface ScheduleSpec extends Chainable {

    /** Maximum length of a key's text, in characters. */
    int MAX_KEY_LENGTH = 200;

    /**
     * Sets the key: at most one unfinished job has this handler name and key. An existing job with this name and key is
     * kept as it is.
     *
     * @param key any value. Its {@code toString()} identifies the job. This text must not be blank and must not contain
     *     control characters. Its maximum length is {@value #MAX_KEY_LENGTH} characters
     */
    default ScheduleSpec key(Object key) {
        return key(key, OnExisting.KEEP);
    }

    /**
     * Sets the key, and states what happens if an unfinished job has that key. {@code REPLACE} and {@code POSTPONE}
     * cannot be combined with an {@linkplain #id id}.
     */
    ScheduleSpec key(Object key, OnExisting onExisting);

    /**
     * Sets the job's id, so that a caller may repeat the call, for example after a lost connection. If a job with this
     * id exists, in any state, nothing is written. The {@linkplain Scheduled result} of the call then has the outcome
     * {@code KEPT} and the state of the existing job. The call also finds an ended job, as long as the history keeps
     * that job.
     *
     * <p>The existing job must have the same name, key, arguments, schedule, retry policy, expiry, mutex, rate key,
     * labels, group and chain. Only values that the existing job's row still contains are compared. The times, the
     * queue and the fair key may differ.
     *
     * <p>A job that {@linkplain #whenAllEnded waits for a group} may have an id, too. If another call uses the id
     * before the group ends, the waiting job is never written.
     *
     * <p>If the job has a key, a job store on several slots of Redis replaces the given id. The result of the call
     * contains the new id. If the call is repeated with the given id and the same key, the call finds the job.
     *
     * @param id any UUID that no other job has. With UUIDs of version 7, the database index of the ids stays small
     * @throws IllegalArgumentException if the job store creates all ids itself, or if the call also states
     *     {@link OnExisting#REPLACE} or {@link OnExisting#POSTPONE}
     * @throws io.delayjob.job.JobIdTakenException if the id belongs to a different job; thrown by the step that states
     *     when the job is due
     */
    ScheduleSpec id(JobId id);

    /**
     * Sets the job's queue. This queue replaces the handler's queue for this job. Instances that run jobs of that queue
     * must have the handler.
     */
    ScheduleSpec queue(String queue);

    /**
     * Sets the job's retry policy. This policy replaces the handler's policy for this job. The handler still decides
     * which exceptions are retried.
     */
    ScheduleSpec retry(RetryPolicy policy);

    /**
     * Sets the maximum time from the planned time of a run to the start of an attempt. If an attempt cannot start
     * within this time, the handler is not called.
     * <ul>
     * <li>If the job repeats, the run is skipped. If an attempt of the run has already failed, the run counts as
     * failed, not as skipped.
     * <li>If the job does not repeat, the job ends as {@link io.delayjob.job.JobState#CANCELLED}, with the failure
     * {@code Expired}. If the job was already claimed for an earlier attempt, for example before a snooze, the job ends
     * as {@link io.delayjob.job.JobState#FAILED} instead.
     * </ul>
     * A running attempt is not interrupted. Retries and snoozes do not extend the maximum time. By default, the
     * handler's maximum time applies.
     *
     * @param expiresAfter 1 ms or more
     */
    ScheduleSpec expiresAfter(Duration expiresAfter);

    /**
     * Sets the job's mutex. This mutex replaces the handler's mutex for this job. If two jobs of a queue have the same
     * mutex, they never run at the same time, even on different instances. If the mutex is busy, the job waits in the
     * store, and takes no slot. A job does not hold its mutex between two attempts, or while it awaits an answer.
     *
     * <p>There are two exceptions. An attempt can lose its mutex although the attempt is still running. This can happen
     * after the timeout of the attempt, or after the attempt's instance was silent for the liveness period. The next
     * job with the same mutex can then start.
     *
     * @param mutex any value, such as {@code account-7}. Its {@code toString()} must not be blank and must not contain
     *     control characters. The maximum length is {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters
     */
    ScheduleSpec mutex(Object mutex);

    /**
     * Sets the job's rate key. This rate key replaces the handler's rate key for this job. The handler must have a rate
     * for each key ({@link io.delayjob.handler.Handler.Builder#rateBy}). While the rate of a key is used up, jobs with
     * this key wait in the store. They occupy no slot. If a job has a {@link #mutex} and a rate key, both must have the
     * same text.
     *
     * @param rateKey any value, such as {@code customer-7}. Its {@code toString()} must not be blank and must not
     *     contain control characters. The maximum length is {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters
     */
    ScheduleSpec rateKey(Object rateKey);

    /**
     * Sets the job's fair key, such as its tenant. This fair key replaces the handler's fair key for this job. If due
     * jobs of a handler have different fair keys, these jobs start alternately. Therefore, many jobs of one tenant do
     * not delay the jobs of other tenants. Jobs with the same key start roughly in the order of their due times.
     *
     * @param fairKey any value, such as {@code tenant-7}. Its {@code toString()} must not be blank and must not contain
     *     control characters. The maximum length is {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters
     */
    ScheduleSpec fairKey(Object fairKey);

    /**
     * Adds a label, by which people can find the job: see {@link io.delayjob.store.JobQuery#label}. A job has up to
     * {@value io.delayjob.job.JobExtras#MAX_LABELS} labels. Labels have no index. To find a single job, use a key
     * instead of a label.
     *
     * @param label the label, such as {@code customer:42}. It must not be blank and must not contain control
     *     characters. The maximum length is {@value io.delayjob.job.JobExtras#MAX_LABEL_LENGTH} characters
     */
    ScheduleSpec label(String label);

    /**
     * Makes the job a member of a {@linkplain JobGroup group}; the group exists as soon as it has a member. If the call
     * keeps or postpones an existing job, the group of the existing job does not change.
     *
     * @param name the name of the group, such as {@code import-42}. It must not be blank and must not contain control
     *     characters. The maximum length is {@value io.delayjob.job.GroupRef#MAX_NAME_LENGTH} characters
     * @throws IllegalArgumentException if the job store keeps no groups, or if the call also states {@link
     *     OnExisting#REPLACE}
     * @throws io.delayjob.job.GroupEndedException if the group accepts no members. The exception is thrown by the last
     *     step, such as {@link #now()} or {@link #after}, and not by this method
     */
    ScheduleSpec group(String name);

    /**
     * Closes a group, and lets the job wait until the group has ended. {@link JobGroup#whenAllEnded(ScheduleSpec)} has
     * the same effect.
     *
     * @return the id that the job will have
     */
    @CanIgnoreReturnValue
    JobId whenAllEnded(String group);

    /**
     * Lets the job wait for a failure in a group. {@link JobGroup#whenAnyFails(ScheduleSpec)} has the same effect.
     *
     * @return the id that the job will have
     */
    @CanIgnoreReturnValue
    JobId whenAnyFails(String group);

    /** Makes the job due at once. */
    @CanIgnoreReturnValue
    Scheduled now();

    /**
     * Makes the job due when {@code delay} has passed since this call, by the store's clock. The delay must be zero or
     * more, and must end in the year 9999 at the latest.
     */
    @CanIgnoreReturnValue
    Scheduled after(Duration delay);

    /**
     * Makes the job due at {@code instant}, by the store's clock. If the instant is in the past, the job is due at
     * once. The latest year is 9999.
     */
    @CanIgnoreReturnValue
    Scheduled at(Instant instant);

    /** Makes the job repeat on this schedule. */
    @CanIgnoreReturnValue
    Scheduled repeat(Repeat schedule);
}
