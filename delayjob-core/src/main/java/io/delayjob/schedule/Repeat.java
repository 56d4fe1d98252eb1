package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a job repeats: a kind, made by one of the factory methods, and what limits it.
 *
 * <pre>{@code
 * Repeat.offsets(ofHours(1), ofDays(1), ofDays(3))
 * Repeat.growing(ofSeconds(30), 2).upTo(ofHours(1)).times(20)
 * Repeat.every(Period.ofMonths(1)).zone(ZoneId.of("Europe/Berlin")).until(contractEnd)
 * Repeat.cron("0 0 3 * * *").zone(ZoneId.of("Europe/Berlin")).jitter(ofMinutes(5)).misfire(SKIP)
 * }</pre>
 *
 * <p>Gaps and periods count from the planned time of the run before, however late it ran and however long it took.
 * Without {@link #starting} the first run comes one gap, offset or period after the job was scheduled, or at a cron
 * expression's next match.
 *
 * <p>Durations are whole milliseconds from 1 ms to 9,999 years. Every method that takes one refuses others with an
 * {@link IllegalArgumentException}. Instances are immutable; methods answer with changed copies, and stating something
 * again replaces it.
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

    /** As many runs as there are gaps, each gap once: {@code finite(1s, 2s, 5s)} runs after 1, 3 and 8 seconds. */
    public static Repeat finite(Duration first, Duration... more) {
        return new Repeat(Gaps.finite(Spans.list(first, more)));
    }

    /** The gaps one after the other, round and round: {@code infinite(1s, 5s)} runs after 1, 6, 7, 12, 13 seconds. */
    public static Repeat infinite(Duration first, Duration... more) {
        return new Repeat(Gaps.endless(Spans.list(first, more)));
    }

    /**
     * As many runs as there are offsets, each that long after the job was scheduled: {@code offsets(1h, 1d, 3d)}. With
     * {@link #starting}, the first run is at that instant and the others keep their distances from it. A run that was
     * moved past the following offset makes that one due 1 ms after itself.
     *
     * @param more strictly growing
     */
    public static Repeat offsets(Duration first, Duration... more) {
        return new Repeat(Offsets.of(Spans.list(first, more)));
    }

    /**
     * Gaps that grow by a factor, for ever: {@code growing(30s, 2)} runs after 30 s, 90 s, 210 s. Usually limited with
     * {@link Growing#upTo}.
     *
     * @param factor at least 1
     */
    public static Growing growing(Duration first, double factor) {
        return new Growing(
                new Growth(Spans.positive("first gap", first), Growth.checkFactor("factor", factor), Growth.NO_LIMIT));
    }

    /** Every so often, for ever. A day is 24 hours here; {@link #every(Period)} follows the calendar. */
    public static Repeat every(Duration period) {
        return new Repeat(Gaps.every(period));
    }

    /**
     * A period of the calendar, for ever, in UTC unless {@link Zoned#zone} says otherwise. Every run is counted from
     * the local date and time of the first planning (or of {@link #starting}): a month after January 31 is the end of
     * February, two months after it is March 31. A local time that the clock skips is moved forward by as much as the
     * clock is; one that it shows twice means the earlier, as {@link java.time.ZonedDateTime} has it.
     */
    public static Zoned every(Period period) {
        return new Zoned(new CalendarPeriod(
                Stated.notNull(period, "period", "must be a period of the calendar, such as Period.ofMonths(1)"),
                ZoneOffset.UTC));
    }

    /**
     * The matches of a cron expression, in UTC unless {@link Zoned#zone} says otherwise: the default zone of the JVM
     * may differ between instances. With {@link #starting}, the first match at or after that instant comes first.
     *
     * @param expression in the dialect of the {@link CronParser} on the class path; Spring's has six fields, beginning
     *     with seconds
     * @throws IllegalArgumentException if the expression is not well formed
     * @throws IllegalStateException if there is no {@link CronParser} on the class path
     */
    public static Zoned cron(String expression) {
        return new Zoned(Cron.of(
                Stated.notNull(expression, "cron expression", "must be an expression, such as 0 0 3 * * *"),
                ZoneOffset.UTC));
    }

    /** Ends the sequence after this many runs, skipped ones included; at least 1. */
    public final Repeat times(int times) {
        return with(sequence.options().withTimes(times));
    }

    /** Ends the sequence: the last run is planned at this instant or before, rounded down to milliseconds. */
    public final Repeat until(Instant until) {
        return with(sequence.options()
                .withUntil(Stated.notNull(until, "until", "must be an instant; leave it out for no end")));
    }

    /**
     * Adds a random time between zero and this to each planned time, drawn anew for each run. Later runs are planned as
     * if there were none. Default: zero.
     */
    public final Repeat jitter(Duration jitter) {
        return with(sequence.options().withJitter(jitter));
    }

    /**
     * Plans run 1 at this instant, rounded up to milliseconds, instead of a gap after the job was scheduled; the number
     * of runs stays as it is. An instant in the past is due at once.
     */
    public final Repeat starting(Instant starting) {
        return with(sequence.options()
                .withStarting(Stated.notNull(
                        starting, "starting", "must be the instant of run 1; leave it out to count from the call")));
    }

    /**
     * What becomes of missed occurrences. Default: {@link MisfirePolicy#RUN_EACH} if the schedule is
     * {@linkplain #isFinite() finite}, else {@link MisfirePolicy#RUN_ONCE}.
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

    /** Gaps that grow for ever, unless they are limited next. */
    public static final class Growing extends Repeat {
        private final Growth growth;

        private Growing(Growth growth) {
            super(new GrowingGaps(growth));
            this.growth = growth;
        }

        /** Limits the gaps: they grow up to this and then stay as they are; at least the first gap. */
        public Repeat upTo(Duration limit) {
            return new Repeat(
                    new GrowingGaps(new Growth(growth.first(), growth.factor(), Spans.positive("limit", limit))));
        }
    }

    /** What happens by the calendar or the clock on the wall: in UTC, unless a zone is stated next. */
    public static final class Zoned extends Repeat {
        private final Rule.Zoned rule;

        private Zoned(Rule.Zoned rule) {
            super(rule);
            this.rule = rule;
        }

        /** States the zone whose local time counts. */
        public Repeat zone(ZoneId zone) {
            return new Repeat(rule.in(Stated.notNull(
                    zone, "zone", "must be a zone, such as ZoneId.of(\"Europe/Berlin\"); leave it out for UTC")));
        }
    }
}
