package io.delayjob.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

@Domain(value = AnySchedule.class, priority = 1)
@Domain(DomainContext.Global.class)
class RepeatPropertyTest {

    private static final int RUNS = 40;

    @Property
    void textIsReadBackAsItWas(@ForAll Repeat schedule) {
        assertThat(Schedule.parse(schedule.toText())).isEqualTo(schedule).hasSameHashCodeAs(schedule);
        assertThat(Schedule.parse(schedule.toText()).toText()).isEqualTo(schedule.toText());
    }

    @Property
    void plannedTimesGrowWithinTheirLimits(@ForAll Repeat schedule, @ForAll Instant scheduledAt) {
        List<Instant> runs = Times.runs(schedule, scheduledAt, RUNS);

        for (int i = 0; i < runs.size(); i++) {
            Instant planned = runs.get(i);
            assertThat(planned).isBeforeOrEqualTo(AnySchedule.LAST);
            assertThat(planned.getNano() % 1_000_000).isZero();
            if (i > 0) {
                assertThat(planned).isAfter(runs.get(i - 1));
            }
        }
    }

    @Property
    void scheduleThatWasReadBack_hasTheSameTimes(@ForAll Repeat schedule, @ForAll Instant scheduledAt) {
        assertThat(Times.runs(Schedule.parse(schedule.toText()), scheduledAt, RUNS))
                .isEqualTo(Times.runs(schedule, scheduledAt, RUNS));
    }

    @Property
    void aMovedRunIsFollowedByALaterOne(
            @ForAll Repeat schedule,
            @ForAll Instant scheduledAt,
            @ForAll Instant moved,
            @ForAll @IntRange(min = 1) int run) {
        Optional<Instant> next = schedule.next(scheduledAt, run, moved);

        next.ifPresent(planned -> assertThat(planned).isAfter(moved).isBeforeOrEqualTo(AnySchedule.LAST));
    }

    @Property
    void nothingRunsBeforeItWasScheduled_unlessItsStartSaysSo(@ForAll Repeat schedule, @ForAll Instant scheduledAt) {
        if (!schedule.toText().contains("starting=")) {
            schedule.first(scheduledAt).ifPresent(first -> assertThat(first).isAfter(scheduledAt));
        }
    }

    @Property
    void gapsAddUpWithoutDrift(
            @ForAll Instant scheduledAt,
            @ForAll @Size(min = 1, max = 5) List<@LongRange(min = 1, max = 1_000_000_000) Long> gaps) {
        Duration[] durations = gaps.stream().map(Duration::ofMillis).toArray(Duration[]::new);
        Repeat repeat = Repeat.infinite(durations[0], Arrays.copyOfRange(durations, 1, durations.length))
                .jitter(Duration.ofHours(1));

        List<Instant> runs = Times.runs(repeat, scheduledAt, RUNS);

        Instant expected = Instant.ofEpochMilli(Timeline.ceil("scheduledAt", scheduledAt));
        for (int i = 0; i < runs.size(); i++) {
            expected = expected.plus(durations[i % durations.length]);
            assertThat(runs.get(i)).isEqualTo(expected);
        }
    }

    @Property
    void growingGaps_neverShrinkOrExceedTheirLimit(
            @ForAll @LongRange(min = 1, max = 1_000_000) long first,
            @ForAll @IntRange(min = 100, max = 1_000) int percent,
            @ForAll @IntRange(min = 1, max = 1_000) int limit,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE - 1) int k) {
        Growth growth = new Growth(Duration.ofMillis(first), percent / 100.0, Duration.ofMillis(first * limit));

        assertThat(growth.gap(k)).isBetween(first, growth.gap(k + 1));
        assertThat(growth.gap(k)).isLessThanOrEqualTo(first * limit);
        if (growth.isConstantFrom(k)) {
            assertThat(growth.gap(k + 1)).isEqualTo(growth.gap(k));
        }
    }
}
