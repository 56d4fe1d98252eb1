package io.delayjob.schedule;

import static io.delayjob.schedule.Times.T0;
import static io.delayjob.schedule.Times.at;
import static io.delayjob.schedule.Times.local;
import static io.delayjob.schedule.Times.runs;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RepeatTest {

    private static List<Instant> seconds(int... afterT0) {
        return Arrays.stream(afterT0).mapToObj(T0::plusSeconds).toList();
    }

    @Nested
    class Gaps {

        @Test
        void finite_takesEachGapOnce() {
            assertThat(runs(Repeat.finite(ofSeconds(1), ofSeconds(2), ofSeconds(5)), T0, 10))
                    .isEqualTo(seconds(1, 3, 8));
        }

        @Test
        void infinite_wrapsRound() {
            assertThat(runs(Repeat.infinite(ofSeconds(1), ofSeconds(5)), T0, 5)).isEqualTo(seconds(1, 6, 7, 12, 13));
        }

        @Test
        void every_countsFromThePlannedTime() {
            Repeat every = Repeat.every(ofSeconds(10));

            assertThat(runs(every, T0, 3)).isEqualTo(seconds(10, 20, 30));
            assertThat(every.next(T0, 7, T0.plusSeconds(3))).contains(T0.plusSeconds(13));
        }

        @Test
        void every_isASingleGapRoundAndRound() {
            assertThat(Repeat.every(ofSeconds(1))).isEqualTo(Repeat.infinite(ofSeconds(1)));
        }

        @Test
        void growing_isMultipliedUpToItsLimit() {
            assertThat(runs(Repeat.growing(ofSeconds(30), 2).upTo(ofMinutes(3)), T0, 6))
                    .isEqualTo(seconds(30, 90, 210, 390, 570, 750));
        }

        @Test
        void growing_withoutLimit_endsWithTheYear9999() {
            List<Instant> runs = runs(Repeat.growing(ofDays(1), 10), T0, 100);

            assertThat(runs).hasSize(7).last().isEqualTo(T0.plus(ofDays(1_111_111)));
        }

        @Test
        void growing_roundsToMilliseconds() {
            assertThat(runs(Repeat.growing(ofMillis(10), 1.25), T0, 4))
                    .containsExactly(T0.plusMillis(10), T0.plusMillis(23), T0.plusMillis(39), T0.plusMillis(59));
        }

        @Test
        void growing_afterManyRuns_keepsItsLimit() {
            Repeat growing = Repeat.growing(ofSeconds(1), 1.5).upTo(ofHours(1));

            assertThat(growing.next(T0, Integer.MAX_VALUE - 1, T0)).contains(T0.plusSeconds(3600));
        }

        @Test
        void runNumbersEndWithTheIntegers() {
            assertThat(Repeat.every(ofMillis(1)).next(T0, Integer.MAX_VALUE, T0))
                    .isEmpty();
        }
    }

    @Nested
    class Offsets {
        private final Repeat offsets = Repeat.offsets(ofHours(1), ofDays(1), ofDays(3));

        @Test
        void countFromTheSchedulingInstant() {
            assertThat(runs(offsets, T0, 10))
                    .containsExactly(T0.plus(ofHours(1)), T0.plus(ofDays(1)), T0.plus(ofDays(3)));
        }

        @Test
        void stayWhereTheyAre_whenARunIsMoved() {
            assertThat(offsets.next(T0, 1, T0.plus(ofHours(5)))).contains(T0.plus(ofDays(1)));
        }

        @Test
        void passedByAMovedRun_followAtOnce() {
            Instant moved = T0.plus(ofDays(2));

            assertThat(offsets.next(T0, 1, moved)).contains(moved.plusMillis(1));
            assertThat(offsets.next(T0, 2, moved.plusMillis(1))).contains(T0.plus(ofDays(3)));
        }

        @Test
        void starting_keepsTheirDistances() {
            Instant start = T0.plus(ofDays(10));

            assertThat(runs(offsets.starting(start), T0, 10))
                    .containsExactly(start, start.plus(ofHours(23)), start.plus(ofHours(71)));
        }

        @Test
        void thatDoNotGrow_areRefused() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.offsets(ofHours(1), ofDays(1), ofDays(1)))
                    .withMessageContainingAll("offset 3", "PT24H", "longer than the previous one", "finite(...)");
        }
    }

    @Nested
    class Calendar {

        @Test
        void endOfMonth_countsFromTheFirstDate() {
            Instant start = at("2028-01-31T09:00", "Europe/Berlin");
            Repeat monthly = Repeat.every(Period.ofMonths(1)).zone(ZoneId.of("Europe/Berlin"));

            assertThat(local(runs(monthly, start, 5), "Europe/Berlin"))
                    .containsExactly(
                            "2028-02-29T09:00",
                            "2028-03-31T09:00",
                            "2028-04-30T09:00",
                            "2028-05-31T09:00",
                            "2028-06-30T09:00");
        }

        @Test
        void leapDay_comesBackInLeapYears() {
            Instant start = at("2028-02-29T12:00", "UTC");

            assertThat(local(runs(Repeat.every(Period.ofYears(1)), start, 4), "UTC"))
                    .containsExactly("2029-02-28T12:00", "2030-02-28T12:00", "2031-02-28T12:00", "2032-02-29T12:00");
        }

        @Test
        void firstRun_isOnePeriodAfterScheduling_orAtItsStart() {
            Repeat daily = Repeat.every(Period.ofDays(1));
            Instant start = T0.plus(ofDays(100));

            assertThat(daily.first(T0)).contains(T0.plus(ofDays(1)));
            assertThat(runs(daily.starting(start), T0, 2)).containsExactly(start, start.plus(ofDays(1)));
        }

        @Test
        void anHourThatOneDayLacks_isUsedAgainOnTheNextDay() {
            Instant start = at("2026-03-27T02:30", "Europe/Berlin");
            Repeat daily = Repeat.every(Period.ofDays(1)).zone(ZoneId.of("Europe/Berlin"));

            assertThat(local(runs(daily, start, 3), "Europe/Berlin"))
                    .containsExactly("2026-03-28T02:30", "2026-03-29T03:30", "2026-03-30T02:30");
        }

        @Test
        void anHourThatComesTwice_isUsedOnce_theFirstTime() {
            Instant start = at("2026-10-24T02:30", "Europe/Berlin");
            Repeat daily = Repeat.every(Period.ofDays(1)).zone(ZoneId.of("Europe/Berlin"));

            assertThat(runs(daily, start, 2))
                    .containsExactly(Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-26T01:30:00Z"));
        }

        @Test
        void anHourThatComesTwice_isUsedTheFirstTime_evenIfTheJobWasScheduledInWinter() {
            Instant start = at("2026-01-25T02:30", "Europe/Berlin");
            Repeat monthly = Repeat.every(Period.ofMonths(1)).zone(ZoneId.of("Europe/Berlin"));

            assertThat(runs(monthly, start, 10))
                    .endsWith(Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-11-25T01:30:00Z"));
        }

        @Test
        void aDayThatAZoneSkips_isSkipped() {
            Instant start = at("2011-12-28T10:00", "Pacific/Apia");
            Repeat daily = Repeat.every(Period.ofDays(1)).zone(ZoneId.of("Pacific/Apia"));

            assertThat(local(runs(daily, start, 3), "Pacific/Apia"))
                    .containsExactly("2011-12-29T10:00", "2011-12-31T10:00", "2012-01-01T10:00");
        }

        @Test
        void aDayThatAZoneRepeats_isUsedOnce() {
            Instant start = at("1867-01-18T10:00", "America/Juneau");
            Repeat daily = Repeat.every(Period.ofDays(1)).zone(ZoneId.of("America/Juneau"));
            List<Instant> runs = runs(daily, start, 1_000);

            assertThat(local(runs, "America/Juneau"))
                    .isEqualTo(IntStream.rangeClosed(1, 1_000)
                            .mapToObj(day -> LocalDateTime.parse("1867-01-18T10:00")
                                    .plusDays(day)
                                    .toString())
                            .toList());
        }

        @Test
        void stepsAreFound_evenFarInTheFuture() {
            for (Period period :
                    List.of(Period.ofDays(1), Period.ofMonths(1), Period.of(0, 1, 1), Period.of(3, 7, 29))) {
                Repeat repeat = Repeat.every(period).zone(ZoneId.of("Europe/Berlin"));
                ZonedDateTime anchor = T0.atZone(ZoneId.of("Europe/Berlin"));
                for (int step = 1; step < 2_000; step += 7) {
                    Instant planned = anchor.plus(period.multipliedBy(step)).toInstant();
                    Optional<Instant> following = Optional.of(
                                    anchor.plus(period.multipliedBy(step + 1)).toInstant())
                            .filter(next -> next.isBefore(AnySchedule.LAST));

                    assertThat(repeat.next(T0, step, planned)).isEqualTo(following);
                    assertThat(repeat.next(T0, step, planned.minusMillis(1))).isEqualTo(following.map(next -> planned));
                }
            }
        }

        @Test
        void movedRun_isFollowedByTheNextStep() {
            Repeat weekly = Repeat.every(Period.ofWeeks(1));

            assertThat(weekly.next(T0, 1, T0.plus(ofDays(2)))).contains(T0.plus(ofDays(7)));
            assertThat(weekly.next(T0, 1, T0.plus(ofDays(20)))).contains(T0.plus(ofDays(21)));
        }

        @Test
        void withoutZone_isUtc() {
            assertThat(Repeat.every(Period.ofDays(1)))
                    .isEqualTo(Repeat.every(Period.ofDays(1)).zone(ZoneId.of("Z")));
        }

        @Test
        void periodsThatDoNotAdvance_areRefused() {
            for (Period period : List.of(Period.ZERO, Period.ofDays(-1), Period.of(0, 1, -3))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Repeat.every(period))
                        .withMessageContainingAll(period.toString(), "must be positive");
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(Period.ofYears(Integer.MAX_VALUE)))
                    .withMessageContaining("at most 9,999 years");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(Period.ofDays(3_652_060)))
                    .withMessageContaining("at most 9,999 years");
        }
    }

    @Nested
    class Limits {

        @Test
        void times_endsTheSequence_evenOfStatedGaps() {
            assertThat(runs(Repeat.every(ofSeconds(1)).times(3), T0, 10)).isEqualTo(seconds(1, 2, 3));
            assertThat(runs(Repeat.finite(ofSeconds(1), ofSeconds(1)).times(1), T0, 10))
                    .isEqualTo(seconds(1));
            assertThat(runs(Repeat.finite(ofSeconds(1), ofSeconds(1)).times(9), T0, 10))
                    .isEqualTo(seconds(1, 2));
        }

        @Test
        void until_isInclusive() {
            assertThat(runs(Repeat.every(ofSeconds(1)).until(T0.plusSeconds(2)), T0, 10))
                    .isEqualTo(seconds(1, 2));
            assertThat(runs(Repeat.every(ofSeconds(1)).until(T0.plusMillis(1999)), T0, 10))
                    .isEqualTo(seconds(1));
        }

        @Test
        void untilAlreadyPast_hasNoRun() {
            assertThat(Repeat.every(ofSeconds(1)).until(T0).first(T0)).isEmpty();
            assertThat(Repeat.every(ofSeconds(1))
                            .starting(T0.plusSeconds(9))
                            .until(T0)
                            .first(T0))
                    .isEmpty();
        }

        @Test
        void starting_replacesTheFirstGapOnly() {
            Repeat repeat =
                    Repeat.finite(ofSeconds(5), ofSeconds(1), ofSeconds(2)).starting(T0.plusSeconds(60));

            assertThat(runs(repeat, T0, 10)).isEqualTo(seconds(60, 61, 63));
        }

        @Test
        void finite_growing_offsets_areFiniteByTheirOwnLimits() {
            assertThat(Repeat.finite(ofSeconds(1)).isFinite()).isTrue();
            assertThat(Repeat.offsets(ofSeconds(1)).isFinite()).isTrue();
            assertThat(Repeat.every(ofSeconds(1)).isFinite()).isFalse();
            assertThat(Repeat.growing(ofSeconds(1), 2).isFinite()).isFalse();
            assertThat(Repeat.every(ofSeconds(1)).times(2).isFinite()).isTrue();
            assertThat(Repeat.every(ofSeconds(1)).until(T0).isFinite()).isTrue();
        }

        @Test
        void misfire_followsFiniteness_unlessStated() {
            assertThat(Repeat.finite(ofSeconds(1)).misfire()).isEqualTo(MisfirePolicy.RUN_EACH);
            assertThat(Repeat.every(ofSeconds(1)).misfire()).isEqualTo(MisfirePolicy.RUN_ONCE);
            assertThat(Repeat.every(ofSeconds(1)).misfire(MisfirePolicy.SKIP).misfire())
                    .isEqualTo(MisfirePolicy.SKIP);
        }

        @Test
        void jitter_doesNotChangePlannedTimes() {
            Repeat plain = Repeat.every(ofSeconds(1));

            assertThat(runs(plain.jitter(ofSeconds(30)), T0, 5)).isEqualTo(runs(plain, T0, 5));
            assertThat(plain.jitter(ofSeconds(30)).jitter()).isEqualTo(ofSeconds(30));
            assertThat(plain.jitter()).isZero();
        }

        @Test
        void partsOfAMillisecond_areRoundedSoThatNothingIsEarly() {
            Instant odd = T0.plusNanos(1);

            assertThat(Repeat.every(ofSeconds(1)).first(odd)).contains(T0.plusMillis(1001));
            assertThat(Repeat.every(ofSeconds(1)).starting(odd).first(T0)).contains(T0.plusMillis(1));
            assertThat(Repeat.every(ofMillis(1))
                            .until(T0.plusMillis(2).plusNanos(999))
                            .next(T0, 1, T0.plusMillis(2)))
                    .isEmpty();
        }

        @Test
        void theYear9999_isTheEnd() {
            Instant last = Instant.parse("9999-12-31T23:59:59.999Z");
            Repeat every = Repeat.every(ofMillis(1));

            assertThat(every.first(last.minusMillis(1))).contains(last);
            assertThat(every.next(T0, 1, last)).isEmpty();
            assertThat(every.first(last)).isEmpty();
            assertThat(every.first(last.plusNanos(1))).isEmpty();
            assertThat(every.first(Instant.MAX)).isEmpty();
            assertThat(every.next(Instant.MAX, 1, Instant.MAX)).isEmpty();
            assertThat(Repeat.every(Period.ofYears(9_999)).first(T0)).isEmpty();
            assertThat(Repeat.every(Period.ofDays(3_652_059)).first(T0)).isEmpty();
            assertThat(Repeat.every(ofDays(3_652_059)).first(T0)).isEmpty();
        }
    }

    @Nested
    class BadInput {

        @Test
        void badDurations_areRefusedWithPlaceValueAndRule() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.finite(ofSeconds(1), Duration.ZERO))
                    .withMessage("Invalid gap 2 (PT0S): must be at least 1 ms; state a longer duration");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(ofSeconds(-1)))
                    .withMessage("Invalid period (PT-1S): must be at least 1 ms; state a longer duration");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(ofNanos(999_999)))
                    .withMessageContaining("at least 1 ms");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(ofNanos(1_000_001)))
                    .withMessage(
                            "Invalid period (PT0.001000001S): must be whole milliseconds; round it to milliseconds");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(ofDays(3_652_060)))
                    .withMessageContaining("must be at most 9,999 years (3,652,059 days)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(Duration.ofSeconds(Long.MAX_VALUE)))
                    .withMessageContaining("must be at most 9,999 years");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(ofSeconds(1)).jitter(ofSeconds(-1)))
                    .withMessageContaining("jitter (PT-1S): must not be negative");
        }

        @Test
        void growth_mustGrow() {
            for (double factor : new double[] {0.99, 0, -2, Double.NaN, Double.POSITIVE_INFINITY}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Repeat.growing(ofSeconds(1), factor))
                        .withMessageContainingAll("factor (" + factor + ")", "at least 1");
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.growing(ofSeconds(30), 2).upTo(ofSeconds(1)))
                    .withMessageContainingAll("limit (PT1S)", "first gap (PT30S)");
        }

        @Test
        void badOptions_areRefusedWithValueAndRule() {
            Repeat every = Repeat.every(ofSeconds(1));

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> every.times(0))
                    .withMessageContaining("number of times (0): must be at least 1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> every.until(Instant.MAX))
                    .withMessageContaining("must lie within the years 1 to 9999");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> every.starting(Instant.MIN))
                    .withMessageContaining("must lie within the years 1 to 9999");
        }

        @Test
        void runs_areCountedFrom1() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.every(ofSeconds(1)).next(T0, 0, T0))
                    .withMessageContaining("run (0)");
        }

        @Test
        void asManyGapsAsFit_areTaken() {
            Duration[] gaps = new Duration[398];
            Arrays.fill(gaps, ofSeconds(1));

            assertThat(Repeat.finite(ofSeconds(10), gaps).toText()).hasSize(Schedule.MAX_TEXT_LENGTH);
            assertThat(Schedule.parse(Repeat.finite(ofSeconds(10), gaps).toText()))
                    .isEqualTo(Repeat.finite(ofSeconds(10), gaps));
        }

        @Test
        void tooManyGaps_areRefused() {
            Duration[] gaps = new Duration[400];
            Arrays.fill(gaps, ofSeconds(1));

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.finite(ofSeconds(1), gaps))
                    .withMessageContainingAll("2009 characters", "at most 2000", "fewer gaps");
        }
    }
}
