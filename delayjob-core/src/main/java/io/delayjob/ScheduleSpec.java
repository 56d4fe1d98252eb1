package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * The last step of scheduling. Set a key, a queue or a policy if needed, then give the time. Nothing is scheduled
 * before {@link #now()}, {@link #after}, {@link #at} or {@link #repeat} is called. Immutable: every step returns a new
 * object.
 */
@CheckReturnValue
public interface ScheduleSpec extends Chainable {

    /** Maximum length of a key's text, in characters. */
    int MAX_KEY_LENGTH = 200;

    /**
     * Sets the key: at most one unfinished job has this handler name and key. An existing job with this name and key is
     * kept as it is.
     *
     * @param key any value whose {@code toString()} identifies the job, 1 to {@value #MAX_KEY_LENGTH} characters, no
     *     control characters
     */
    default ScheduleSpec key(Object key) {
        return key(key, OnExisting.KEEP);
    }

    /**
     * Sets the key like {@link #key(Object)}, and what happens if an unfinished job has that key. {@code REPLACE} and
     * {@code POSTPONE} cannot be combined with an {@linkplain #id id}.
     */
    ScheduleSpec key(Object key, OnExisting onExisting);

    /**
     * Sets the job's id, so that the call may be repeated, for example after a lost connection. If a job with this id
     * exists, in any state, nothing is written. {@link Scheduled} then has the outcome {@code KEPT} and the state of
     * that job. An ended job is found while the history keeps it.
     *
     * <p>The existing job must have the same name, key, arguments, schedule, retry policy, expiry, mutex, rate key,
     * labels and chain. Values that its row no longer has are not compared. Times and queues are not compared, because they
     * may have been changed since. Fair keys are not compared, because they only decide about turns. Without this method,
     * delayjob creates the id.
     *
     * <p>A job that {@linkplain #whenAllEnded waits for a group} may have an id, too. If another call uses that id
     * meanwhile, the job that waits is never written.
     *
     * <p>An id cannot be combined with {@link OnExisting#REPLACE} or {@link OnExisting#POSTPONE}, because the job with
     * that key would keep its own id, and a repeated call would not find it.
     *
     * @param id any UUID that no other job has; one of version 7 keeps the index of ids small
     * @throws IllegalArgumentException when the job store creates all ids itself, or when the call also states {@code
     *     REPLACE} or {@code POSTPONE}
     * @throws io.delayjob.job.JobIdTakenException from the step that gives the time, when the id belongs to a different
     *     job
     */
    ScheduleSpec id(JobId id);

    /**
     * Sets the job's queue, instead of the handler's queue. Instances that run jobs of that queue must have the
     * handler.
     */
    ScheduleSpec queue(String queue);

    /**
     * Sets the job's retry policy, instead of the handler's policy. It is stored with the job. The handler still
     * decides which exceptions are retried.
     */
    ScheduleSpec retry(RetryPolicy policy);

    /**
     * Sets the maximum time from the planned time of a run to the start of an attempt, instead of the handler's
     * maximum. A one-shot that could not start in time ends as {@link io.delayjob.job.JobState#CANCELLED}, with the
     * failure {@code Expired}. If the one-shot was claimed before, it ends as {@link io.delayjob.job.JobState#FAILED}.
     * A repeating job skips a run that could not start in time. If the run has failed attempts, it counts as failed. A
     * running attempt is not interrupted.
     *
     * <p>Retries and snoozes do not change the planned time, so they do not extend the maximum time.
     *
     * @param expiresAfter 1 ms or more
     */
    ScheduleSpec expiresAfter(Duration expiresAfter);

    /**
     * Sets the job's mutex, instead of the mutex that its handler states. No two jobs of a queue with the same mutex
     * run at a time, on any instance, whichever handlers they have. A job whose mutex is busy waits unclaimed. It takes
     * no slot, and delays no job with another mutex. Between two attempts, and while it awaits an answer, a job does
     * not hold its mutex.
     *
     * <p>In two cases, an attempt may still run when the next job of its mutex starts. Either it did not end at its
     * time-out, or its instance was silent for longer than the liveness period.
     *
     * @param mutex any value whose {@code toString()} identifies the thing that only one job at a time may use, such as
     *     {@code account-7}; 1 to {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters, no control characters
     */
    ScheduleSpec mutex(Object mutex);

    /**
     * Sets the key of the job's rate, instead of the key that its handler gives. The handler must have a rate for each
     * key ({@link io.delayjob.handler.Handler.Builder#rateBy}). A job that must wait for its rate waits unclaimed. It
     * takes no slot, and delays no job with another key. A job with a {@link #mutex} must have the same text as its
     * key.
     *
     * @param rateKey any value whose {@code toString()} identifies the thing that has a rate of its own, such as {@code
     *     customer-7}; 1 to {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters, no control characters
     */
    ScheduleSpec rateKey(Object rateKey);

    /**
     * Sets the job's fair key, such as its tenant, instead of the fair key that its handler states. Among due jobs of a
     * handler, the keys take turns: each key starts one job, then comes the next key. So a backlog of one tenant delays
     * no other tenant. Jobs of one key start roughly in the order in which they come due.
     *
     * @param fairKey any value whose {@code toString()} identifies the tenant, such as {@code tenant-7}; 1 to {@value
     *     io.delayjob.job.ClaimKeys#MAX_LENGTH} characters, no control characters
     */
    ScheduleSpec fairKey(Object fairKey);

    /**
     * Adds a label, which people can use to find the job: see {@link io.delayjob.store.JobQuery#label}. A job has up to
     * {@value io.delayjob.job.JobExtras#MAX_LABELS} labels. Labels have no index. To find one job, use a key.
     *
     * @param label 1 to {@value io.delayjob.job.JobExtras#MAX_LABEL_LENGTH} characters, no control characters, such as
     *     {@code customer:42}
     */
    ScheduleSpec label(String label);

    /**
     * Makes the job a member of a {@linkplain JobGroup group}, which exists from its first member on. The group counts
     * the job only if it is new: a job that is kept or postponed by its key stays as it is.
     *
     * @param name name of the group: 1 to {@value io.delayjob.job.GroupRef#MAX_NAME_LENGTH} characters, no control
     *     characters, such as {@code import-42}
     * @throws IllegalArgumentException when the job store has no groups, or the job replaces another by its key
     * @throws io.delayjob.job.GroupEndedException by the step that gives the time, when the group takes no member
     */
    ScheduleSpec group(String name);

    /**
     * Lets the job wait for a group, as {@link JobGroup#whenAllEnded(ScheduleSpec)} does, and closes the group.
     *
     * @return the id that the job will have
     */
    @CanIgnoreReturnValue
    JobId whenAllEnded(String group);

    /**
     * Lets the job wait for a failure in a group, as {@link JobGroup#whenAnyFails(ScheduleSpec)} does.
     *
     * @return the id that the job will have
     */
    @CanIgnoreReturnValue
    JobId whenAnyFails(String group);

    /** Makes the job due at once. */
    @CanIgnoreReturnValue
    Scheduled now();

    /**
     * Makes the job due after {@code delay}, counted from this call in store time. The delay must be zero or more, and
     * must end in the year 9999 at the latest.
     */
    @CanIgnoreReturnValue
    Scheduled after(Duration delay);

    /**
     * Makes the job due at {@code instant}, by the store's clock. An instant in the past makes the job due at once. The
     * latest year is 9999.
     */
    @CanIgnoreReturnValue
    Scheduled at(Instant instant);

    /** Makes the job repeat on this schedule. */
    @CanIgnoreReturnValue
    Scheduled repeat(Repeat schedule);
}
