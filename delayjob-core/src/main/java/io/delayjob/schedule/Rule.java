package io.delayjob.schedule;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * One kind of repetition, without its limits. All times are milliseconds since the epoch. If a result is beyond the
 * {@link Timeline}, there is no further occurrence.
 *
 * <p>The time of scheduling counts as run 0, so {@code next(scheduledAt, 0, scheduledAt)} is the time of run 1.
 */
sealed interface Rule permits Gaps, Offsets, GrowingGaps, Rule.Zoned {

    /**
     * The returned time is always later than {@code planned}.
     *
     * @param origin the time of scheduling; if a start is set, the time that {@link #origin} returned
     */
    long next(long origin, int run, long planned);

    /**
     * Returns the time of run 1, if a start is set. A cron expression has its own times, so run 1 may be later than the
     * start.
     */
    default long firstFrom(long start) {
        return start;
    }

    /**
     * Returns the time from which later runs are computed, if a start is set. For offsets, the returned time is the
     * start minus the first offset.
     */
    default long origin(long start) {
        return start;
    }

    /** {@link Integer#MAX_VALUE} means that the rule is endless. */
    default int runs() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the pattern that repeats for ever after this run, such as one run every 10 s; {@code null} if no pattern
     * repeats. One division by the length of the pattern skips most missed occurrences.
     */
    default @Nullable Stride strideAfter(int run) {
        return null;
    }

    /**
     * Counts the runs up to the horizon, without computing them one by one. Counts at most {@code most} runs. Returns
     * {@code null} if there are no such runs, or if the rule can compute runs only one by one.
     */
    default @Nullable Stride strideTo(long origin, long planned, long horizon, int most) {
        return null;
    }

    /**
     * Returns the latest occurrence up to the horizon. Returns {@code planned} if there is no such occurrence, or if
     * the rule can compute runs only one by one.
     */
    default long latest(long planned, long horizon) {
        return planned;
    }

    String toText();

    /** A number of runs, and the time that they take together. */
    record Stride(int runs, long millis) {}

    sealed interface Zoned extends Rule permits CalendarPeriod, Cron {
        Zoned in(ZoneId zone);
    }
}
