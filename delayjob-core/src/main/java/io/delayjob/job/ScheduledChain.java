package io.delayjob.job;

import java.util.List;

/**
 * Result of a call that schedules a chain. Immutable.
 *
 * @param first the result for the first job
 * @param followers ids of the jobs that follow, in their order. Each of these jobs can be found by its id only after
 *     the job before it has ended. If an existing job with the same key was {@linkplain Scheduled.Outcome#KEPT kept} or
 *     {@linkplain Scheduled.Outcome#POSTPONED postponed}, the list is empty, because the existing job keeps its own
 *     chain
 */
public record ScheduledChain(Scheduled first, List<JobId> followers) {

    public ScheduledChain {
        followers = List.copyOf(followers);
    }
}
