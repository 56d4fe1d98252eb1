package io.delayjob.store;

import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Number of jobs in each state. A store may stop counting at {@value #CAP} jobs; the number is then a lower bound.
 *
 * @param byState a count for each state, {@link JobState#READY} derived from the due time
 * @param atLeast the states whose counts are lower bounds; all others are exact
 * @param oldestDue due time of the longest overdue waiting job; {@code null} when none is due
 */
public record JobCounts(
        Map<JobState, Long> byState,
        Set<JobState> atLeast,
        @Nullable Instant oldestDue) {

    /** Maximum number of jobs that a store counts exactly. */
    public static final int CAP = 10_000;

    public JobCounts {
        byState = Map.copyOf(byState);
        atLeast = Set.copyOf(atLeast);
    }

    /** The number of jobs in this state, or a lower bound of it; see {@link #isExact}. */
    public long in(JobState state) {
        return byState.getOrDefault(state, 0L);
    }

    /** Whether {@link #in} is the exact number; otherwise there may be more. */
    public boolean isExact(JobState state) {
        return !atLeast.contains(state);
    }
}
