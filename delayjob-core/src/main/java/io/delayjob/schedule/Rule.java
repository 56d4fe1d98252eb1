package io.delayjob.schedule;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * One kind of repetition, without its limits. Times are epoch milliseconds; an answer past the {@link Timeline} means
 * that there is no further occurrence.
 *
 * <p>Scheduling counts as run 0, planned at the origin: so {@code next(scheduledAt, 0, scheduledAt)} is run 1.
 */
sealed interface Rule permits Gaps, Offsets, GrowingGaps, Rule.Zoned {

    /**
     * The planned time of run {@code run + 1}, always later than {@code planned}.
     *
     * @param origin what the sequence is anchored to: the scheduling instant, or what {@link #origin} says
     */
    long next(long origin, int run, long planned);

    /** Run 1 where a start is stated: the start itself, unless the rule has times of its own. */
    default long firstFrom(long start) {
        return start;
    }

    /** What later runs are anchored to where a start is stated. */
    default long origin(long start) {
        return start;
    }

    /** How many runs the rule itself permits; {@link Integer#MAX_VALUE} if it is endless. */
    default int runs() {
        return Integer.MAX_VALUE;
    }

    /**
     * A pattern that repeats for ever after this run, if there is one, so that long outages are leapt over by division.
     */
    default @Nullable Stride strideAfter(int run) {
        return null;
    }

    /**
     * Number of runs in (planned, horizon], counted without looking at each, and how long they take. {@code null} if
     * there is none, or if the rule can only walk or has even strides.
     *
     * @param most maximum number of runs, at least 1
     */
    default @Nullable Stride strideTo(long origin, long planned, long horizon, int most) {
        return null;
    }

    /**
     * The latest occurrence in (planned, horizon], found without looking at the ones before; {@code planned} itself if
     * there is none, or if the rule can only walk.
     */
    default long latest(long planned, long horizon) {
        return planned;
    }

    /** The rule as text, for example {@code gaps:PT1S,PT5S*}. */
    String toText();

    /** From some run on, each {@code runs} further runs take exactly {@code millis}. */
    record Stride(int runs, long millis) {}

    /** A rule that reads a calendar or a clock on the wall, and so needs to know where. */
    sealed interface Zoned extends Rule permits CalendarPeriod, Cron {
        Zoned in(ZoneId zone);
    }
}
