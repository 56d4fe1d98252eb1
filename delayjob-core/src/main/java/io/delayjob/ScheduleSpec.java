package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * The last step of a call that schedules a job. If needed, set a key, a queue or a policy, then state the time. Nothing
 * is scheduled before {@link #now()}, {@link #after}, {@link #at} or {@link #repeat} is called. Immutable: every step
 * returns a new object.
 */
@CheckReturnValue
public interface ScheduleSpec extends Chainable {

    /** Maximum length of a key's text, in characters. */
    int MAX_KEY_LENGTH = 200;

    /**
     * Sets the key: at most one unfinished job has this handler name and key. An existing job with this name and key is
     * kept as it is.
     *
     * @param key any value. Its {@code toString()} identifies the job, and has 1 to {@value #MAX_KEY_LENGTH} characters
     *     and no control characters
     */
    default ScheduleSpec key(Object key) {
        return key(key, OnExisting.KEEP);
    }

    /**
     * Sets the key like {@link #key(Object)}, and states what happens if an unfinished job has that key.
     * {@code REPLACE} and {@code POSTPONE} cannot be combined with an {@linkplain #id id}.
     */
    ScheduleSpec key(Object key, OnExisting onExisting);

    /**
     * Sets the job's id, so that a caller may repeat the call, for example after a lost connection. If a job with this
     * id exists, in any state, nothing is written. The {@linkplain Scheduled result} of the call then has the outcome
     * {@code KEPT} and the state of the existing job. A job that has ended is found as long as the history keeps it.
     *
     * <p>The existing job must have the same name, key, arguments, schedule, retry policy, expiry, mutex, rate key,
     * labels and chain. If the row of the existing job no longer has one of these values, that value is not compared.
     * Times and queues are not compared, because they may have changed since the first call. Fair keys are not
     * compared, because they only decide the order in which jobs start. If this method is not called, delayjob creates
     * the id.
     *
     * <p>A job that {@linkplain #whenAllEnded waits for a group} may have an id, too. If another call uses the same id
     * before the group ends, the waiting job is never written.
     *
     * <p>A job store on several slots of Redis gives another id to a job with a key. The store derives this other id
     * from the given id, the name and the key. The result of the call contains the derived id. A repeated call with the
     * same three values finds the job.
     *
     * <p>An id cannot be combined with {@link OnExisting#REPLACE} or {@link OnExisting#POSTPONE}. With these policies,
     * an existing job with the same key would keep its own id.
     *
     * @param id any UUID that no other job has; ids of UUID version 7 keep the database index of the ids small
     * @throws IllegalArgumentException when the job store creates all ids itself, or when the call also states
     *     {@code REPLACE} or {@code POSTPONE}
     * @throws io.delayjob.job.JobIdTakenException when the id belongs to a different job; the step that gives the time
     *     throws this exception
     */
    ScheduleSpec id(JobId id);

    /**
     * Sets the job's queue, instead of the handler's queue. Instances that run jobs of that queue must have the
     * handler.
     */
    ScheduleSpec queue(String queue);

    /**
     * Sets the job's retry policy, instead of the handler's policy. The store keeps this policy with the job. The
     * handler still decides which exceptions are retried.
     */
    ScheduleSpec retry(RetryPolicy policy);

    /**
     * Sets the maximum time from the planned time of a run to the start of an attempt, instead of the handler's
     * maximum. If an attempt could not start in time and the job does not repeat, the job ends as {@link
     * io.delayjob.job.JobState#CANCELLED}, with the failure {@code Expired}. But if the job was already claimed
     * earlier, for example before a snooze, it ends as {@link io.delayjob.job.JobState#FAILED}. A repeating job skips
     * each run that could not start in time. If the skipped run already has failed attempts, the run counts as failed.
     * A running attempt is not interrupted.
     *
     * <p>Retries and snoozes do not change the planned time, so they do not extend the maximum time.
     *
     * @param expiresAfter 1 ms or more
     */
    ScheduleSpec expiresAfter(Duration expiresAfter);

    /**
     * Sets the job's mutex, instead of the mutex that its handler states. If two jobs of a queue have the same mutex,
     * they never run at the same time. This is also true on different instances, and for different handlers. If the
     * mutex of a job is busy, the job waits in the store. The waiting job takes no slot, and does not delay a job with
     * another mutex. A job does not hold its mutex between two attempts, or while it awaits an answer.
     *
     * <p>An attempt may still run when the next job of its mutex starts, but only in two cases. In the first case, the
     * attempt has not ended at its timeout. In the second case, the instance of the attempt has been silent for longer
     * than the liveness period.
     *
     * @param mutex any value, such as {@code account-7}. Its {@code toString()} identifies a thing that only one job at
     *     a time may use. The text has 1 to {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters and no control
     *     characters
     */
    ScheduleSpec mutex(Object mutex);

    /**
     * Sets the job's rate key, instead of the key that its handler gives. The handler must have a rate for each key
     * ({@link io.delayjob.handler.Handler.Builder#rateBy}). If the rate of a key is used up, its jobs wait in the
     * store. A waiting job takes no slot, and does not delay a job with another key. If a job has a {@link #mutex} and
     * a rate key, both must have the same text.
     *
     * @param rateKey any value. Its {@code toString()} identifies the thing that has its own rate, such as {@code
     *     customer-7}; 1 to {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters, no control characters
     */
    ScheduleSpec rateKey(Object rateKey);

    /**
     * Sets the job's fair key, for example the tenant of the job. This key replaces the fair key that the handler
     * states. The keys of a handler's due jobs take turns: one job of each key starts before the second job of any key
     * does. Therefore many jobs of one tenant do not delay the jobs of another tenant. Jobs with the same key start
     * roughly in the order of their due times.
     *
     * @param fairKey any value, such as {@code tenant-7}. Its {@code toString()} identifies the tenant. The text has 1
     *     to {@value io.delayjob.job.ClaimKeys#MAX_LENGTH} characters and no control characters
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
     * Makes the job a member of a {@linkplain JobGroup group}; the group exists as soon as it has a member. If this
     * call writes a new job, the group counts the new job. If the call keeps or postpones an existing job with the same
     * key instead, the group of the existing job does not change.
     *
     * @param name the name of the group: 1 to {@value io.delayjob.job.GroupRef#MAX_NAME_LENGTH} characters, no control
     *     characters, such as {@code import-42}
     * @throws IllegalArgumentException when the job store keeps no groups, or when the job replaces another job by its
     *     key
     * @throws io.delayjob.job.GroupEndedException when the group accepts no more members; the step that gives the time
     *     throws this exception
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
