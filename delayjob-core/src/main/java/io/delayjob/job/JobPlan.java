package io.delayjob.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The times of a job: its schedule, its retry policy and its present run. All times are store times. Immutable.
 *
 * @param schedule text form of the job's {@link io.delayjob.schedule.Schedule}; {@code null} if the job has no schedule
 * @param retry text form of the job's own {@link io.delayjob.schedule.RetryPolicy}; {@code null} if the handler's
 *     policy applies
 * @param scheduledAt when the job was scheduled; offsets and calendar periods count from this time
 * @param run the number of this run, from 1
 * @param plannedAt planned time of this run; a retry does not change this time
 * @param dueAt due time of the next attempt, with jitter and retry delay
 */
public record JobPlan(
        @Nullable String schedule,
        @Nullable String retry,
        Instant scheduledAt,
        int run,
        Instant plannedAt,
        Instant dueAt) {

    /**
     * Maximum time from the claim of a job to its due time. So the due time of a running job is at most this far in the
     * future. The maximum is short, because a claimed job can no longer be cancelled.
     */
    public static final Duration LONGEST_CLAIM_LEAD = Duration.ofSeconds(1);

    /** Returns the plan of a job that does not repeat and uses the handler's retry policy. */
    public static JobPlan once(Instant scheduledAt, Instant dueAt) {
        return new JobPlan(null, null, scheduledAt, 1, dueAt, dueAt);
    }

    /** Returns a copy with another retry policy, which is given in its text form. */
    public JobPlan withRetry(@Nullable String newRetry) {
        return new JobPlan(schedule, newRetry, scheduledAt, run, plannedAt, dueAt);
    }

    /** Returns a copy with another run and its planned time. The due time does not change. */
    public JobPlan atRun(int newRun, Instant newPlannedAt) {
        return new JobPlan(schedule, retry, scheduledAt, newRun, newPlannedAt, dueAt);
    }

    /** Returns a copy with another due time. The planned time does not change. */
    public JobPlan due(Instant newDueAt) {
        return new JobPlan(schedule, retry, scheduledAt, run, plannedAt, newDueAt);
    }
}
