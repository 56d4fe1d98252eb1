package io.delayjob.job;

import java.util.List;

/**
 * Result of a call that schedules a chain. Immutable.
 *
 * @param followers the ids of the jobs that follow, in order. Queries find each of these jobs only after the previous
 *     job has ended. If an existing job was {@linkplain Scheduled.Outcome#KEPT kept} or {@linkplain
 *     Scheduled.Outcome#POSTPONED postponed}, the list is empty
 */
public record ScheduledChain(Scheduled first, List<JobId> followers) {

    public ScheduledChain {
        followers = List.copyOf(followers);
    }
}
