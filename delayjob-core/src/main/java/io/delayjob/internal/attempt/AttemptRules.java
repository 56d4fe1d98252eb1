package io.delayjob.internal.attempt;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The job's own rules come first, then the handler's, and then the defaults of the engine.
 *
 * @param schedule {@code null} if the job does not repeat
 * @param statedRetry retry policy of the job or of its handler; {@code null} if neither has one
 * @param maxSnooze maximum time from the planned time of the run to the end of a snooze
 * @param timeout {@code null} if there is no timeout
 * @param expiresAfter maximum time from the planned time to the start of an attempt; {@code null} if there is no limit
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
     * A longer timeout is treated as no timeout, because monotonic times cannot be compared over more than 292 years.
     */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

    /** @throws RuntimeException if this version cannot read a text of the row, such as the schedule */
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

    static AttemptRules ofUnreadable(Handler handler, AttemptDefaults defaults) {
        return new AttemptRules(handler, null, null, defaults.retry(), defaults.maxSnooze(), null, null);
    }

    RetryPolicy retry() {
        return statedRetry != null ? statedRetry : defaultRetry;
    }

    /**
     * A retry policy of the handler decides which exceptions are retried, even if the number of retries comes from
     * another policy.
     */
    boolean mayRetry(Throwable thrown) {
        RetryPolicy ofHandler = handler.retry();
        return (ofHandler != null ? ofHandler : retry()).retries(thrown) && mayRetryFailed();
    }

    private boolean mayRetryFailed() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE || statedRetry != null;
    }

    JobOutcome answered(JobOutcome outcome, Job job, Instant now) {
        return outcome instanceof JobOutcome.Failed failed && failed.retriable() && !mayRetryFailed()
                ? new JobOutcome.Failed(failed.failure(), false)
                : bounded(outcome, job, now);
    }

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
     * The misfire policy applies only to the first attempt of a run, and an attempt after a snooze is not the first.
     * This method detects a snooze only by a due time that is later than the planned time plus jitter. After a snooze
     * shorter than the jitter, the misfire policy therefore applies again.
     */
    boolean isFirstAttempt(Job job) {
        Duration jitter = schedule == null ? Duration.ZERO : schedule.jitter();
        boolean snoozed =
                job.dueAt().isAfter(job.plannedAt().plus(jitter)) && job.dueAt().isAfter(job.scheduledAt());
        return job.isFirstAttemptOfRun() && !snoozed;
    }

    /** The clock only estimates store time, so this method uses the latest possible store time. */
    boolean mayHaveExpired(Instant plannedAt, EngineClock clock) {
        return expiresAfter != null
                && Duration.between(plannedAt, clock.latestStoreTime()).compareTo(expiresAfter) > 0;
    }

    boolean mayRetryLost() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE;
    }

    long deadlineNanos(long startedNanos) {
        return timeout == null || timeout.compareTo(LONGEST_TIMEOUT) > 0
                ? Long.MAX_VALUE
                : startedNanos + timeout.toNanos();
    }
}
