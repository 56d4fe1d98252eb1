package io.delayjob.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time of a job: its rules, and the run that follows from them. All times are store time. Immutable.
 *
 * @param schedule the readable text of its {@link io.delayjob.schedule.Schedule}; {@code null} for a one-shot
 * @param retry readable text of its own {@link io.delayjob.schedule.RetryPolicy}; {@code null} for the handler's
 * @param scheduledAt time at which it was scheduled: offsets and calendar periods count from here
 * @param run the number of this run, from 1
 * @param plannedAt planned time of this run; retries do not move it
 * @param dueAt due time of the next attempt, jitter and retry delay included
 */
public record JobPlan(
        @Nullable String schedule,
        @Nullable String retry,
        Instant scheduledAt,
        int run,
        Instant plannedAt,
        Instant dueAt) {

    /**
     * Maximum time before its due time at which a job is claimed. A claimed job can no longer be cancelled, so a longer
     * lead would in effect shift due times. No running job is due later than this from now.
     */
    public static final Duration LONGEST_CLAIM_LEAD = Duration.ofSeconds(1);

    /** Returns the plan of a one-shot with the handler's retry policy. */
    public static JobPlan once(Instant scheduledAt, Instant dueAt) {
        return new JobPlan(null, null, scheduledAt, 1, dueAt, dueAt);
    }

    /** Returns the same plan with this text of a retry policy. */
    public JobPlan withRetry(@Nullable String newRetry) {
        return new JobPlan(schedule, newRetry, scheduledAt, run, plannedAt, dueAt);
    }

    /** Returns the same plan at this run, planned for that time. Its due time stays. */
    public JobPlan atRun(int newRun, Instant newPlannedAt) {
        return new JobPlan(schedule, retry, scheduledAt, newRun, newPlannedAt, dueAt);
    }

    /** Returns the same plan with its next attempt due at that time. Its planned time stays. */
    public JobPlan due(Instant newDueAt) {
        return new JobPlan(schedule, retry, scheduledAt, run, plannedAt, newDueAt);
    }
}
