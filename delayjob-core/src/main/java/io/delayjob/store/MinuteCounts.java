package io.delayjob.store;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Contains the results of a handler's attempts within a minute or a longer span of time. Immutable.
 *
 * @param starts number of calls to the handler
 * @param succeeded number of attempts in which the handler returned without an exception
 * @param retried number of failed attempts that did not end their job
 * @param failed number of jobs that ended as FAILED
 * @param runTime sum of the run times of ended attempts; stores keep whole microseconds
 * @param late the number of starts in each range of lateness, in the order of the {@link #BOUNDS}. The last number
 *     counts the starts whose lateness exceeds all bounds
 */
public record MinuteCounts(long starts, long succeeded, long retried, long failed, Duration runTime, List<Long> late) {

    /** Inclusive upper bounds of the ranges of lateness. */
    public static final List<Duration> BOUNDS = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1));

    /** Number of elements in {@link #late}. */
    public static final int LATE_SIZE = BOUNDS.size() + 1;

    /** Counts that are all zero. */
    public static final MinuteCounts NONE =
            new MinuteCounts(0, 0, 0, 0, Duration.ZERO, Collections.nCopies(LATE_SIZE, 0L));

    public MinuteCounts {
        late = List.copyOf(late);
        if (late.size() != LATE_SIZE) {
            throw new IllegalArgumentException(
                    "Invalid histogram of lateness with %d numbers: must have %d, one for each bound in MinuteCounts.BOUNDS and one above the last bound."
                            .formatted(late.size(), LATE_SIZE));
        }
    }

    /**
     * Returns an index into the list {@link #late}. The element at this index counts the starts with the given
     * lateness.
     */
    public static int lateIndex(Duration lateness) {
        // As a long, a number of nanoseconds would overflow after some centuries.
        int found = Collections.binarySearch(BOUNDS, lateness);
        return found < 0 ? -found - 1 : found;
    }

    /** Returns the number of attempts that ended. */
    public long ended() {
        return succeeded + retried + failed;
    }

    /** Returns the sums of these counts and the given counts. */
    public MinuteCounts plus(MinuteCounts other) {
        return new MinuteCounts(
                starts + other.starts,
                succeeded + other.succeeded,
                retried + other.retried,
                failed + other.failed,
                runTime.plus(other.runTime),
                IntStream.range(0, LATE_SIZE)
                        .mapToObj(index -> late.get(index) + other.late.get(index))
                        .toList());
    }
}
