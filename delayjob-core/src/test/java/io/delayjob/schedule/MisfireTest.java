package io.delayjob.schedule;

import static io.delayjob.schedule.Times.T0;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.schedule.Misfire.Merged;
import io.delayjob.schedule.Misfire.Proceed;
import io.delayjob.schedule.Misfire.Skipped;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MisfireTest {

    private static final Proceed PROCEED = new Proceed();
    private static final Repeat EVERY_SECOND = Repeat.every(ofSeconds(1));

    private static Misfire judge(Repeat repeat, int run, int plannedSecond, Instant now) {
        return repeat.judge(T0, run, T0.plusSeconds(plannedSecond), now);
    }

    @Nested
    class RunEach {
        private final Repeat each = EVERY_SECOND.misfire(MisfirePolicy.RUN_EACH);

        @Test
        void proceeds_evenIfVeryLate() {
            assertThat(judge(each, 1, 1, T0.plus(ofDays(400)))).isEqualTo(PROCEED);
        }
    }

    @Nested
    class RunOnce {

        @Test
        void proceeds_whileNoLaterOneIsDue() {
            assertThat(judge(EVERY_SECOND, 1, 1, T0.plusSeconds(1))).isEqualTo(PROCEED);
            assertThat(judge(EVERY_SECOND, 1, 1, T0.plusMillis(1999))).isEqualTo(PROCEED);
        }

        @Test
        void proceeds_evenVeryLate_whenItIsTheLatest() {
            Repeat yearly = Repeat.every(Period.ofYears(1));

            assertThat(yearly.judge(T0, 1, T0.plus(ofDays(365)), T0.plus(ofDays(700))))
                    .isEqualTo(PROCEED);
        }

        @Test
        void runsTheLatestDue_forAll() {
            assertThat(judge(EVERY_SECOND, 1, 1, T0.plusMillis(2000)))
                    .isEqualTo(new Merged(1, 1, 2, T0.plusSeconds(2)));
            assertThat(judge(EVERY_SECOND, 5, 5, T0.plusMillis(60_999)))
                    .isEqualTo(new Merged(5, 59, 60, T0.plusSeconds(60)));
        }

        @Test
        void keepsToNumberAndEnd() {
            assertThat(judge(EVERY_SECOND.times(10).misfire(MisfirePolicy.RUN_ONCE), 5, 5, T0.plusSeconds(99)))
                    .isEqualTo(new Merged(5, 9, 10, T0.plusSeconds(10)));
            assertThat(judge(
                            EVERY_SECOND.until(T0.plusSeconds(7)).misfire(MisfirePolicy.RUN_ONCE),
                            5,
                            5,
                            T0.plusSeconds(99)))
                    .isEqualTo(new Merged(5, 6, 7, T0.plusSeconds(7)));
        }

        @Test
        void jitterAloneMissesNothing() {
            Repeat jittered = EVERY_SECOND.jitter(ofSeconds(10));

            assertThat(judge(jittered, 1, 1, T0.plusMillis(11_999))).isEqualTo(PROCEED);
            assertThat(judge(jittered, 1, 1, T0.plusMillis(12_000))).isEqualTo(new Merged(1, 1, 2, T0.plusSeconds(2)));
        }

        @Test
        void skipsLongOutagesAtOnce() {
            assertThat(judge(EVERY_SECOND, 1, 1, T0.plus(ofDays(365))))
                    .isEqualTo(new Merged(1, 31_535_999, 31_536_000, T0.plus(ofDays(365))));

            Repeat uneven = Repeat.infinite(ofMillis(1), ofMillis(2), ofMillis(7));
            assertThat(uneven.judge(T0, 1, T0.plusMillis(1), T0.plus(ofDays(30)).plusMillis(4)))
                    .isEqualTo(new Merged(
                            1, 777_600_001, 777_600_002, T0.plus(ofDays(30)).plusMillis(3)));

            Repeat growing = Repeat.growing(ofSeconds(1), 2).upTo(ofSeconds(4));
            assertThat(growing.judge(T0, 1, T0.plusSeconds(1), T0.plusSeconds(3 + 4 * 10_000_000)))
                    .isEqualTo(new Merged(1, 10_000_001, 10_000_002, T0.plusSeconds(3 + 4 * 10_000_000)));
        }

        @Test
        void endsWithTheIntegers() {
            Instant lastRun = T0.plusMillis(Integer.MAX_VALUE);

            assertThat(Repeat.every(ofMillis(1)).judge(T0, 1, T0.plusMillis(1), Instant.MAX))
                    .isEqualTo(new Merged(1, Integer.MAX_VALUE - 1, Integer.MAX_VALUE, lastRun));
        }

        @Test
        void leapsOverCenturiesOfACalendar() {
            Repeat daily = Repeat.every(Period.ofDays(1)).zone(ZoneId.of("Europe/Berlin"));
            Instant now = T0.plus(ofDays(400 * 365 + 97));

            assertThat(daily.judge(T0, 1, T0.plus(ofDays(1)), now))
                    .isEqualTo(new Merged(1, 400 * 365 + 96, 400 * 365 + 97, now));
        }

        @Test
        void skipsAnyOutageOfCron_andCountsALimitedNumber() {
            Repeat everyTenSeconds = Repeat.cron("*/10 * * * * *");
            Instant fourYearsLater = T0.plus(ofDays(4 * 365)).plusSeconds(7);

            assertThat(judge(everyTenSeconds, 1, 10, fourYearsLater))
                    .isEqualTo(new Merged(
                            1, Misfire.MAX_LOOKAHEAD, 1 + Misfire.MAX_LOOKAHEAD, fourYearsLater.minusSeconds(7)));
        }

        @Test
        void countsALimitedNumberOfOccurrences_ifItMustCount() {
            Repeat cron = Repeat.cron("* * * * * *").times(1_000_000).misfire(MisfirePolicy.RUN_ONCE);
            int reached = 1 + Misfire.MAX_LOOKAHEAD;
            Instant now = T0.plusSeconds(reached + 10);

            assertThat(judge(cron, 1, 1, now))
                    .isEqualTo(
                            new Skipped(1, reached - 1, Optional.of(new Occurrence(reached, T0.plusSeconds(reached)))));
            assertThat(judge(cron, reached, reached, now))
                    .isEqualTo(new Merged(reached, reached + 9, reached + 10, now));
        }
    }

    @Nested
    class Skip {
        private final Repeat skip = EVERY_SECOND.misfire(MisfirePolicy.SKIP);

        @Test
        void proceeds_withinItsTolerance() {
            Repeat hourly = Repeat.every(ofMinutes(60)).misfire(MisfirePolicy.SKIP);
            Instant planned = T0.plus(ofMinutes(60));

            assertThat(hourly.judge(T0, 1, planned, planned.plusSeconds(60))).isEqualTo(PROCEED);
            assertThat(hourly.judge(T0, 1, planned, planned.plusMillis(60_001)))
                    .isEqualTo(new Skipped(1, 1, Optional.of(new Occurrence(2, planned.plus(ofMinutes(60))))));
        }

        @Test
        void usesUpAllThatIsDue() {
            assertThat(judge(skip, 3, 3, T0.plusMillis(9_500)))
                    .isEqualTo(new Skipped(3, 9, Optional.of(new Occurrence(10, T0.plusSeconds(10)))));
        }

        @Test
        void endsTheSequence_whenNothingIsLeft() {
            assertThat(judge(skip.times(4), 3, 3, T0.plusSeconds(9))).isEqualTo(new Skipped(3, 4, Optional.empty()));
            assertThat(judge(skip.times(3), 3, 3, T0.plusSeconds(64))).isEqualTo(new Skipped(3, 3, Optional.empty()));
        }

        @Test
        void skipsAnyOutageOfCron_toTheNextFutureOccurrence() {
            Repeat everyTenSeconds = Repeat.cron("*/10 * * * * *").misfire(MisfirePolicy.SKIP);
            Instant fourYearsLater = T0.plus(ofDays(4 * 365)).plusSeconds(7);

            assertThat(judge(everyTenSeconds, 1, 10, fourYearsLater))
                    .isEqualTo(new Skipped(
                            1,
                            1 + Misfire.MAX_LOOKAHEAD,
                            Optional.of(new Occurrence(2 + Misfire.MAX_LOOKAHEAD, fourYearsLater.plusSeconds(3)))));
        }

        @Test
        void countsALimitedNumberOfOccurrences_ifItMustCount() {
            Repeat cron = Repeat.cron("* * * * * *").times(1_000_000).misfire(MisfirePolicy.SKIP);
            int reached = 1 + Misfire.MAX_LOOKAHEAD;
            Instant now = T0.plusSeconds(reached + 10);

            assertThat(judge(cron, 1, 1, now))
                    .isEqualTo(new Skipped(
                            1, reached, Optional.of(new Occurrence(reached + 1, T0.plusSeconds(reached + 1)))));
        }

        @Test
        void countsLatenessFromTheLatestThatJitterAllows() {
            Repeat jittered = Repeat.every(ofDays(1)).jitter(ofMinutes(5)).misfire(MisfirePolicy.SKIP);
            Instant planned = T0.plus(ofDays(1));

            assertThat(jittered.judge(T0, 1, planned, planned.plus(ofMinutes(6))))
                    .isEqualTo(PROCEED);
            assertThat(jittered.judge(T0, 1, planned, planned.plus(ofMinutes(6)).plusMillis(1)))
                    .isInstanceOf(Skipped.class);
        }
    }

    @Test
    void aRunBeyondTheLast_isTheLast() {
        assertThat(judge(EVERY_SECOND.times(3).misfire(MisfirePolicy.RUN_ONCE), 7, 7, T0.plusSeconds(99)))
                .isEqualTo(PROCEED);
        assertThat(judge(EVERY_SECOND.times(3).misfire(MisfirePolicy.SKIP), 7, 7, T0.plusSeconds(99)))
                .isEqualTo(new Skipped(7, 7, Optional.empty()));
    }

    @Test
    void runsAreCountedFrom1() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> judge(EVERY_SECOND, 0, 1, T0))
                .withMessageContaining("run (0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Occurrence(0, T0))
                .withMessageContaining("run (0)");
    }
}
