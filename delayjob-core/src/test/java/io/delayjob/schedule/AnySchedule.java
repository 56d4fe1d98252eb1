package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/** Generates schedules of every kind with any options, and instants. */
class AnySchedule extends DomainContextBase {

    private static final long YEAR = Duration.ofDays(365).toMillis();
    static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    @Provide
    Arbitrary<Repeat> schedules() {
        Arbitrary<Repeat> kinds = Arbitraries.oneOf(
                gaps().map(gaps -> Repeat.finite(gaps.get(0), rest(gaps))),
                gaps().map(gaps -> Repeat.infinite(gaps.get(0), rest(gaps))),
                gaps().map(AnySchedule::offsets),
                durations().map(Repeat::every),
                growing(),
                Combinators.combine(periods(), zones())
                        .as((period, zone) -> Repeat.every(period).zone(zone)),
                Combinators.combine(crons(), zones())
                        .as((cron, zone) -> Repeat.cron(cron).zone(zone)));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(1, 1_000).injectNull(0.5),
                        instants().injectNull(0.6),
                        durations().injectNull(0.7),
                        instants().injectNull(0.6),
                        Arbitraries.of(MisfirePolicy.class).injectNull(0.3))
                .as(AnySchedule::with);
    }

    /**
     * Generates instants from 1970 to 2070, and in the last days of the year 9999, with and without a part of a
     * millisecond.
     */
    @Provide
    Arbitrary<Instant> instants() {
        Arbitrary<Instant> ordinary = Arbitraries.longs().between(0, 100 * YEAR).map(Instant::ofEpochMilli);
        Arbitrary<Instant> late = Arbitraries.longs().between(0, YEAR / 10).map(LAST::minusMillis);
        return Combinators.combine(
                        Arbitraries.frequencyOf(Tuple.of(9, ordinary), Tuple.of(1, late)),
                        Arbitraries.integers().between(0, 999_999).injectNull(0.5))
                .as((instant, nanos) -> nanos == null ? instant : instant.plusNanos(nanos));
    }

    static Arbitrary<Duration> durations() {
        return Arbitraries.oneOf(
                        Arbitraries.longs().between(1, 1_000),
                        Arbitraries.longs().between(1, 100_000).map(seconds -> seconds * 1_000),
                        Arbitraries.longs().between(1, YEAR))
                .map(Duration::ofMillis);
    }

    private static Arbitrary<List<Duration>> gaps() {
        return durations().list().ofMinSize(1).ofMaxSize(6);
    }

    private static Arbitrary<Repeat> growing() {
        return Combinators.combine(
                        durations(),
                        Arbitraries.of(1.0, 1.0001, 1.1, 1.5, 2.0, 3.0, 1e9),
                        Arbitraries.integers().between(1, 100).injectNull(0.3))
                .as((first, factor, limit) -> {
                    Repeat.Growing growing = Repeat.growing(first, factor);
                    return limit == null ? growing : growing.upTo(first.multipliedBy(limit));
                });
    }

    private static Arbitrary<Period> periods() {
        Arbitrary<Integer> few = Arbitraries.integers().between(0, 40);
        return Combinators.combine(few, few, few).as(Period::of).filter(period -> !period.isZero());
    }

    static Arbitrary<ZoneId> zones() {
        return Arbitraries.of(
                        "Z",
                        "+05:45",
                        "Europe/Berlin",
                        "America/New_York",
                        "Australia/Lord_Howe",
                        "Africa/Casablanca",
                        "Pacific/Apia")
                .map(ZoneId::of);
    }

    private static Arbitrary<String> crons() {
        return Arbitraries.of(
                "* * * * * *",
                "0 */5 * * * *",
                "0 30 * * * *",
                "0 30 2 * * *",
                "0 0 3 * * 1",
                "0 0 0 31 * *",
                "59 59 23 29 2 *",
                "0 0 0 30 2 *");
    }

    private static Repeat offsets(List<Duration> gaps) {
        Duration[] offsets = new Duration[gaps.size()];
        Duration sum = Duration.ZERO;
        for (int i = 0; i < offsets.length; i++) {
            sum = sum.plus(gaps.get(i));
            offsets[i] = sum;
        }
        return Repeat.offsets(offsets[0], rest(List.of(offsets)));
    }

    private static Duration[] rest(List<Duration> durations) {
        return durations.subList(1, durations.size()).toArray(Duration[]::new);
    }

    private static Repeat with(
            Repeat kind, Integer times, Instant until, Duration jitter, Instant starting, MisfirePolicy misfire) {
        Repeat repeat = kind;
        repeat = times == null ? repeat : repeat.times(times);
        repeat = until == null ? repeat : repeat.until(until);
        repeat = jitter == null ? repeat : repeat.jitter(jitter);
        repeat = starting == null ? repeat : repeat.starting(starting.isAfter(LAST) ? LAST : starting);
        return misfire == null ? repeat : repeat.misfire(misfire);
    }
}
