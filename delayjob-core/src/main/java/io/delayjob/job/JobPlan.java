package io.delayjob.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The times of a job: its schedule and retry policy, and the run that it waits for or makes. All times are store time.
 * Immutable.
 *
 * @param schedule the text form of its {@link io.delayjob.schedule.Schedule}; {@code null} for a one-shot
 * @param retry the text form of its own {@link io.delayjob.schedule.RetryPolicy}; {@code null} if the handler's policy
 *     applies
 * @param scheduledAt time at which it was scheduled; offsets and calendar periods count from this time
 * @param run the number of this run, from 1
 * @param plannedAt planned time of this run, which retries do not change
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
     * Maximum time by which a job may be claimed before its due time. This time is short, because a claimed job can no
     * longer be cancelled. No running job is due later than this time from now.
     */
    public static final Duration LONGEST_CLAIM_LEAD = Duration.ofSeconds(1);

    /** Returns the plan of a one-shot with the handler's retry policy. */
    public static JobPlan once(Instant scheduledAt, Instant dueAt) {
        return new JobPlan(null, null, scheduledAt, 1, dueAt, dueAt);
    }

    /** Returns a copy of this plan with this text of a retry policy. */
    public JobPlan withRetry(@Nullable String newRetry) {
        return new JobPlan(schedule, newRetry, scheduledAt, run, plannedAt, dueAt);
    }

    /** Returns a copy of this plan with another run and its planned time. The due time stays. */
    public JobPlan atRun(int newRun, Instant newPlannedAt) {
        return new JobPlan(schedule, retry, scheduledAt, newRun, newPlannedAt, dueAt);
    }

    /** Returns a copy of this plan with another due time. The planned time stays. */
    public JobPlan due(Instant newDueAt) {
        return new JobPlan(schedule, retry, scheduledAt, run, plannedAt, newDueAt);
    }
}
