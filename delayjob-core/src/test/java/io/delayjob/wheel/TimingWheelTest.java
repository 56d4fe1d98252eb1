package io.delayjob.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the wheel in virtual time. The test polls it. */
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
            .polledByOwner(wakeUps::incrementAndGet);

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
    void periodicTimer_whoseClockFailsOnce_goesOn() {
        boolean[] broken = {false};
        TimingWheel timers = TimingWheel.builder(() -> {
                    if (broken[0]) {
                        broken[0] = false;
                        throw new IllegalStateException("no clock");
                    }
                    return clock.get();
                })
                .tick(Duration.ofNanos(1))
                .failureHandler(failures::add)
                .polledByOwner(() -> {});
        timers.scheduleEvery(
                () -> {
                    fired.add("run");
                    broken[0] = fired.size() == 1;
                },
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));

        for (int second = 0; second < 3; second++) {
            clock.addAndGet(SECOND);
            timers.poll();
        }

        assertThat(fired).hasSize(3);
        assertThat(failures).extracting(Throwable::getMessage).containsExactly("no clock");
    }

    @Test
    void snapshot_ofAWheelAtRest_addsUpToItsSize_andSaysWhereTimeIs() throws Exception {
        for (int millis = 1; millis <= 500; millis++) {
            wheel.schedule(() -> {}, Duration.ofMillis(millis * millis));
        }
        wheel.poll();
        Future<WheelSnapshot> asked = wheel.snapshot();
        Future<WheelSnapshot> together = wheel.snapshot();
        assertThat(asked.isDone()).as("before a poll").isFalse();
        int woken = wakeUps.get();

        long rest = wheel.poll();

        WheelSnapshot seen = asked.get();
        assertThat(woken).as("its owner is woken").isPositive();
        assertThat(together.get()).isSameAs(seen);
        assertThat(seen.timers()).isEqualTo(wheel.size()).isEqualTo(500);
        assertThat(seen.nextNanos()).isEqualTo(rest);
        assertThat(seen.atNanos()).isEqualTo(clock.get());
        assertThat(seen.levels()).allSatisfy(level -> assertThat(level.into()).isLessThan(level.slotWidth()));
        assertThat(wheel.snapshot()).as("the next look").isNotSameAs(seen);
    }

    @Test
    void snapshot_ofAWheelThatIsFull_takesNoPlace_andCountsWhatHasEnded() throws Exception {
        List<Timeout<Runnable>> timers = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            timers.add(wheel.schedule(() -> {}, Duration.ofSeconds(i < 10 ? 1 : 60)));
        }
        timers.subList(10, 30).forEach(Timeout::cancel);
        Future<WheelSnapshot> asked = wheel.snapshot();
        advance(SECOND);

        assertThat(asked.get().fired()).isEqualTo(10);
        assertThat(asked.get().cancelled()).isEqualTo(20);
        assertThat(wheel.size()).isEqualTo(4970);
        assertThat(wheel.stop()).as("no timer of its own").hasSize(4970);
    }

    @Test
    void snapshot_ofAClosedWheel_fails_asDoesOneThatWaitsWhenTheWheelIsClosed() {
        Future<WheelSnapshot> waiting = wheel.snapshot();
        wheel.close();

        for (Future<WheelSnapshot> asked : List.of(waiting, wheel.snapshot())) {
            assertThat(asked.isDone()).isTrue();
            assertThatThrownBy(asked::get).hasCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void snapshot_thatOneThreadCancels_isGivenToTheOthers() throws Exception {
        Future<WheelSnapshot> impatient = wheel.snapshot();
        Future<WheelSnapshot> patient = wheel.snapshot();
        impatient.cancel(true);
        wheel.poll();

        assertThat(patient.get().timers()).isZero();
    }

    @Test
    void no_delay_and_a_negative_delay_fire_in_the_next_poll_even_with_a_coarse_tick() {
        TimingWheel coarse =
                TimingWheel.builder(clock::get).tick(Duration.ofSeconds(1)).polledByOwner(() -> {});
        clock.addAndGet(SECOND / 2);
        coarse.poll();
        coarse.schedule(() -> fired.add("zero"), Duration.ZERO);
        coarse.schedule(() -> fired.add("negative"), Duration.ofSeconds(Long.MIN_VALUE));
        coarse.scheduleAt(() -> fired.add("long ago"), clock.get() - (1L << 62));

        coarse.poll();

        assertThat(fired).containsExactly("zero", "negative", "long ago");
    }

    @Test
    void delays_beyond_146_years_are_cut_to_that() {
        Timeout<?> timeout = wheel.schedule(() -> fired.add("end of days"), Duration.ofSeconds(Long.MAX_VALUE));
        wheel.scheduleAt(() -> fired.add("far"), clock.get() + Long.MAX_VALUE);

        advance((1L << 62) - 1);
        assertThat(timeout.isPending()).isTrue();
        advance(1);

        assertThat(fired).containsExactly("end of days", "far");
    }

    @Test
    void scheduleAt_theLatestTimeOnANegativeClock_isFarAway() {
        AtomicLong negative = new AtomicLong(-5);
        TimingWheel below = TimingWheel.builder(negative::get).polledByOwner(() -> {});
        Timeout<?> timeout = below.scheduleAt(() -> fired.add("never"), Long.MAX_VALUE);

        below.poll();
        negative.set((1L << 62) - 6);
        below.poll();

        assertThat(fired).isEmpty();
        assertThat(timeout.isPending()).isTrue();
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
        TimingWheel coarse =
                TimingWheel.builder(clock::get).tick(Duration.ofNanos(1 << 16)).polledByOwner(wakeUps::incrementAndGet);
        coarse.schedule(() -> {}, Duration.ofNanos(2 << 16));
        coarse.poll();

        coarse.schedule(() -> {}, Duration.ofNanos((1 << 16) + 1));
        assertThat(wakeUps).hasValue(1);
        coarse.schedule(() -> {}, Duration.ofNanos(1 << 16));
        assertThat(wakeUps).hasValue(2);
    }

    @Test
    void a_timer_ends_once() {
        Timeout<?> cancelled = wheel.schedule(() -> fired.add("cancelled"), Duration.ofSeconds(1));
        Timeout<?> cancelledEarly = wheel.schedule(() -> fired.add("cancelled early"), Duration.ofSeconds(1));
        Timeout<?> fires = wheel.schedule(() -> fired.add("fires"), Duration.ofSeconds(1));
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
        Timeout<?>[] second = new Timeout<?>[1];
        wheel.schedule(() -> fired.add("first, " + second[0].cancel()), Duration.ofSeconds(1));
        second[0] = wheel.schedule(() -> fired.add("second"), Duration.ofSeconds(1));

        advance(SECOND);

        assertThat(fired).containsExactly("first, true");
    }

    @Test
    void cancelled_timers_are_swept_out_when_they_are_many_and_more_than_others() {
        List<Timeout<?>> timeouts = new ArrayList<>();
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
    void slotThatIsFilledAndCancelledOverAndOver_whenPolled_doesNotGrow() {
        wheel.schedule(() -> {}, Duration.ofHours(1));
        for (int i = 0; i < 100_000; i++) {
            Timeout<?> timeout = wheel.schedule(() -> {}, Duration.ofHours(1));
            wheel.poll();
            timeout.cancel();
            assertThat(inSlots()).isLessThanOrEqualTo(1_100);
        }
        assertThat(wheel.size()).isEqualTo(1);
    }

    @Test
    void sweepOfManyCancelledTimers_whileOthersComeDue_goesOnPollByPoll() {
        TimingWheel unbounded =
                TimingWheel.builder(clock::get).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
        List<Timeout<?>> timeouts = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            timeouts.add(unbounded.schedule(() -> {}, Duration.ofHours(1)));
        }
        unbounded.poll();
        timeouts.subList(0, 60_000).forEach(Timeout::cancel);
        unbounded.schedule(() -> fired.add("due during the sweep"), Duration.ofNanos(1));

        assertThat(unbounded.poll()).isZero();
        assertThat(inSlots(unbounded)).isGreaterThan(90_000);
        clock.incrementAndGet();
        assertThat(unbounded.poll()).isZero();
        assertThat(fired).containsExactly("due during the sweep");
        for (int polls = 0; polls < 100 && unbounded.poll() == 0; polls++) {
            assertThat(unbounded.size()).isEqualTo(40_000);
        }
        assertThat(inSlots(unbounded)).isLessThanOrEqualTo(80_000);
    }

    @Test
    void slotOfManyTimers_beforeItBegins_movesDownPollByPollWhileOthersFireOnTime() {
        TimingWheel unbounded =
                TimingWheel.builder(clock::get).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
        long start = clock.get();
        long slotNanos = 1L << 32;
        int timers = 100_000;
        List<Long> late = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < timers; i++) {
            long deadline = start + 7 * slotNanos + random.nextLong(slotNanos);
            unbounded.scheduleAt(() -> late.add(clock.get() - deadline), deadline);
        }
        long mostMoved = 0;
        long pollsThatMove = 0;
        long wait = unbounded.poll();
        while (wait != Long.MAX_VALUE) {
            clock.addAndGet(wait);
            long before = unbounded.cascades();
            wait = unbounded.poll();
            long moved = unbounded.cascades() - before;
            mostMoved = Math.max(mostMoved, moved);
            pollsThatMove += moved > 0 ? 1 : 0;
        }

        assertThat(late).hasSize(timers).containsOnly(0L);
        assertThat(mostMoved).as("timers moved by one poll").isLessThanOrEqualTo(2 * 1024 + 64);
        assertThat(pollsThatMove).isGreaterThan(timers / 1024);
    }

    @Test
    void poll_whenMoreTimersAreDueThanItMayFire_firesSomeAndAsksForAnother() {
        TimingWheel unbounded = TimingWheel.builder(clock::get).polledByOwner(() -> {});
        for (int i = 0; i < 2_500; i++) {
            unbounded.schedule(() -> fired.add("due"), Duration.ZERO);
        }

        assertThat(unbounded.poll()).isZero();
        assertThat(fired).hasSize(1_024);
        assertThat(unbounded.poll()).isZero();
        assertThat(unbounded.poll()).isEqualTo(Long.MAX_VALUE);
        assertThat(fired).hasSize(2_500);
    }

    @Test
    void lateTimer_whileTheOwnerRestsForEver_wakesIt() {
        TimingWheel below =
                TimingWheel.builder(clock::get).tick(Duration.ofNanos(1)).polledByOwner(wakeUps::incrementAndGet);
        clock.addAndGet(10);
        assertThat(below.poll()).isEqualTo(Long.MAX_VALUE);
        clock.addAndGet(-5); // as read by a thread before that poll

        below.schedule(() -> {}, Duration.ZERO);

        assertThat(wakeUps).hasValue(1);
    }

    @Test
    void many_cancelled_timers_call_for_a_poll() {
        int some = 4_096;
        for (int round = 1; round <= 4; round++) {
            List<Timeout<?>> timeouts = new ArrayList<>();
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
                .polledByOwner(() -> {});
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
                .polledByOwner(() -> {
                    throw failure;
                });

        assertThat(wheel.schedule(() -> {}, Duration.ZERO).isPending()).isTrue();

        assertThat(failures).containsExactly(failure);
    }

    @Test
    void more_timers_than_allowed_are_refused_until_one_ends() {
        TimingWheel small = TimingWheel.builder(clock::get).maxTimers(2).polledByOwner(() -> {});
        Timeout<?> first = small.schedule(() -> {}, Duration.ZERO);
        small.schedule(() -> {}, Duration.ZERO);

        assertThatThrownBy(() -> small.schedule(() -> {}, Duration.ZERO))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage(
                        "This timing wheel already holds 2 timers, its maximum (maxTimers): raise the limit, or wait"
                                + " until some timers have fired");
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
    void handle_whileItsTimerWaits_showsItsTask() {
        Runnable task = new Named("ping");
        Timeout<Runnable> timeout = wheel.schedule(task, Duration.ofSeconds(1));
        Timeout<Runnable> periodic = wheel.scheduleEvery(task, Duration.ZERO, Duration.ofSeconds(2));

        assertThat(timeout.task()).isSameAs(task);
        assertThat(timeout).hasToString("Timeout[pending, task=ping]");
        assertThat(periodic.task()).isSameAs(task);
        assertThat(periodic).hasToString("Timeout[pending, every 2000000000 ns, task=ping]");
        timeout.cancel();
        periodic.cancel();
        assertThat(timeout.task()).isNull();
        assertThat(timeout).hasToString("Timeout[ended]");
        assertThat(periodic.task()).isNull();
        assertThat(periodic).hasToString("Timeout[ended]");
    }

    @Test
    void periodicTimer_whateverItsTaskDoes_runsAtItsTimesAndLeavesOutWhatItMissed() {
        List<Long> runs = new ArrayList<>();
        long start = clock.get();
        Timeout<Runnable> periodic = wheel.scheduleEvery(
                () -> {
                    runs.add(clock.get() - start);
                    if (runs.size() == 2) {
                        clock.addAndGet(25);
                        throw new IllegalStateException("boom");
                    }
                },
                Duration.ofNanos(5),
                Duration.ofNanos(10));

        for (int polls = 0; polls < 16; polls++) {
            clock.addAndGet(wheel.poll());
        }

        assertThat(runs).startsWith(5L, 15L, 45L, 55L, 65L);
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessage("boom"));
        assertThat(periodic.isPending()).isTrue();
        assertThat(wheel.size()).isEqualTo(1);
    }

    @Test
    void periodicTimer_whenItsTaskCancelsIt_runsNoMore() {
        List<Timeout<Runnable>> periodic = new ArrayList<>();
        periodic.add(wheel.scheduleEvery(
                () -> {
                    fired.add("run");
                    assertThat(periodic.get(0).cancel()).isTrue();
                },
                Duration.ofNanos(10),
                Duration.ofNanos(10)));

        advance(10);
        advance(10);

        assertThat(fired).containsExactly("run");
        assertThat(periodic.get(0).isPending()).isFalse();
        assertThat(periodic.get(0).cancel()).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void periodicTimer_inAFullWheel_keepsItsPlaceUntilItIsCancelled() {
        TimingWheel full = TimingWheel.builder(clock::get)
                .tick(Duration.ofNanos(1))
                .maxTimers(1)
                .failureHandler(failures::add)
                .polledByOwner(() -> {});
        Timeout<Runnable> periodic = full.scheduleEvery(
                () -> {
                    fired.add("run");
                    assertThatThrownBy(() -> full.schedule(() -> {}, Duration.ZERO))
                            .isInstanceOf(RejectedExecutionException.class);
                },
                Duration.ofNanos(10),
                Duration.ofNanos(10));
        for (int run = 0; run < 3; run++) {
            clock.addAndGet(10);
            full.poll();
        }
        assertThat(failures).isEmpty();
        assertThat(fired).hasSize(3);

        periodic.cancel();

        assertThat(full.schedule(() -> {}, Duration.ZERO).isPending()).isTrue();
    }

    @Test
    void periodicTimer_withoutAPeriod_isRefused() {
        assertThatThrownBy(() -> wheel.scheduleEvery(() -> {}, Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid period (PT0S): must be 1 ns or more, because a period is the time between two "
                        + "runs of a timer");
        assertThat(wheel.size()).isZero();
    }

    @Test
    void stop_returnsTheTasksOfAllPendingTimers() {
        Runnable inSlot = new Named("in slot");
        Runnable inInbox = new Named("in inbox");
        Runnable periodic = new Named("periodic");
        wheel.schedule(inSlot, Duration.ofSeconds(1));
        wheel.schedule(new Named("cancelled"), Duration.ofSeconds(1)).cancel();
        wheel.schedule(new Named("fired"), Duration.ZERO);
        Timeout<Runnable> repeated = wheel.scheduleEvery(periodic, Duration.ZERO, Duration.ofSeconds(1));
        wheel.poll();
        wheel.schedule(inInbox, Duration.ofSeconds(1));

        assertThat(wheel.stop()).containsExactlyInAnyOrder(inSlot, inInbox, periodic);
        assertThat(wheel.stop()).isEmpty();
        assertThat(repeated.isPending()).isFalse();
        assertThat(repeated.cancel()).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void stop_calledByATask_returnsTheTasksThatAreDueOrWait() {
        List<Runnable> answered = new ArrayList<>();
        Runnable sameTick = new Named("same tick");
        Runnable later = new Named("later");
        wheel.schedule(() -> answered.addAll(wheel.stop()), Duration.ofSeconds(1));
        wheel.schedule(sameTick, Duration.ofSeconds(1));
        wheel.schedule(later, Duration.ofSeconds(2));

        advance(SECOND);

        assertThat(answered).containsExactlyInAnyOrder(sameTick, later);
        assertThat(wheel.stop()).isEmpty();
    }

    @Test
    void close_cancels_what_is_pending_and_refuses_more() {
        Timeout<?> inSlot = wheel.schedule(() -> fired.add("in slot"), Duration.ofSeconds(1));
        wheel.poll();
        Timeout<?> inInbox = wheel.schedule(() -> fired.add("in inbox"), Duration.ofSeconds(1));

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
    }

    @Test
    void a_task_that_closes_the_wheel_is_the_last() {
        wheel.schedule(wheel::close, Duration.ofSeconds(1));
        Timeout<?> sameTick = wheel.schedule(() -> fired.add("same tick"), Duration.ofSeconds(1));
        Timeout<?> later = wheel.schedule(() -> fired.add("later"), Duration.ofSeconds(2));

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
                        .hasMessage(
                                "A task of a timing wheel must not poll that wheel: schedule another task instead"));
    }

    @Test
    void senseless_arguments_are_refused() {
        assertThatThrownBy(() -> TimingWheel.builder(clock::get).tick(Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid tick (PT1M): must be from PT0.000000001S to PT1S; short ticks cost "
                        + "little, so try the default, PT0.000008192S");
        assertThatThrownBy(() -> TimingWheel.builder(clock::get).tick(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Invalid tick (PT0S)");
        assertThatThrownBy(() -> TimingWheel.builder(clock::get).tick(Duration.ofSeconds(1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Invalid tick (PT1.000000001S)");
        assertThatThrownBy(() -> TimingWheel.builder(clock::get).maxTimers(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid maxTimers (0 timers): must be 1 or more");
        assertThatThrownBy(() -> wheel.schedule(null, Duration.ZERO))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("task");
        assertThatThrownBy(() -> wheel.schedule(() -> {}, null)).isInstanceOf(NullPointerException.class);
        assertThat(wheel.size()).isZero();
    }

    private int inSlots() {
        return inSlots(wheel);
    }

    private static int inSlots(TimingWheel wheel) {
        return wheel.levels().stream().mapToInt(LevelOccupancy::timers).sum();
    }

    private long advance(long nanos) {
        clock.addAndGet(nanos);
        return wheel.poll();
    }

    private record Named(String name) implements Runnable {

        @Override
        public void run() {}

        @Override
        public String toString() {
            return name;
        }
    }
}
