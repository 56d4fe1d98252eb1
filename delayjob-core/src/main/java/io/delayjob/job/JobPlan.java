package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job runs: its rules, and the run that they have come to. All times are store time. Immutable.
 *
 * @param schedule the readable text of its {@link io.delayjob.schedule.Schedule}; {@code null} for a one-shot
 * @param retry the readable text of its own {@link io.delayjob.schedule.RetryPolicy}; {@code null}: the handler's
 * @param scheduledAt when it was scheduled: offsets and calendar periods count from here
 * @param run the number of this run, from 1
 * @param plannedAt when this run was planned for; retries do not move it
 * @param dueAt when the next attempt is due, jitter and retry delay included
 */
public record JobPlan(
        @Nullable String schedule,
        @Nullable String retry,
        Instant scheduledAt,
        int run,
        Instant plannedAt,
        Instant dueAt) {

    /** A one-shot with the handler's retry policy. */
    public static JobPlan once(Instant scheduledAt, Instant dueAt) {
        return new JobPlan(null, null, scheduledAt, 1, dueAt, dueAt);
    }

    /** The same with this text of a retry policy. */
    public JobPlan withRetry(@Nullable String newRetry) {
        return new JobPlan(schedule, newRetry, scheduledAt, run, plannedAt, dueAt);
    }

    /** The same at this run, which was planned for then; its due time stays. */
    public JobPlan atRun(int newRun, Instant newPlannedAt) {
        return new JobPlan(schedule, retry, scheduledAt, newRun, newPlannedAt, dueAt);
    }

    /** The same with its next attempt due then; its planned time stays. */
    public JobPlan due(Instant newDueAt) {
        return new JobPlan(schedule, retry, scheduledAt, run, plannedAt, newDueAt);
    }
}
