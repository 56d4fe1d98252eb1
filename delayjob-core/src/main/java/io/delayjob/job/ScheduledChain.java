package io.delayjob.job;

import java.util.List;

/**
 * Result of a call that schedules a chain. Immutable.
 *
 * @param first the result for the first job
 * @param followers ids of the jobs that follow, in their order. Such a job cannot be found by its id until the job
 *     before it has ended. The list is empty if an existing job with the same key was {@linkplain
 *     Scheduled.Outcome#KEPT kept} or {@linkplain Scheduled.Outcome#POSTPONED postponed}, because that job keeps its
 *     own chain
 */
public record ScheduledChain(Scheduled first, List<JobId> followers) {

    public ScheduledChain {
        followers = List.copyOf(followers);
    }
}
