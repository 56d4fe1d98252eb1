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
 * Numbers of jobs in each state. A store may stop counting at {@value #CAP} jobs. The number is then an estimate or a
 * lower bound.
 *
 * @param byState the number of jobs in each state; a missing state means 0. {@link JobState#READY} is derived from the
 *     due time
 * @param atLeast the states whose counts are lower bounds
 * @param about the states whose counts are estimates of the database, from its latest statistics; all other
 *     counts are exact
 * @param oldestDue the earliest due time of an overdue waiting job, or the earliest passed deadline of an awaited
 *     answer; {@code null} if there is neither
 * @param bytes size of the tables of jobs, their history and their attempts, with indexes, by the database's own
 *     statistics; {@code null} if the database does not tell this size
 */
public record JobCounts(
        Map<JobState, Long> byState,
        Set<JobState> atLeast,
        Set<JobState> about,
        @Nullable Instant oldestDue,
        @Nullable Long bytes) {

    /** Maximum number of jobs that a store counts exactly. */
    public static final int CAP = 10_000;

    /** Creates counts without the size of the tables. */
    public JobCounts(
            Map<JobState, Long> byState, Set<JobState> atLeast, Set<JobState> about, @Nullable Instant oldestDue) {
        this(byState, atLeast, about, oldestDue, null);
    }

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
