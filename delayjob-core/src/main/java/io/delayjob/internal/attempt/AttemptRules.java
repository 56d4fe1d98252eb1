package io.delayjob.internal.attempt;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rules of an attempt. The handler's rules come first, then the job's own, then the defaults of the engine.
 *
 * @param schedule the parsed schedule of the job; {@code null} for a one-shot
 * @param statedRetry retry policy that the job or its handler states; {@code null} if neither states one
 * @param defaultRetry retry policy if none is stated
 * @param maxSnooze maximum time that the run may be put off after its planned time
 * @param timeout time after which the attempt is interrupted; {@code null} for never
 * @param expiresAfter maximum time from the planned time of a run to the start of an attempt; {@code null} for no limit
 */
record AttemptRules(
        Handler handler,
        @Nullable Schedule schedule,
        @Nullable RetryPolicy statedRetry,
        RetryPolicy defaultRetry,
        Duration maxSnooze,
        @Nullable Duration timeout,
        @Nullable Duration expiresAfter) {

    /**
     * Maximum time-out. Differences of monotonic time express at most 292 years, so a longer time-out counts as none.
     */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

    /** @throws RuntimeException if the texts in the row cannot be read here */
    static AttemptRules of(Job job, Handler handler, AttemptDefaults defaults) {
        Duration ownExpiry = job.extras().expiresAfter();
        return new AttemptRules(
                handler,
                job.schedule() == null ? null : Schedule.parse(job.schedule()),
                job.retry() == null ? handler.retry() : RetryPolicy.parse(job.retry()),
                defaults.retry(),
                handler.maxSnooze() != null ? handler.maxSnooze() : defaults.maxSnooze(),
                handler.timeout() != null ? handler.timeout() : defaults.timeout(),
                ownExpiry != null ? ownExpiry : handler.expiresAfter());
    }

    /** Returns the rules of a job whose texts cannot be read here. Such a job is not retried. */
    static AttemptRules ofUnreadable(Handler handler, AttemptDefaults defaults) {
        return new AttemptRules(handler, null, null, defaults.retry(), defaults.maxSnooze(), null, null);
    }

    /** Returns the retry policy of the attempt. */
    RetryPolicy retry() {
        return statedRetry != null ? statedRetry : defaultRetry;
    }

    /**
     * Tells whether this exception may be retried. The handler chooses these exceptions, even if another policy gives
     * the numbers.
     */
    boolean mayRetry(Throwable thrown) {
        RetryPolicy ofHandler = handler.retry();
        return (ofHandler != null ? ofHandler : retry()).retries(thrown) && mayRetryFailed();
    }

    private boolean mayRetryFailed() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE || statedRetry != null;
    }

    /**
     * Returns the outcome of an answer from outside. The job is retried and snoozed no longer than the handler allows.
     */
    JobOutcome answered(JobOutcome outcome, Job job, Instant now) {
        return outcome instanceof JobOutcome.Failed failed && failed.retriable() && !mayRetryFailed()
                ? new JobOutcome.Failed(failed.failure(), false)
                : bounded(outcome, job, now);
    }

    /** Returns the outcome. A snooze that would put the run off for too long becomes a failure. */
    JobOutcome bounded(JobOutcome outcome, Job job, Instant now) {
        if (!(outcome instanceof JobOutcome.Snoozed snoozed)) {
            return outcome;
        }
        Duration left = maxSnooze.minus(Duration.between(job.plannedAt(), now));
        if (snoozed.delay().compareTo(left) <= 0) {
            return outcome;
        }
        Failure failure = Failure.of(
                "SnoozedTooLong",
                "run %d, planned for %s, asked for a further delay of %s; a run may be delayed by at most %s in total (maxSnooze)"
                        .formatted(job.run(), job.plannedAt(), snoozed.delay(), maxSnooze));
        return new JobOutcome.Failed(failure, mayRetryFailed());
    }

    /**
     * Tells whether this is a run's first attempt. Only a first attempt may come too late for its run. Before any
     * failure, only a snooze makes a run due later than planned. There is one exception: the plan may begin before the
     * job was made, so its first attempt may also be due later. A snooze that ends within the jitter looks like a first
     * attempt. The misfire policy applies to such a run again, and may merge or skip it if it is late by a whole
     * occurrence.
     */
    boolean isFirstAttempt(Job job) {
        Duration jitter = schedule == null ? Duration.ZERO : schedule.jitter();
        boolean snoozed =
                job.dueAt().isAfter(job.plannedAt().plus(jitter)) && job.dueAt().isAfter(job.scheduledAt());
        return job.isFirstAttemptOfRun() && !snoozed;
    }

    /** Tells whether no attempt of a run that was planned for that time may start any more. */
    boolean isExpired(Instant plannedAt, Instant now) {
        return expiresAfter != null && Duration.between(plannedAt, now).compareTo(expiresAfter) > 0;
    }

    /** Tells whether an attempt may follow a lost attempt. It is unknown whether the lost attempt has ended. */
    boolean mayRetryLost() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE;
    }

    /** Returns the monotonic time at which an attempt that begins then times out; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos(long startedNanos) {
        return timeout == null || timeout.compareTo(LONGEST_TIMEOUT) > 0
                ? Long.MAX_VALUE
                : startedNanos + timeout.toNanos();
    }
}
