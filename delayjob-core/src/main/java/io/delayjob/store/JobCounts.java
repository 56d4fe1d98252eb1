package io.delayjob.store;

import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of jobs in each state. A store may stop counting at {@value #CAP} jobs; the number is then an estimate, or
 * a lower bound.
 *
 * @param byState a count for each state, 0 for those that are not stated, {@link JobState#READY} derived from the due time
 * @param atLeast the states whose counts are lower bounds
 * @param about the states whose counts are estimates of the database, from its latest statistics; all other
 *     counts are exact
 * @param oldestDue the due time of the waiting job that is overdue for longest, or of an awaited answer whose deadline
 *     has passed; {@code null} if there is neither
 */
public record JobCounts(
        Map<JobState, Long> byState,
        Set<JobState> atLeast,
        Set<JobState> about,
        @Nullable Instant oldestDue) {

    /** Maximum number of jobs that a store counts exactly. */
    public static final int CAP = 10_000;

    public JobCounts {
        Map<JobState, Long> all = new EnumMap<>(JobState.class);
        for (JobState state : JobState.values()) {
            all.put(state, byState.getOrDefault(state, 0L));
        }
        byState = Collections.unmodifiableMap(all);
        atLeast = Set.copyOf(atLeast);
        about = Set.copyOf(about);
    }

    /** Returns the number of jobs in this state; {@link #precision} tells how exact it is. */
    public long in(JobState state) {
        return Objects.requireNonNull(byState.get(state));
    }

    /** Tells how exact {@link #in} is. */
    public Precision precision(JobState state) {
        if (about.contains(state)) {
            return Precision.ABOUT;
        }
        return atLeast.contains(state) ? Precision.AT_LEAST : Precision.EXACT;
    }
}
