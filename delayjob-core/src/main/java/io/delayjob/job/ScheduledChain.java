package io.delayjob.job;

import java.util.List;

/**
 * The answer to a call that schedules a chain. Immutable.
 *
 * @param first the answer for the first job
 * @param followers ids of the jobs that follow, in their order. A job is found by its id once the job before it has
 *     ended. Empty if another job with the key of the first was {@linkplain Scheduled.Outcome#KEPT kept} or {@linkplain
 *     Scheduled.Outcome#POSTPONED postponed}, because that job keeps its own chain
 */
public record ScheduledChain(Scheduled first, List<JobId> followers) {

    public ScheduledChain {
        followers = List.copyOf(followers);
    }
}
