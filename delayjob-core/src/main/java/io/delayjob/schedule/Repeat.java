package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says how a job repeats. A factory method creates a repetition, and other methods set its limits.
 *
 * <pre>{@code
 * Repeat.offsets(ofHours(1), ofDays(1), ofDays(3))
 * Repeat.growing(ofSeconds(30), 2).upTo(ofHours(1)).times(20)
 * Repeat.every(Period.ofMonths(1)).zone(ZoneId.of("Europe/Berlin")).until(contractEnd)
 * Repeat.cron("0 0 3 * * *").zone(ZoneId.of("Europe/Berlin")).jitter(ofMinutes(5)).misfire(SKIP)
 * }</pre>
 *
 * <p>Gaps and periods count from the planned time of the previous run, not from its actual start or end.
 *
 * <p>Durations are whole milliseconds from 1 ms to 9,999 years. A method throws an {@link IllegalArgumentException} for
 * any other duration. Instances are immutable: methods return changed copies. If an option is set twice, the second
 * value replaces the first.
 */
public sealed class Repeat implements Schedule permits Repeat.Growing, Repeat.Zoned {

    private final Sequence sequence;
    private final String text;

    Repeat(Sequence sequence) {
        this.sequence = sequence;
        this.text = ScheduleText.format(sequence);
        if (text.length() > MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException("Invalid schedule (" + text.length()
                    + " characters as text): must be at most " + MAX_TEXT_LENGTH + "; state fewer gaps");
        }
    }

    private Repeat(Rule rule) {
        this(new Sequence(rule, Options.NONE));
    }

    /** Uses each gap once: {@code finite(1s, 2s, 5s)} runs after 1, 3 and 8 seconds. */
    public static Repeat finite(Duration first, Duration... more) {
        return new Repeat(Gaps.finite(Spans.list(first, more)));
    }

    /** Uses the gaps in an endless cycle: {@code infinite(1s, 5s)} runs after 1, 6, 7, 12, 13 seconds and so on. */
    public static Repeat infinite(Duration first, Duration... more) {
        return new Repeat(Gaps.endless(Spans.list(first, more)));
    }

    /**
     * Runs once at each offset, counted from the time at which the job was scheduled: {@code offsets(1h, 1d, 3d)}.
     * {@link #starting} can move run 1 to an instant. Then all later runs move by the same duration. A caller or a
     * handler can move a run beyond the next offset. Then the next run is planned 1 ms after the moved run.
     *
     * @param more the other offsets, strictly increasing
     */
    public static Repeat offsets(Duration first, Duration... more) {
        return new Repeat(Offsets.of(Spans.list(first, more)));
    }

    /**
     * Repeats for ever, with gaps that grow by a factor. The gaps of {@code growing(30s, 2)} are 30 s, 60 s, 120 s and
     * so on. So the job runs after 30 s, 90 s, 210 s and so on. {@link Growing#upTo} limits the gaps.
     *
     * @param factor the number by which each gap is multiplied to get the next gap; at least 1
     */
    public static Growing growing(Duration first, double factor) {
        return new Growing(
                new Growth(Spans.positive("first gap", first), Growth.checkFactor("factor", factor), Growth.NO_LIMIT));
    }

    /**
     * Repeats with this period, for ever. A day in this period always has 24 hours. For a period that follows the
     * calendar, use {@link #every(Period)}.
     */
    public static Repeat every(Duration period) {
        return new Repeat(Gaps.every(period));
    }

    /**
     * Repeats with a period of the calendar, for ever. The time zone is UTC unless {@link Zoned#zone} sets another
     * zone. The times of all runs are computed from the local time at which the job was scheduled. If an instant is set
     * with {@link #starting}, the times are computed from that instant. So one month after January 31 is the end of
     * February, and two months after January 31 is March 31. If the clock skips a local time, the run is later by the
     * length of the gap. If a local time occurs twice, the earlier time is used.
     */
    public static Zoned every(Period period) {
        return new Zoned(new CalendarPeriod(
                Stated.notNull(period, "period", "must be a period of the calendar, such as Period.ofMonths(1)"),
                ZoneOffset.UTC));
    }

    /**
     * Repeats at the times that match a cron expression. The time zone is UTC unless {@link Zoned#zone} sets another
     * zone. If an instant is set with {@link #starting}, the first run is at the first matching time at or after that
     * instant. The {@link CronParser} decides what happens if the clock skips a local time, or if a local time occurs
     * twice. With Spring, a local time that the clock skips possibly has no run. A local time that occurs twice has two
     * runs.
     *
     * @param expression an expression for the {@link CronParser} on the class path. With Spring, the expression has six
     *     fields, of which the first is the seconds
     * @throws IllegalArgumentException if the expression is not well formed
     * @throws IllegalStateException if there is no {@link CronParser} on the class path
     */
    public static Zoned cron(String expression) {
        return new Zoned(Cron.of(
                Stated.notNull(expression, "cron expression", "must be an expression, such as 0 0 3 * * *"),
                ZoneOffset.UTC));
    }

    /** Ends the sequence after this number of runs. The number is at least 1. Skipped runs are counted, too. */
    public final Repeat times(int times) {
        return with(sequence.options().withTimes(times));
    }

    /**
     * Ends the sequence at this instant, rounded down to milliseconds. The last run is planned at or before this
     * instant.
     */
    public final Repeat until(Instant until) {
        return with(sequence.options()
                .withUntil(Stated.notNull(until, "until", "must be an instant; leave it out for no end")));
    }

    /**
     * Adds a random time between zero and this duration to the planned time of each run. The random time does not move
     * later runs. The default is zero.
     */
    public final Repeat jitter(Duration jitter) {
        return with(sequence.options().withJitter(jitter));
    }

    /**
     * Sets the planned time of run 1, rounded up to milliseconds. By default, this time is one gap after the call that
     * schedules the job. If the instant is in the past, run 1 is due at once. If the runs come from a list of gaps, the
     * number of runs stays the same.
     */
    public final Repeat starting(Instant starting) {
        return with(sequence.options()
                .withStarting(Stated.notNull(
                        starting, "starting", "must be the instant of run 1; leave it out to count from the call")));
    }

    /**
     * Sets what happens to missed occurrences. The default is {@link MisfirePolicy#RUN_EACH} for a {@linkplain
     * #isFinite() finite} schedule, and {@link MisfirePolicy#RUN_ONCE} for any other schedule.
     */
    public final Repeat misfire(MisfirePolicy misfire) {
        return with(sequence.options()
                .withMisfire(Stated.notNull(
                        misfire,
                        "misfire policy",
                        "must be RUN_EACH, RUN_ONCE or SKIP; leave it out for the default")));
    }

    private Repeat with(Options options) {
        return new Repeat(new Sequence(sequence.rule(), options));
    }

    @Override
    public final Optional<Instant> first(Instant scheduledAt) {
        return instant(sequence.first(Timeline.ceil("scheduledAt", scheduledAt)));
    }

    @Override
    public final Optional<Instant> next(Instant scheduledAt, int run, Instant planned) {
        return instant(sequence.next(
                Timeline.ceil("scheduledAt", scheduledAt), counted(run), Timeline.ceil("planned", planned)));
    }

    @Override
    public final boolean allows(Instant planned) {
        return sequence.allows(Timeline.ceil("planned", planned));
    }

    @Override
    public final Misfire judge(Instant scheduledAt, int run, Instant planned, Instant now) {
        return sequence.judge(
                Timeline.ceil("scheduledAt", scheduledAt),
                counted(run),
                Timeline.ceil("planned", planned),
                Timeline.floor("now", now));
    }

    @Override
    public final Duration jitter() {
        return sequence.options().jitter();
    }

    @Override
    public final MisfirePolicy misfire() {
        return sequence.misfire();
    }

    @Override
    public final boolean isFinite() {
        return sequence.isFinite();
    }

    @Override
    public final String toText() {
        return text;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof Repeat repeat && text.equals(repeat.text);
    }

    @Override
    public final int hashCode() {
        return text.hashCode();
    }

    @Override
    public final String toString() {
        return text;
    }

    private static Optional<Instant> instant(long millis) {
        return millis == Timeline.NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    private static int counted(int run) {
        if (run < 1) {
            throw new IllegalArgumentException("Invalid run (" + run + "): runs are counted from 1");
        }
        return run;
    }

    /** A repetition with growing gaps; the gaps have no limit unless {@code upTo} is called next. */
    public static final class Growing extends Repeat {
        private final Growth growth;

        private Growing(Growth growth) {
            super(new GrowingGaps(growth));
            this.growth = growth;
        }

        /**
         * Sets the maximum gap, which must not be shorter than the first gap. After a gap has reached the maximum, all
         * further gaps have this length.
         */
        public Repeat upTo(Duration limit) {
            return new Repeat(
                    new GrowingGaps(new Growth(growth.first(), growth.factor(), Spans.positive("limit", limit))));
        }
    }

    /**
     * A repetition that follows the calendar or local time. The time zone is UTC unless {@code zone} is called next.
     */
    public static final class Zoned extends Repeat {
        private final Rule.Zoned rule;

        private Zoned(Rule.Zoned rule) {
            super(rule);
            this.rule = rule;
        }

        /** Sets the time zone of the repetition. */
        public Repeat zone(ZoneId zone) {
            return new Repeat(rule.in(Stated.notNull(
                    zone, "zone", "must be a zone, such as ZoneId.of(\"Europe/Berlin\"); leave it out for UTC")));
        }
    }
}
