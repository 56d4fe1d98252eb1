package io.delayjob.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HierarchicalWheelTest {

    private static final long TICK = 1 << 16;

    private final List<String> fired = new ArrayList<>();
    private final DrivenWheel<String> wheel = new DrivenWheel<>(0, Duration.ofNanos(TICK));

    @Test
    void a_deadline_is_rounded_up_to_a_tick() {
        wheel.schedule("a", 2 * TICK + 1);

        assertThat(poll(3 * TICK - 1)).isEqualTo(1);
        assertThat(fired).isEmpty();
        assertThat(poll(3 * TICK)).isEqualTo(Long.MAX_VALUE);
        assertThat(fired).containsExactly("a");
    }

    @Test
    void a_deadline_that_has_passed_is_due_in_the_next_poll() {
        poll(5 * TICK + 10);
        wheel.schedule("at this moment", 5 * TICK + 10);
        wheel.schedule("within this tick", 5 * TICK + 1);
        wheel.schedule("long ago", -TICK);

        assertThat(wheel.nanosToNext()).isZero();
        poll(5 * TICK + 10);

        assertThat(fired).containsExactly("at this moment", "within this tick", "long ago");
    }

    @Test
    void timers_of_one_tick_fire_in_the_order_in_which_they_were_scheduled_whatever_was_cancelled() {
        List<Timeout<?>> odd = new ArrayList<>();
        List<String> even = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Timeout<?> timeout = wheel.schedule("timer " + i, 70_000 * TICK);
            if (i % 2 == 1) {
                odd.add(timeout);
            } else {
                even.add("timer " + i);
            }
        }
        odd.forEach(Timeout::cancel);

        poll(70_000 * TICK);

        assertThat(fired).isEqualTo(even);
    }

    @Test
    void a_timer_ends_once() {
        Timeout<?> fires = wheel.schedule("fires", TICK);
        Timeout<?> cancelled = wheel.schedule("cancelled", TICK);
        assertThat(cancelled.cancel()).isTrue();
        assertThat(cancelled.cancel()).isFalse();
        assertThat(cancelled.isPending()).isFalse();
        assertThat(fires.isPending()).isTrue();

        poll(TICK);

        assertThat(fired).containsExactly("fires");
        assertThat(fires.isPending()).isFalse();
        assertThat(fires.cancel()).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void a_poll_cascades_no_more_than_its_limit_and_later_timers_do_not_overtake() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            wheel.schedule("timer " + i, 300 * TICK);
            expected.add("timer " + i);
        }

        assertThat(wheel.poll(300 * TICK, 4, fired::add)).isZero();
        assertThat(wheel.cascades()).isEqualTo(4);
        assertThat(occupancy()).containsExactly(4, 6, 0, 0, 0, 0, 0, 0);
        wheel.schedule("late comer", 300 * TICK);
        expected.add("late comer");
        int polls = 1;
        while (wheel.poll(300 * TICK, 4, fired::add) == 0) {
            polls++;
        }

        assertThat(fired).isEqualTo(expected);
        assertThat(polls).isEqualTo(5);
        assertThat(wheel.cascades()).isEqualTo(11);
    }

    @Test
    void a_lone_timer_is_waited_for_in_one_go_and_fires_from_where_it_lies() {
        long farAway = (7L << 40) + 12_345;
        wheel.schedule("lone", farAway * TICK);

        assertThat(wheel.nanosToNext()).isEqualTo(farAway * TICK);
        assertThat(poll(farAway * TICK - 1)).isEqualTo(1);
        assertThat(poll(farAway * TICK)).isEqualTo(Long.MAX_VALUE);

        assertThat(fired).containsExactly("lone");
    }

    @Test
    void a_lone_timer_fires_without_a_cascade_if_no_poll_came_before() {
        wheel.schedule("lone", 70_000 * TICK);

        poll(70_000 * TICK);

        assertThat(fired).containsExactly("lone");
        assertThat(wheel.cascades()).isZero();
    }

    @Test
    void consumer_whenItSchedulesForLater_getsThatTimerNoSooner() {
        DrivenWheel<String> fine = new DrivenWheel<>(0, Duration.ofNanos(1));
        fine.schedule("lone", 332_340);

        fine.poll(332_340, Integer.MAX_VALUE, name -> {
            fired.add(name);
            if (name.equals("lone")) {
                fine.schedule("12 ns later", 332_352);
            }
        });
        assertThat(fired).containsExactly("lone");
        fine.poll(332_351, Integer.MAX_VALUE, fired::add);
        assertThat(fired).containsExactly("lone");
        fine.poll(332_352, Integer.MAX_VALUE, fired::add);
        assertThat(fired).containsExactly("lone", "12 ns later");
    }

    @Test
    void schedule_afterTheConsumerHasThrown_firesNoSooner() {
        DrivenWheel<String> fine = new DrivenWheel<>(0, Duration.ofNanos(1));
        fine.schedule("lone", 332_340);
        assertThatThrownBy(() -> fine.poll(332_340, Integer.MAX_VALUE, name -> {
                    throw new IllegalStateException(name);
                }))
                .hasMessage("lone");

        fine.schedule("12 ns later", 332_352);

        fine.poll(332_351, Integer.MAX_VALUE, fired::add);
        assertThat(fired).isEmpty();
        fine.poll(332_352, Integer.MAX_VALUE, fired::add);
        assertThat(fired).containsExactly("12 ns later");
    }

    @Test
    void timersFarApart_inOneSlotOfTheTopLevels_fireAtTheirOwnTicks() {
        DrivenWheel<String> fine = new DrivenWheel<>(0, Duration.ofNanos(1));
        long far = 3L << 40;
        fine.schedule("b", far + (5L << 32) + 7);
        fine.schedule("a", far + 7);
        fine.schedule("c", far + (5L << 32) + 8);

        assertThat(fine.poll(far + 6, Integer.MAX_VALUE, fired::add)).isEqualTo(1);
        fine.poll(far + 7, Integer.MAX_VALUE, fired::add);
        assertThat(fired).containsExactly("a");
        fine.poll(far + (5L << 32) + 6, Integer.MAX_VALUE, fired::add);
        assertThat(fired).containsExactly("a");
        fine.poll(far + (5L << 32) + 8, Integer.MAX_VALUE, fired::add);
        assertThat(fired).containsExactly("a", "b", "c");
    }

    @Test
    void largeSlot_whenTimersComeAndGoAsItMovesAhead_firesTheOthersInOrder() {
        List<Timeout<?>> timeouts = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            timeouts.add(wheel.schedule("timer " + i, (70_000 + i / 10) * TICK));
        }
        wheel.schedule("before", 65_535 * TICK);
        long now = wheel.poll(0, 1, fired::add);
        for (int polls = 0; polls < 20; polls++) {
            now += wheel.poll(now, 100, fired::add);
        }
        assertThat(now).isLessThan(65_535 * TICK);
        assertThat(wheel.cascades()).isEqualTo(1_000);
        wheel.schedule("late comer", 70_000 * TICK);
        timeouts.get(1).cancel();
        timeouts.get(4_999).cancel();
        assertThat(wheel.size()).isEqualTo(5_000);
        assertThat(fired).isEmpty();
        poll(65_535 * TICK);
        poll(65_536 * TICK);
        poll(70_499 * TICK);

        expected.add("before");
        for (int i = 0; i < 4_999; i++) {
            if (i != 1) {
                expected.add("timer " + i);
            }
            if (i == 9) {
                expected.add("late comer");
            }
        }
        assertThat(fired).isEqualTo(expected);
        assertThat(wheel.lying()).isZero();
    }

    @Test
    void manyTimersInAShortSlotOfALongSlot_whenTheShortSlotBegins_haveMovedAheadExceptAThousand() {
        int crowd = 20_000;
        for (int i = 0; i < crowd; i++) {
            wheel.schedule("timer " + i, (70_000 + i % 100) * TICK);
        }
        long now = 0;
        long wait = wheel.poll(now, 1_024, fired::add);
        while (now + wait < 69_888 * TICK) {
            now += wait;
            wait = wheel.poll(now, 1_024, fired::add);
        }

        assertThat(fired).isEmpty();
        assertThat(wheel.levels().get(0).timers()).isGreaterThanOrEqualTo(crowd - 1_024);
    }

    @Test
    void sweep_whenAllTimersOfASlotHaveMovedAhead_goesOnBehindIt() {
        List<Timeout<?>> timeouts = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            timeouts.add(wheel.schedule("timer " + i, 70_000 * TICK));
        }
        poll(65_536 * TICK - 1);
        assertThat(fired).isEmpty();
        timeouts.subList(3_000, 5_000).forEach(Timeout::cancel);
        sweepAll();
        int swept = wheel.lying();
        for (int i = 0; i < 1_000; i++) {
            wheel.schedule("far " + i, 200_000 * TICK).cancel();
        }

        sweepAll();

        assertThat(wheel.lying()).isEqualTo(swept);
    }

    private void sweepAll() {
        while (wheel.sweep(100)) {
            assertThat(fired).isEmpty();
        }
    }

    @Test
    void what_a_lone_timer_schedules_as_it_fires_comes_after_it() {
        wheel.schedule("lone", 70_000 * TICK);

        wheel.poll(80_000 * TICK, Integer.MAX_VALUE, name -> {
            fired.add(name);
            if (name.equals("lone")) {
                wheel.schedule("at once", 0);
                wheel.schedule("in the same slot", 70_001 * TICK);
                wheel.schedule("later", 90_000 * TICK);
            }
        });
        poll(90_000 * TICK);

        assertThat(fired).containsExactly("lone", "at once", "in the same slot", "later");
    }

    @Test
    void many_timers_cascade_before_the_first_of_them_is_due() {
        for (int i = 0; i < 1000; i++) {
            wheel.schedule("timer " + i, 70_000 * TICK);
        }

        assertThat(poll(0)).isEqualTo(65_536 * TICK);
        assertThat(poll(65_536 * TICK)).isEqualTo((69_888 - 65_536) * TICK);
        assertThat(wheel.cascades()).isEqualTo(1000);
        assertThat(poll(69_888 * TICK)).isEqualTo((70_000 - 69_888) * TICK);
        assertThat(wheel.cascades()).isEqualTo(2000);
    }

    @Test
    void a_timer_of_a_slot_left_half_cascaded_can_be_cancelled() {
        Timeout<?> moved = wheel.schedule("moved", 300 * TICK);
        wheel.schedule("stays", 300 * TICK);
        Timeout<?> waiting = wheel.schedule("waiting", 300 * TICK);
        wheel.poll(300 * TICK, 1, fired::add);

        moved.cancel();
        waiting.cancel();
        poll(300 * TICK);

        assertThat(fired).containsExactly("stays");
    }

    @Test
    void what_fires_may_schedule_and_cancel() {
        Timeout<?> victim = wheel.schedule("victim", 2 * TICK);
        wheel.schedule("killer", TICK);

        wheel.poll(2 * TICK, Integer.MAX_VALUE, name -> {
            fired.add(name);
            if (name.equals("killer")) {
                victim.cancel();
                wheel.schedule("child", TICK);
            }
        });

        assertThat(fired).containsExactly("killer", "child");
    }

    @Test
    void a_consumer_that_throws_loses_no_timer_but_its_own() {
        wheel.schedule("bad", TICK);
        wheel.schedule("good", TICK);

        assertThatThrownBy(() -> wheel.poll(TICK, 10, name -> {
                    throw new IllegalStateException(name);
                }))
                .hasMessage("bad");
        poll(TICK);

        assertThat(fired).containsExactly("good");
        assertThat(wheel.size()).isZero();
    }

    @Test
    void time_that_goes_back_is_taken_for_the_latest() {
        poll(100 * TICK);
        wheel.schedule("a", 101 * TICK);

        assertThat(poll(50 * TICK)).isEqualTo(TICK);
        assertThat(poll(Long.MIN_VALUE)).isPositive();
        poll(101 * TICK);

        assertThat(fired).containsExactly("a");
    }

    @Test
    void timers_may_fire_and_come_between_the_steps_of_a_sweep() {
        List<Timeout<?>> odd = new ArrayList<>();
        List<String> even = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Timeout<?> timeout = wheel.schedule("timer " + i, (i / 500 + 1) * TICK);
            if (i % 2 == 1) {
                odd.add(timeout);
            } else {
                even.add("timer " + i);
            }
        }
        odd.forEach(Timeout::cancel);

        wheel.sweep(3);
        wheel.poll(TICK, 300, fired::add);
        wheel.sweep(3);
        wheel.schedule("late comer", TICK);
        even.add(250, "late comer");
        wheel.sweep(3);
        poll(TICK);
        while (wheel.sweep(3)) {
            assertThat(wheel.size()).isEqualTo(250);
        }
        assertThat(wheel.lying()).isEqualTo(250);
        poll(2 * TICK);

        assertThat(fired).isEqualTo(even);
        assertThat(wheel.lying()).isZero();
    }

    @Test
    void a_tick_is_rounded_down_to_a_power_of_two() {
        assertThat(new DrivenWheel<>(0, Duration.ofMillis(1)).tickNanos()).isEqualTo(524_288);
        assertThat(new DrivenWheel<>(0, Duration.ofNanos(1)).tickNanos()).isEqualTo(1);
    }

    @Test
    void a_level_spans_256_slots_of_the_one_below() {
        assertThat(wheel.levels().get(0)).isEqualTo(new LevelOccupancy(0, Duration.ofNanos(65_536), 0));
        assertThat(wheel.levels().get(3)).isEqualTo(new LevelOccupancy(3, Duration.ofNanos(65_536L << 24), 0));
    }

    private long poll(long nowNanos) {
        return wheel.poll(nowNanos, Integer.MAX_VALUE, fired::add);
    }

    private List<Integer> occupancy() {
        return wheel.levels().stream().map(LevelOccupancy::timers).toList();
    }
}
