package io.delayjob.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

/** Tests that the decision about missed occurrences is the same if every occurrence is computed. */
@Domain(value = AnySchedule.class, priority = 1)
@Domain(DomainContext.Global.class)
class MisfirePropertyTest {

    @Property
    void equalsTheStepwiseModel(
            @ForAll Repeat schedule,
            @ForAll Instant scheduledAt,
            @ForAll @IntRange(min = 1, max = 20) int run,
            @ForAll @IntRange(max = 300) int missed,
            @ForAll @LongRange(min = -2, max = 2) long off,
            @ForAll @IntRange(max = 100) int lateSeconds) {
        Optional<Occurrence> judged = occurrence(schedule, scheduledAt, run);
        Assume.that(judged.isPresent());
        Instant planned = judged.get().planned();
        Instant now = later(schedule, scheduledAt, judged.get(), missed)
                .plus(schedule.jitter())
                .plusMillis(off)
                .plusSeconds(off == 0 ? lateSeconds : 0);
        Assume.that(!now.isAfter(AnySchedule.LAST));

        assertThat(schedule.judge(scheduledAt, run, planned, now))
                .isEqualTo(stepwise(schedule, scheduledAt, judged.get(), now));
    }

    /** One occurrence more than a decision counts, so that the decision must skip occurrences. */
    @Property(tries = 30)
    void skippedOccurrencesOfCron_endWhereSingleStepsEnd(
            @ForAll("denseCrons") String cron,
            @ForAll("fixedZones") ZoneId zone,
            @ForAll Instant scheduledAt,
            @ForAll @IntRange(min = 1, max = 3_000) int beyond) {
        Repeat schedule = Repeat.cron(cron).zone(zone);
        Optional<Occurrence> first = occurrence(schedule, scheduledAt, 1);
        Assume.that(first.isPresent());
        Instant now = later(schedule, scheduledAt, first.get(), Misfire.MAX_LOOKAHEAD + beyond);
        Assume.that(now.isBefore(AnySchedule.LAST.minus(Duration.ofDays(1))));

        assertThat(schedule.judge(scheduledAt, 1, first.get().planned(), now))
                .isEqualTo(new Misfire.Merged(1, Misfire.MAX_LOOKAHEAD, 1 + Misfire.MAX_LOOKAHEAD, now));
    }

    @Property
    void leapOfCron_leavesNothingDueBehind(
            @ForAll("denseCrons") String cron,
            @ForAll("changingZones") ZoneId zone,
            @ForAll Instant from,
            @ForAll @LongRange(min = 1, max = 4_000_000_000_000L) long outage) {
        Cron rule = (Cron) Cron.of(cron, zone);
        long planned = rule.next(0, 1, from.toEpochMilli());
        Assume.that(planned < Timeline.LAST - outage);

        long latest = rule.latest(planned, planned + outage);

        assertThat(latest).isBetween(planned, planned + outage);
        assertThat(rule.next(0, 1, latest)).isGreaterThan(planned + outage);
    }

    @Provide
    Arbitrary<String> denseCrons() {
        return Arbitraries.of(
                "* * * * * *", "*/10 * * * * *", "0 */5 * * * *", "0 30 * * * *", "* * 3 * * *", "0 30 2 * * *");
    }

    @Provide
    Arbitrary<ZoneId> fixedZones() {
        return Arbitraries.of("Z", "+05:45").map(ZoneId::of);
    }

    @Provide
    Arbitrary<ZoneId> changingZones() {
        return AnySchedule.zones();
    }

    /**
     * Returns that run, even if the sequence ends before it, for example because the schedule of a waiting job was
     * changed to fewer runs.
     */
    private static Optional<Occurrence> occurrence(Repeat schedule, Instant scheduledAt, int run) {
        return schedule.first(scheduledAt)
                .map(first -> later(schedule, scheduledAt, new Occurrence(1, first), run - 1))
                .map(planned -> new Occurrence(run, planned));
    }

    /** Returns the planned time of a run that is some runs later, or of the last run. */
    private static Instant later(Repeat schedule, Instant scheduledAt, Occurrence from, int runs) {
        Instant planned = from.planned();
        for (int i = 0; i < runs; i++) {
            Optional<Instant> next = schedule.next(scheduledAt, from.run() + i, planned);
            if (next.isEmpty()) {
                break;
            }
            planned = next.get();
        }
        return planned;
    }

    private static Misfire stepwise(Repeat schedule, Instant scheduledAt, Occurrence judged, Instant now) {
        Occurrence last = judged;
        Optional<Occurrence> next = following(schedule, scheduledAt, last);
        while (next.isPresent() && !next.get().planned().plus(schedule.jitter()).isAfter(now)) {
            last = next.get();
            next = following(schedule, scheduledAt, last);
        }
        boolean laterIsDue = last.run() > judged.run();
        Duration late = Duration.between(judged.planned().plus(schedule.jitter()), now);
        return switch (schedule.misfire()) {
            case RUN_EACH -> new Misfire.Proceed();
            case RUN_ONCE ->
                laterIsDue
                        ? new Misfire.Merged(judged.run(), last.run() - 1, last.run(), last.planned())
                        : new Misfire.Proceed();
            case SKIP ->
                laterIsDue || late.compareTo(Misfire.TOLERANCE) > 0
                        ? new Misfire.Skipped(judged.run(), last.run(), next)
                        : new Misfire.Proceed();
        };
    }

    private static Optional<Occurrence> following(Repeat schedule, Instant scheduledAt, Occurrence occurrence) {
        return schedule.next(scheduledAt, occurrence.run(), occurrence.planned())
                .map(planned -> new Occurrence(occurrence.run() + 1, planned));
    }
}
