package io.delayjob.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The wheel in virtual time, polled by the test. */
class TimingWheelTest {

    private static final long SECOND = 1_000_000_000;

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - SECOND); // overflows within the tests
    private final List<String> fired = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final TimingWheel wheel = TimingWheel.builder(clock::get)
            .tick(Duration.ofNanos(1))
            .maxTimers(5000)
            .failureHandler(failures::add)
            .wakeUp(wakeUps::incrementAndGet)
            .build();

    @Test
    void runs_tasks_in_order_at_their_time() {
        wheel.schedule(() -> fired.add("later"), Duration.ofSeconds(30));
        wheel.schedule(() -> fired.add("sooner"), Duration.ofSeconds(10));

        assertThat(advance(10 * SECOND - 1)).isEqualTo(1);
        assertThat(fired).isEmpty();
        advance(1);
        assertThat(fired).containsExactly("sooner");
        advance(20 * SECOND);
        assertThat(fired).containsExactly("sooner", "later");
        assertThat(wheel.poll()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_leap_runs_what_it_passes_in_order_including_timers_not_seen_before() {
        wheel.schedule(() -> fired.add("b"), Duration.ofSeconds(2));
        wheel.poll();
        wheel.schedule(() -> fired.add("c"), Duration.ofSeconds(3));
        wheel.schedule(() -> fired.add("a"), Duration.ofSeconds(1));

        advance(10 * SECOND);

        assertThat(fired).containsExactly("a", "b", "c");
    }

    @Test
    void no_delay_and_a_negative_delay_fire_in_the_next_poll_even_with_a_coarse_tick() {
        TimingWheel coarse =
                TimingWheel.builder(clock::get).tick(Duration.ofSeconds(1)).build();
        clock.addAndGet(SECOND / 2);
        coarse.poll();
        coarse.schedule(() -> fired.add("zero"), Duration.ZERO);
        coarse.schedule(() -> fired.add("negative"), Duration.ofSeconds(Long.MIN_VALUE));
        coarse.scheduleAt(() -> fired.add("long ago"), clock.get() - Long.MAX_VALUE);

        coarse.poll();

        assertThat(fired).containsExactly("zero", "negative", "long ago");
    }

    @Test
    void delays_beyond_146_years_are_cut_to_that() {
        Timeout timeout = wheel.schedule(() -> fired.add("end of days"), Duration.ofSeconds(Long.MAX_VALUE));
        wheel.scheduleAt(() -> fired.add("far"), clock.get() + Long.MAX_VALUE);

        advance((1L << 62) - 1);
        assertThat(timeout.isPending()).isTrue();
        advance(1);

        assertThat(fired).containsExactly("end of days", "far");
    }

    @Test
    void a_deadline_is_a_time_on_the_wheels_clock() {
        wheel.scheduleAt(() -> fired.add("task"), clock.get() + 2 * SECOND);

        advance(2 * SECOND - 1);
        assertThat(fired).isEmpty();
        advance(1);
        assertThat(fired).containsExactly("task");
    }

    @Test
    void a_poll_asks_for_the_next_at_the_latest_when_a_timer_is_due() {
        wheel.schedule(() -> fired.add("task"), Duration.ofHours(1));

        for (int polls = 0; polls < 8 && fired.isEmpty(); polls++) {
            clock.addAndGet(wheel.poll());
        }
        wheel.poll();

        assertThat(fired).containsExactly("task");
        assertThat(wheel.lagNanos()).isZero();
    }

    @Test
    void the_time_that_tasks_take_shortens_the_wait_for_the_next() {
        wheel.schedule(() -> clock.addAndGet(100), Duration.ZERO);
        wheel.schedule(() -> fired.add("next"), Duration.ofNanos(250));
        assertThat(wheel.poll()).isEqualTo(150);

        wheel.schedule(() -> clock.addAndGet(1000), Duration.ZERO);
        assertThat(wheel.poll()).isZero();
        wheel.poll();
        assertThat(fired).containsExactly("next");
    }

    @Test
    void a_timer_cascades_no_more_often_for_a_wheel_that_was_idle() {
        wheel.poll();
        clock.addAndGet(1L << 50);
        wheel.schedule(() -> fired.add("task"), Duration.ofNanos(100));
        wheel.poll();

        advance(100);

        assertThat(fired).containsExactly("task");
        assertThat(wheel.cascades()).isZero();
    }

    @Test
    void what_a_task_schedules_is_left_to_the_next_poll() {
        wheel.schedule(
                () -> {
                    fired.add("parent");
                    wheel.schedule(() -> fired.add("child"), Duration.ZERO);
                },
                Duration.ZERO);

        assertThat(wheel.poll()).isZero();
        assertThat(fired).containsExactly("parent");
        assertThat(wheel.poll()).isEqualTo(Long.MAX_VALUE);
        assertThat(fired).containsExactly("parent", "child");
    }

    @Test
    void calls_for_a_poll_once_when_a_deadline_is_before_the_end_of_the_rest() {
        wheel.poll();
        wheel.schedule(() -> {}, Duration.ofMillis(10));
        wheel.schedule(() -> {}, Duration.ofMillis(5));
        assertThat(wakeUps).hasValue(1);

        long wait = wheel.poll();
        wheel.schedule(() -> {}, Duration.ofMillis(20));
        wheel.schedule(() -> {}, Duration.ofNanos(wait));
        assertThat(wakeUps).hasValue(1);
        wheel.schedule(() -> {}, Duration.ofNanos(wait - 1));
        assertThat(wakeUps).hasValue(2);
    }

    @Test
    void a_deadline_that_is_rounded_up_to_the_end_of_the_rest_calls_for_no_poll() {
        TimingWheel coarse = TimingWheel.builder(clock::get)
                .tick(Duration.ofNanos(1 << 16))
                .wakeUp(wakeUps::incrementAndGet)
                .build();
        coarse.schedule(() -> {}, Duration.ofNanos(2 << 16));
        coarse.poll();

        coarse.schedule(() -> {}, Duration.ofNanos((1 << 16) + 1));
        assertThat(wakeUps).hasValue(1);
        coarse.schedule(() -> {}, Duration.ofNanos(1 << 16));
        assertThat(wakeUps).hasValue(2);
    }

    @Test
    void a_timer_ends_once() {
        Timeout cancelled = wheel.schedule(() -> fired.add("cancelled"), Duration.ofSeconds(1));
        Timeout cancelledEarly = wheel.schedule(() -> fired.add("cancelled early"), Duration.ofSeconds(1));
        Timeout fires = wheel.schedule(() -> fired.add("fires"), Duration.ofSeconds(1));
        assertThat(cancelledEarly.cancel()).isTrue();
        wheel.poll();
        assertThat(cancelled.cancel()).isTrue();
        assertThat(cancelled.cancel()).isFalse();
        assertThat(cancelled.isPending()).isFalse();
        assertThat(wheel.size()).isEqualTo(1);

        advance(SECOND);

        assertThat(fired).containsExactly("fires");
        assertThat(fires.cancel()).isFalse();
        assertThat(fires.isPending()).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void a_task_may_cancel_another_of_its_own_tick() {
        Timeout[] second = new Timeout[1];
        wheel.schedule(() -> fired.add("first, " + second[0].cancel()), Duration.ofSeconds(1));
        second[0] = wheel.schedule(() -> fired.add("second"), Duration.ofSeconds(1));

        advance(SECOND);

        assertThat(fired).containsExactly("first, true");
    }

    @Test
    void cancelled_timers_are_swept_out_when_they_are_many_and_more_than_others() {
        List<Timeout> timeouts = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            timeouts.add(wheel.schedule(() -> {}, Duration.ofHours(1)));
        }
        wheel.poll();
        timeouts.subList(0, 2000).forEach(Timeout::cancel);
        wheel.poll();
        assertThat(inSlots()).isEqualTo(4000);

        timeouts.get(2000).cancel();
        wheel.poll();

        assertThat(inSlots()).isLessThan(3100);
        assertThat(wheel.size()).isEqualTo(1999);
    }

    @Test
    void many_cancelled_timers_call_for_a_poll() {
        int some = 4_096;
        for (int round = 1; round <= 4; round++) {
            List<Timeout> timeouts = new ArrayList<>();
            for (int i = 0; i < some; i++) {
                timeouts.add(wheel.schedule(() -> {}, Duration.ofHours(1)));
            }
            wheel.poll();
            wakeUps.set(0);

            timeouts.subList(1, some).forEach(Timeout::cancel);
            assertThat(wakeUps).hasValue(0);
            timeouts.get(0).cancel();
        }
        assertThat(wakeUps).hasValue(1);
    }

    @Test
    void what_tasks_throw_goes_to_the_handler_and_hurts_no_other_task() {
        Error failure = new AssertionError("boom");
        wheel.schedule(
                () -> {
                    throw failure;
                },
                Duration.ZERO);
        wheel.schedule(() -> fired.add("next"), Duration.ZERO);

        wheel.poll();

        assertThat(failures).containsExactly(failure);
        assertThat(fired).containsExactly("next");
    }

    @Test
    void what_the_failure_handler_throws_hurts_no_task() {
        TimingWheel wheel = TimingWheel.builder(clock::get)
                .failureHandler(failure -> {
                    throw new IllegalStateException(failure);
                })
                .build();
        wheel.schedule(
                () -> {
                    throw new IllegalStateException("boom");
                },
                Duration.ZERO);
        wheel.schedule(() -> fired.add("next"), Duration.ZERO);

        wheel.poll();

        assertThat(fired).containsExactly("next");
    }

    @Test
    void what_the_wake_up_throws_goes_to_the_handler_and_the_timer_counts() {
        IllegalStateException failure = new IllegalStateException("boom");
        TimingWheel wheel = TimingWheel.builder(clock::get)
                .failureHandler(failures::add)
                .wakeUp(() -> {
                    throw failure;
                })
                .build();

        assertThat(wheel.schedule(() -> {}, Duration.ZERO).isPending()).isTrue();

        assertThat(failures).containsExactly(failure);
    }

    @Test
    void more_timers_than_allowed_are_refused_until_one_ends() {
        TimingWheel small = TimingWheel.builder(clock::get).maxTimers(2).build();
        Timeout first = small.schedule(() -> {}, Duration.ZERO);
        small.schedule(() -> {}, Duration.ZERO);

        assertThatThrownBy(() -> small.schedule(() -> {}, Duration.ZERO))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("This timing wheel holds 2 timers, as many as it may (maxTimers): raise the bound, or wait"
                        + " until some have fired");
        first.cancel();
        small.schedule(() -> fired.add("admitted"), Duration.ZERO);
        small.poll();

        assertThat(fired).containsExactly("admitted");
        assertThat(small.size()).isZero();
    }

    @Test
    void tells_how_late_the_last_timer_was_and_what_its_levels_hold() {
        wheel.schedule(() -> {}, Duration.ofNanos(100));
        wheel.schedule(() -> {}, Duration.ofNanos(1000));
        wheel.schedule(() -> {}, Duration.ofNanos(1000));
        wheel.poll();
        assertThat(wheel.levels()).extracting(LevelOccupancy::timers).containsExactly(1, 2, 0, 0, 0, 0, 0, 0);

        advance(130);
        assertThat(wheel.lagNanos()).isEqualTo(30);
        assertThat(wheel.cascades()).isZero();
        advance(870);
        assertThat(wheel.lagNanos()).isZero();
        assertThat(wheel.cascades()).isEqualTo(2);
    }

    @Test
    void close_cancels_what_is_pending_and_refuses_more() {
        Timeout inSlot = wheel.schedule(() -> fired.add("in slot"), Duration.ofSeconds(1));
        wheel.poll();
        Timeout inInbox = wheel.schedule(() -> fired.add("in inbox"), Duration.ofSeconds(1));

        wheel.close();
        wheel.close();

        assertThat(inSlot.isPending()).isFalse();
        assertThat(inInbox.isPending()).isFalse();
        assertThat(inSlot.cancel()).isFalse();
        assertThat(wheel.size()).isZero();
        assertThat(inSlots()).isZero();
        assertThat(advance(SECOND)).isEqualTo(Long.MAX_VALUE);
        assertThat(fired).isEmpty();
        assertThatThrownBy(() -> wheel.schedule(() -> {}, Duration.ZERO))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("This timing wheel is closed: it takes no more timers");
        assertThatThrownBy(() -> wheel.start(Thread::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("This timing wheel is closed: build a new one");
    }

    @Test
    void a_task_that_closes_the_wheel_is_the_last() {
        wheel.schedule(wheel::close, Duration.ofSeconds(1));
        Timeout sameTick = wheel.schedule(() -> fired.add("same tick"), Duration.ofSeconds(1));
        Timeout later = wheel.schedule(() -> fired.add("later"), Duration.ofSeconds(2));

        assertThat(advance(SECOND)).isEqualTo(Long.MAX_VALUE);

        assertThat(fired).isEmpty();
        assertThat(sameTick.isPending()).isFalse();
        assertThat(later.isPending()).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void a_task_must_not_poll() {
        wheel.schedule(wheel::poll, Duration.ZERO);

        wheel.poll();

        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("A task of a timing wheel must not poll it: schedule another task instead"));
    }

    @Test
    void senseless_arguments_are_refused() {
        assertThatThrownBy(() -> TimingWheel.builder(clock::get).tick(Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Invalid tick (PT1M)");
        assertThatThrownBy(() -> TimingWheel.builder(clock::get).maxTimers(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid maxTimers (0 timers): a timing wheel must be allowed to hold 1 timer or more");
        assertThatThrownBy(() -> wheel.schedule(null, Duration.ZERO))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("task");
        assertThatThrownBy(() -> wheel.schedule(() -> {}, null)).isInstanceOf(NullPointerException.class);
        assertThat(wheel.size()).isZero();
    }

    private int inSlots() {
        return wheel.levels().stream().mapToInt(LevelOccupancy::timers).sum();
    }

    private long advance(long nanos) {
        clock.addAndGet(nanos);
        return wheel.poll();
    }
}
