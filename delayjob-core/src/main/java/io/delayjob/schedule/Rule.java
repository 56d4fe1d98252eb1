package io.delayjob.schedule;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Describes one kind of repetition, without its limits. All times are milliseconds since the epoch. If a result is
 * beyond the {@link Timeline}, there is no further occurrence.
 *
 * <p>The time of scheduling counts as run 0, so {@code next(scheduledAt, 0, scheduledAt)} is the time of run 1.
 */
sealed interface Rule permits Gaps, Offsets, GrowingGaps, Rule.Zoned {

    /**
     * The returned time is always later than {@code planned}.
     *
     * @param origin the time of scheduling, or the result of {@link #origin} if a start is set
     */
    long next(long origin, int run, long planned);

    /**
     * Returns the time of run 1, if a start is set. Run 1 takes place at the start itself, unless the rule has its own
     * times, as a cron expression has.
     */
    default long firstFrom(long start) {
        return start;
    }

    /**
     * If a start is set, the runs after the first run are computed from the returned time. For example, a rule with
     * offsets returns the start minus the first offset.
     */
    default long origin(long start) {
        return start;
    }

    /** {@link Integer#MAX_VALUE} means that the rule is endless. */
    default int runs() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the pattern that repeats for ever after this run, such as one run every 10 s. After a long outage, one
     * division by the length of this pattern skips most missed occurrences. {@code null} means that there is no such
     * pattern.
     */
    default @Nullable Stride strideAfter(int run) {
        return null;
    }

    /**
     * Counts the runs after {@code planned} and up to the horizon, without computing each run. The result also contains
     * the time from {@code planned} to the last of these runs. The result is {@code null} if there are no runs up to
     * the horizon, or if the rule has constant strides (see {@link #strideAfter}). It is also {@code null} if the rule
     * must compute runs one by one.
     *
     * @param most maximum number of runs, at least 1
     */
    default @Nullable Stride strideTo(long origin, long planned, long horizon, int most) {
        return null;
    }

    /**
     * Returns the latest occurrence after {@code planned} and up to the horizon, without computing the earlier
     * occurrences. If there is no such occurrence, the result is {@code planned} itself. The result is the same if the
     * rule can compute runs only one by one.
     */
    default long latest(long planned, long horizon) {
        return planned;
    }

    String toText();

    /** Contains a number of runs, and the time that they take together. */
    record Stride(int runs, long millis) {}

    /** A rule that needs a time zone, because it follows a calendar or local time. */
    sealed interface Zoned extends Rule permits CalendarPeriod, Cron {
        Zoned in(ZoneId zone);
    }
}
