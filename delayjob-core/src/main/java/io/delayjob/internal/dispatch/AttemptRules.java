package io.delayjob.internal.dispatch;

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
 * The rules that hold for an attempt: the handler's, the job's own, and the defaults of the engine, in the order of
 * precedence.
 *
 * @param schedule the job's schedule, read; {@code null} for a one-shot
 * @param statedRetry the retry policy that the job or its handler states; {@code null}: neither does
 * @param defaultRetry the retry policy that holds unless one is stated
 * @param maxSnooze for how long after its planned time the run may be put off
 * @param timeout after which it is interrupted; {@code null}: never
 */
record AttemptRules(
        Handler handler,
        @Nullable Schedule schedule,
        @Nullable RetryPolicy statedRetry,
        RetryPolicy defaultRetry,
        Duration maxSnooze,
        @Nullable Duration timeout) {

    /** Differences of monotonic time express no more than 292 years; a time-out of ages is none. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

    /** @throws RuntimeException when the texts in the row cannot be read here */
    static AttemptRules of(Job job, Handler handler, AttemptDefaults defaults) {
        return new AttemptRules(
                handler,
                job.schedule() == null ? null : Schedule.parse(job.schedule()),
                job.retry() == null ? handler.retry() : RetryPolicy.parse(job.retry()),
                defaults.retry(),
                handler.maxSnooze() != null ? handler.maxSnooze() : defaults.maxSnooze(),
                handler.timeout() != null ? handler.timeout() : defaults.timeout());
    }

    /** The rules of a job whose texts cannot be read here: it is not to be retried. */
    static AttemptRules ofUnreadable(Handler handler, AttemptDefaults defaults) {
        return new AttemptRules(handler, null, null, defaults.retry(), defaults.maxSnooze(), null);
    }

    /** The retry policy that holds. */
    RetryPolicy retry() {
        return statedRetry != null ? statedRetry : defaultRetry;
    }

    /** Which exceptions count is the handler's choice, whosever the numbers are. */
    boolean mayRetry(Throwable thrown) {
        RetryPolicy ofHandler = handler.retry();
        return (ofHandler != null ? ofHandler : retry()).retries(thrown) && mayRetryFailed();
    }

    private boolean mayRetryFailed() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE || statedRetry != null;
    }

    /** The outcome, but a failure in place of a snooze that would put the run off for longer than it may be. */
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
                "run %d, planned for %s, asked to be put off by another %s; it may be put off for %s at most (maxSnooze)"
                        .formatted(job.run(), job.plannedAt(), snoozed.delay(), maxSnooze));
        return new JobOutcome.Failed(failure, mayRetryFailed());
    }

    /**
     * Whether this is a run's first attempt, which alone may come too late for it. Only a snooze makes a run due later
     * than it was planned for while none of its attempts has failed; the first may be so when the plan began before it
     * was made. One that ends within the jitter cannot be told from it: such a run is judged again, and may be merged
     * or skipped though an attempt was made of it, if it comes late by a whole occurrence.
     */
    boolean isFirstAttempt(Job job) {
        Duration jitter = schedule == null ? Duration.ZERO : schedule.jitter();
        boolean snoozed =
                job.dueAt().isAfter(job.plannedAt().plus(jitter)) && job.dueAt().isAfter(job.scheduledAt());
        return job.isFirstAttemptOfRun() && !snoozed;
    }

    /** Whether an attempt may follow one of which nobody knows whether it ended. */
    boolean mayRetryLost() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE;
    }

    /** Monotonic time of the time-out of an attempt that begins then; {@link Long#MAX_VALUE} if it has none. */
    long deadlineNanos(long startedNanos) {
        return timeout == null || timeout.compareTo(LONGEST_TIMEOUT) > 0
                ? Long.MAX_VALUE
                : startedNanos + timeout.toNanos();
    }
}
