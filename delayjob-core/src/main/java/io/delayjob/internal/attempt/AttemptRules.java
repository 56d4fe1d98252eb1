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
 * Contains the rules of an attempt. The job's own rules come first, then the handler's, and then the defaults of the
 * engine.
 *
 * @param schedule the parsed schedule of the job; {@code null} if the job does not repeat
 * @param statedRetry retry policy of the job or of its handler; {@code null} if neither has one
 * @param defaultRetry retry policy of the engine, for the case that {@code statedRetry} is {@code null}
 * @param maxSnooze maximum delay by snoozes, counted from the planned time of the run
 * @param timeout time after which the attempt is interrupted; {@code null} if there is no timeout
 * @param expiresAfter maximum time from the planned time of a run to the start of an attempt; {@code null} if there is
 *     no limit
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
     * The longest possible timeout. A longer timeout counts as no timeout, because two monotonic times differ by at
     * most 292 years.
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

    /** Returns the rules for a job if this version cannot read its texts. Such a job is not retried. */
    static AttemptRules ofUnreadable(Handler handler, AttemptDefaults defaults) {
        return new AttemptRules(handler, null, null, defaults.retry(), defaults.maxSnooze(), null, null);
    }

    RetryPolicy retry() {
        return statedRetry != null ? statedRetry : defaultRetry;
    }

    /**
     * Tells whether there may be a retry after this exception. If the handler has a retry policy, this policy decides
     * which exceptions are retried, even if the number of retries comes from another policy.
     */
    boolean mayRetry(Throwable thrown) {
        RetryPolicy ofHandler = handler.retry();
        return (ofHandler != null ? ofHandler : retry()).retries(thrown) && mayRetryFailed();
    }

    private boolean mayRetryFailed() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE || statedRetry != null;
    }

    /**
     * Applies the handler's limits on retries and snoozes to an answer from outside.
     */
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
     * The misfire policy applies only to the first attempt of a run. If an earlier attempt has ended with a snooze, the
     * attempt is not treated as failed. Only the due time shows the snooze: the run is due later than planned. Without
     * a snooze, there are two possible reasons for a due time after the planned time. The run has a jitter, or the job
     * was scheduled after the planned time. A snooze that is shorter than the jitter is not noticed. In this case, the
     * misfire policy applies again. If the next run is due, too, the policy may merge or skip this run.
     */
    boolean isFirstAttempt(Job job) {
        Duration jitter = schedule == null ? Duration.ZERO : schedule.jitter();
        boolean snoozed =
                job.dueAt().isAfter(job.plannedAt().plus(jitter)) && job.dueAt().isAfter(job.scheduledAt());
        return job.isFirstAttemptOfRun() && !snoozed;
    }

    /**
     * Tells whether a run that was planned for this time may have expired, so that no attempt may start. The clock only
     * estimates store time, so the latest possible store time decides.
     */
    boolean mayHaveExpired(Instant plannedAt, EngineClock clock) {
        return expiresAfter != null
                && Duration.between(plannedAt, clock.latestStoreTime()).compareTo(expiresAfter) > 0;
    }

    /** Tells whether another attempt may follow a lost attempt, which may still be under way. */
    boolean mayRetryLost() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE;
    }

    long deadlineNanos(long startedNanos) {
        return timeout == null || timeout.compareTo(LONGEST_TIMEOUT) > 0
                ? Long.MAX_VALUE
                : startedNanos + timeout.toNanos();
    }
}
