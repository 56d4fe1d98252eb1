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
 * Contains the numbers of jobs in each state. A store may stop counting at {@value #CAP} jobs. In this case, the number
 * is an estimate or a lower bound.
 *
 * @param byState the number of jobs in each state; a missing state means 0. A waiting job that is due counts as {@link
 *     JobState#READY}
 * @param atLeast the states for which {@code byState} contains a lower bound
 * @param about the states for which {@code byState} contains an estimate
 * @param oldestDue the earliest due time of all waiting rows that are due; {@code null} if none is due. If a row awaits
 *     an answer, its due time is the deadline of the answer
 * @param bytes total size of the tables for jobs, history and attempts, with their indexes; {@code null} if unknown
 */
public record JobCounts(
        Map<JobState, Long> byState,
        Set<JobState> atLeast,
        Set<JobState> about,
        @Nullable Instant oldestDue,
        @Nullable Long bytes) {

    /** Maximum number of jobs that a store counts exactly. */
    public static final int CAP = 10_000;

    /** Creates an object for a database that does not state the size of its tables. */
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

    /** Returns the number of jobs in this state. */
    public long in(JobState state) {
        return Objects.requireNonNull(byState.get(state));
    }

    /** Tells whether the number from the method {@link #in} is exact, a lower bound or an estimate. */
    public Precision precision(JobState state) {
        if (about.contains(state)) {
            return Precision.ABOUT;
        }
        return atLeast.contains(state) ? Precision.AT_LEAST : Precision.EXACT;
    }
}
