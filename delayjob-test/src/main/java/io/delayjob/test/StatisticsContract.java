package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Checks the statistics of each minute: they are written once, added up over all instances, and deleted step by step.
 */
interface StatisticsContract extends GivenStore {

    Duration ONE_MINUTE = Duration.ofMinutes(1);

    @Test
    default void minute_isReadAsItWasWritten() {
        ifKept(() -> {
            MinuteCounts counts = new MinuteCounts(
                    105,
                    7,
                    3,
                    2,
                    Duration.ofDays(40).plusNanos(123_456_000),
                    LongStream.rangeClosed(1, MinuteCounts.LATE_SIZE).boxed().toList());
            MinuteRow row = new MinuteRow(StoreScenario.NOW, "größer 'als' 100 %", counts);

            given().store().recordMinutes(given().worker(), List.of(row));

            assertThat(given().store().minutes(span(1, 1))).containsExactly(new MinuteSum(0, row.name(), counts));
        });
    }

    @Test
    default void minutes_areSummedByBucketAndName() {
        ifKept(() -> {
            given().store().recordMinutes(1, List.of(minute(0, "mail", 1), minute(0, MinuteRow.OTHERS, 5)));
            given().store().recordMinutes(2, List.of(minute(0, "mail", 10)));
            given().store().recordMinutes(1, List.of(minute(1, "mail", 100)));
            given().store().recordMinutes(1, List.of(minute(2, "mail", 1_000), minute(2, "bill", 7)));

            assertThat(given().store().minutes(span(2, 2)))
                    .containsExactlyInAnyOrder(
                            new MinuteSum(0, "mail", counts(111)),
                            new MinuteSum(0, MinuteRow.OTHERS, counts(5)),
                            new MinuteSum(1, "mail", counts(1_000)),
                            new MinuteSum(1, "bill", counts(7)));
        });
    }

    @Test
    default void minutes_outsideOfTheSpanAreLeftOut() {
        ifKept(() -> {
            for (int number = -1; number <= 2; number++) {
                given().store().recordMinutes(1, List.of(minute(number, "mail", 10 + number)));
            }

            assertThat(given().store().minutes(span(1, 2)))
                    .containsExactlyInAnyOrder(
                            new MinuteSum(0, "mail", counts(10)), new MinuteSum(1, "mail", counts(11)));
        });
    }

    @Test
    default void minutes_ofPastHoursAddUpToTheSame() {
        ifKept(() -> {
            for (int number = 0; number < 8 * 60; number += 7) {
                given().store().recordMinutes(1, List.of(minute(number, "mail", 1)));
                if (number / 60 != 3) {
                    given().store().recordMinutes(2, List.of(minute(number, "mail", 100), minute(number, "bill", 7)));
                }
                assertThat(starts(span(60, 9), "mail"))
                        .as("after minute %d", number)
                        .isEqualTo(starts(span(20, 27), "mail"));
            }

            assertThat(given().store().minutes(span(120, 4))).hasSize(8);
            assertThat(starts(span(120, 4), "bill")).isEqualTo(60 * 7);
            assertThat(starts(span(60, 8), "mail")).isEqualTo(69 + 60 * 100);
        });
    }

    private long starts(MinuteSpan span, String name) {
        return given().store().minutes(span).stream()
                .filter(sum -> sum.name().equals(name))
                .mapToLong(sum -> sum.counts().starts())
                .sum();
    }

    @Test
    default void minute_thatIsWrittenAgainStaysAsItIs() {
        ifKept(() -> {
            given().store().recordMinutes(1, List.of(minute(0, "mail", 1)));

            given().store().recordMinutes(1, List.of(minute(0, "mail", 99), minute(0, "bill", 4)));

            assertThat(given().store().minutes(span(1, 1)))
                    .containsExactlyInAnyOrder(
                            new MinuteSum(0, "mail", counts(1)), new MinuteSum(0, "bill", counts(4)));
        });
    }

    @Test
    default void minutes_ofManyHandlersAreWrittenAtOnce() {
        ifKept(() -> {
            List<MinuteRow> rows = IntStream.range(0, 101)
                    .mapToObj(number -> minute(0, "handler-" + number, number))
                    .toList();

            given().store().recordMinutes(1, rows);
            given().store().recordMinutes(1, List.of());

            assertThat(given().store().minutes(span(1, 1)))
                    .hasSize(101)
                    .contains(new MinuteSum(0, "handler-100", counts(100)));
        });
    }

    @Test
    default void purge_forgetsTheOldestFirstAndSaysWhetherThereAreMore() {
        ifKept(() -> {
            for (int number = 0; number < 150; number++) {
                given().store().recordMinutes(1, List.of(minute(number, "mail", 1)));
            }
            Instant before = at(130);

            assertThat(given().store().purgeMinutes(before))
                    .as("the first hour")
                    .isTrue();
            assertThat(starts()).isEqualTo(90);
            assertThat(given().store().purgeMinutes(before))
                    .as("the second hour")
                    .isTrue();
            assertThat(given().store().purgeMinutes(before))
                    .as("the last ten minutes")
                    .isFalse();
            assertThat(starts()).isEqualTo(20);
            assertThat(given().store().purgeMinutes(before)).as("nothing").isFalse();
            assertThat(starts()).isEqualTo(20);
        });
    }

    private long starts() {
        return given().store().minutes(span(60, 24)).stream()
                .mapToLong(sum -> sum.counts().starts())
                .sum();
    }

    /** If the store keeps no statistics, it must refuse each call, and name the missing ability. */
    private void ifKept(Runnable test) {
        JobStore store = given().store();
        if (store.capabilities().has(StoreCapability.STATISTICS)) {
            test.run();
            return;
        }
        assertRefused(() -> store.recordMinutes(1, List.of(minute(0, "mail", 1))));
        assertRefused(() -> store.minutes(span(1, 1)));
        assertRefused(() -> store.purgeMinutes(StoreScenario.NOW));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(StoreCapability.STATISTICS.ability());
    }

    private static Instant at(int number) {
        return StoreScenario.NOW.plus(ONE_MINUTE.multipliedBy(number));
    }

    private static MinuteSpan span(int width, int buckets) {
        return new MinuteSpan(StoreScenario.NOW, ONE_MINUTE.multipliedBy(width), buckets);
    }

    private static MinuteRow minute(int number, String name, int starts) {
        return new MinuteRow(at(number), name, counts(starts));
    }

    private static MinuteCounts counts(int starts) {
        return new MinuteCounts(starts, starts, 0, 0, Duration.ofMillis(starts), late(starts));
    }

    private static List<Long> late(long starts) {
        return IntStream.range(0, MinuteCounts.LATE_SIZE)
                .mapToObj(index -> index == 3 ? starts : 0L)
                .toList();
    }
}
