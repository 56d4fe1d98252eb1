package io.delayjob.store;

import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs stand where.
 *
 * @param byState a count for each state, {@link JobState#READY} derived from the due time
 * @param oldestDue due time of the longest overdue waiting job; {@code null} when none is due
 */
public record JobCounts(
        Map<JobState, Long> byState, @Nullable Instant oldestDue) {

    public JobCounts {
        byState = Map.copyOf(byState);
    }

    /** The number of jobs in this state. */
    public long in(JobState state) {
        return byState.getOrDefault(state, 0L);
    }
}
