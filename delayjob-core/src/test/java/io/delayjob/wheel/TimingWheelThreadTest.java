package io.delayjob.wheel;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Tests the wheel in real time. One thread polls it, while other threads schedule and cancel. */
@org.junit.jupiter.api.Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class TimingWheelThreadTest {

    private static final int THREADS = 4;

    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);
    private final PollingThread thread =
            new PollingThread(TimingWheel.builder(System::nanoTime).failureHandler(failures::add));
    private final TimingWheel wheel = thread.wheel();

    @AfterEach
    void stop() {
        thread.close();
        callers.shutdownNow();
    }

    @Test
    void runs_a_task_on_its_thread_and_not_early() throws Exception {
        CompletableFuture<Long> firedAt = new CompletableFuture<>();
        CompletableFuture<Thread> firedBy = new CompletableFuture<>();
        long begin = System.nanoTime();

        wheel.schedule(
                () -> {
                    firedAt.complete(System.nanoTime());
                    firedBy.complete(Thread.currentThread());
                },
                Duration.ofMillis(20));

        assertThat(firedAt.get(30, SECONDS) - begin).isGreaterThanOrEqualTo(20_000_000);
        assertThat(firedBy.get(30, SECONDS)).isSameAs(thread);
        assertThat(wheel.lagNanos()).isNotNegative();
    }

    @Test
    void an_earlier_deadline_wakes_the_sleeping_thread() throws Exception {
        wheel.schedule(() -> {}, Duration.ofDays(1));
        awaitSleep();
        CompletableFuture<Void> fired = new CompletableFuture<>();

        wheel.schedule(() -> fired.complete(null), Duration.ofMillis(1));

        fired.get(30, SECONDS);
    }

    @Test
    void the_first_deadline_wakes_the_thread_of_an_empty_wheel() throws Exception {
        awaitSleep();
        assertThat(wheel.poll()).isEqualTo(Long.MAX_VALUE);
        CompletableFuture<Void> fired = new CompletableFuture<>();

        wheel.schedule(() -> fired.complete(null), Duration.ZERO);

        fired.get(30, SECONDS);
    }

    @Test
    void many_cancelled_timers_wake_the_thread_to_be_taken_out() throws Exception {
        awaitSleep();
        for (int i = 0; i < 100_000; i++) {
            wheel.schedule(() -> {}, Duration.ofDays(1)).cancel();
        }

        CountDownLatch polled = new CountDownLatch(1);
        wheel.schedule(polled::countDown, Duration.ZERO);
        assertThat(polled.await(30, SECONDS)).isTrue();
        awaitSleep();

        assertThat(wheel.size()).isZero();
        assertThat(wheel.levels()).allMatch(level -> level.timers() <= 1024);
    }

    @Test
    void taskThatThrows_withoutAHandler_isReportedToItsThreadWhichLivesOn() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        IllegalStateException failure = new IllegalStateException("boom");
        try (PollingThread reporting = new PollingThread(TimingWheel.builder(System::nanoTime))) {
            reporting.setUncaughtExceptionHandler((by, thrown) -> told.complete(thrown));
            reporting
                    .wheel()
                    .schedule(
                            () -> {
                                throw failure;
                            },
                            Duration.ZERO);
            assertThat(told.get(30, SECONDS)).isSameAs(failure);

            CompletableFuture<Void> fired = new CompletableFuture<>();
            reporting.wheel().schedule(() -> fired.complete(null), Duration.ZERO);
            fired.get(30, SECONDS);
        }
    }

    @Test
    void periodicTimer_whenCancelledByAnotherThread_runsAtMostOnceMore() throws Exception {
        BlockingQueue<Integer> runs = new LinkedBlockingQueue<>();
        AtomicInteger count = new AtomicInteger();
        Timeout<Runnable> periodic =
                wheel.scheduleEvery(() -> runs.add(count.incrementAndGet()), Duration.ZERO, Duration.ofNanos(100_000));
        for (int run = 1; run <= 20; run++) {
            assertThat(runs.poll(30, SECONDS)).isEqualTo(run);
        }

        assertThat(periodic.cancel()).isTrue();
        int ran = count.get();
        CountDownLatch later = new CountDownLatch(1);
        wheel.schedule(later::countDown, Duration.ofMillis(20));
        assertThat(later.await(30, SECONDS)).isTrue();

        assertThat(count.get()).isBetween(ran, ran + 1);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void every_timer_fires_or_is_cancelled_once_however_threads_race() throws Exception {
        int each = 50_000;
        AtomicInteger fired = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        AtomicInteger early = new AtomicInteger();
        Queue<Timeout<?>> shared = new ConcurrentLinkedQueue<>();

        inParallel(seed -> {
            Random random = new Random(seed);
            for (int i = 0; i < each; i++) {
                long deadline = System.nanoTime() + random.nextInt(20_000_000);
                shared.add(wheel.scheduleAt(
                        () -> {
                            fired.incrementAndGet();
                            if (System.nanoTime() - deadline < 0) {
                                early.incrementAndGet();
                            }
                        },
                        deadline));
                if (random.nextBoolean()) {
                    Timeout<?> victim = shared.poll();
                    if (victim != null && victim.cancel()) {
                        cancelled.incrementAndGet();
                    }
                }
            }
        });
        CountDownLatch allDue = new CountDownLatch(1);
        wheel.schedule(allDue::countDown, Duration.ofMillis(25));
        assertThat(allDue.await(30, SECONDS)).isTrue();

        assertThat(fired.get() + cancelled.get()).isEqualTo(THREADS * each);
        assertThat(cancelled).hasPositiveValue();
        assertThat(early).hasValue(0);
        assertThat(wheel.size()).isZero();
        assertThat(failures).isEmpty();
    }

    @Test
    void no_wake_up_is_lost_when_each_timer_is_awaited_before_the_next() throws Exception {
        inParallel(seed -> {
            Random random = new Random(seed);
            for (int i = 0; i < 2_000; i++) {
                CompletableFuture<Void> fired = new CompletableFuture<>();
                wheel.schedule(() -> fired.complete(null), Duration.ofNanos(random.nextInt(100_000)));
                fired.get(30, SECONDS);
            }
        });
        assertThat(wheel.size()).isZero();
    }

    @Test
    void a_timer_that_is_cancelled_as_it_fires_does_one_of_both() throws Exception {
        int each = 100_000;
        AtomicInteger fired = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();

        inParallel(seed -> {
            for (int i = 0; i < each; i++) {
                Timeout<?> timeout = wheel.schedule(fired::incrementAndGet, Duration.ZERO);
                for (int spin = i % 100; spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                if (timeout.cancel()) {
                    cancelled.incrementAndGet();
                }
            }
        });
        CountDownLatch allDue = new CountDownLatch(1);
        wheel.schedule(allDue::countDown, Duration.ZERO);
        assertThat(allDue.await(30, SECONDS)).isTrue();

        assertThat(fired.get() + cancelled.get()).isEqualTo(THREADS * each);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void maxTimers_whenThreadsScheduleAndCancelAtOnce_isNeverExceeded() throws Exception {
        int bound = 2;
        AtomicInteger admitted = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (TimingWheel small =
                TimingWheel.builder(System::nanoTime).maxTimers(bound).polledByOwner(() -> {})) {
            inParallel(seed -> {
                for (int i = 0; i < 100_000; i++) {
                    try {
                        Timeout<?> timeout = small.schedule(() -> {}, Duration.ofDays(1));
                        most.accumulateAndGet(admitted.incrementAndGet(), Math::max);
                        admitted.decrementAndGet();
                        timeout.cancel();
                    } catch (RejectedExecutionException full) {
                        Thread.onSpinWait();
                    }
                }
            });
            assertThat(small.size()).isZero();
        }
        assertThat(most.get()).isBetween(1, bound);
    }

    @Test
    void maxTimers_whenManyMoreAreScheduledAtOnce_isReachedAndNotExceeded() throws Exception {
        int bound = 1_000;
        for (int round = 0; round < 20; round++) {
            TimingWheel small =
                    TimingWheel.builder(System::nanoTime).maxTimers(bound).polledByOwner(() -> {});
            AtomicInteger admitted = new AtomicInteger();
            inParallel(seed -> {
                for (int i = 0; i < 5 * bound; i++) {
                    try {
                        small.schedule(() -> {}, Duration.ofDays(1));
                        admitted.incrementAndGet();
                    } catch (RejectedExecutionException full) {
                        Thread.onSpinWait();
                    }
                }
            });
            assertThat(admitted).hasValue(bound);
            assertThat(small.stop()).hasSize(bound);
        }
    }

    @Test
    void schedule_whileTheWheelIsClosed_isRefusedOrItsTaskIsReturned() throws Exception {
        for (int round = 0; round < 200; round++) {
            TimingWheel closing = TimingWheel.builder(System::nanoTime).polledByOwner(() -> {});
            Queue<Timeout<?>> timeouts = new ConcurrentLinkedQueue<>();
            Queue<Runnable> answered = new ConcurrentLinkedQueue<>();
            inParallel(seed -> {
                if (seed == 0) {
                    while (closing.size() < 100) {
                        Thread.onSpinWait();
                    }
                    answered.addAll(closing.stop());
                    return;
                }
                try {
                    while (true) {
                        timeouts.add(closing.schedule(() -> {}, Duration.ofDays(1)));
                    }
                } catch (RejectedExecutionException closed) {
                    assertThat(closed).hasMessageContaining("closed");
                }
            });
            assertThat(timeouts).noneMatch(Timeout::isPending);
            assertThat(answered).as("tasks of all timers that were not refused").hasSameSizeAs(timeouts);
            assertThat(closing.size()).isZero();
        }
    }

    @Test
    void a_close_among_calls_leaves_no_timer_pending_and_no_task_running() throws Exception {
        AtomicInteger running = new AtomicInteger();
        Queue<Timeout<?>> timeouts = new ConcurrentLinkedQueue<>();
        CountDownLatch underWay = new CountDownLatch(THREADS);
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            calls.add(callers.submit(() -> {
                try {
                    for (int n = 0; ; n++) {
                        timeouts.add(wheel.schedule(running::incrementAndGet, Duration.ofNanos(n * 1000L)));
                        if (n == 1000) {
                            underWay.countDown();
                        }
                    }
                } catch (RejectedExecutionException closed) {
                    return;
                }
            }));
        }
        assertThat(underWay.await(30, SECONDS)).isTrue();

        int unfired = wheel.stop().size();
        int ran = running.get();
        for (Future<?> call : calls) {
            call.get(30, SECONDS);
        }

        assertThat(running).hasValue(ran);
        assertThat(ran + unfired).isEqualTo(timeouts.size());
        assertThat(timeouts).noneMatch(Timeout::isPending);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void a_cancelled_task_can_be_collected_though_its_handle_is_kept() {
        TimingWheel wheel = TimingWheel.builder(System::nanoTime).polledByOwner(() -> {});
        wheel.schedule(() -> {}, Duration.ofDays(1));
        wheel.poll();
        Object[] held = {new Object()};
        WeakReference<Object> inInbox = new WeakReference<>(held[0]);
        Timeout<?> first = wheel.schedule(held[0]::hashCode, Duration.ofDays(1));
        first.cancel();
        held[0] = new Object();
        WeakReference<Object> inSlot = new WeakReference<>(held[0]);
        Timeout<?> second = wheel.schedule(held[0]::hashCode, Duration.ofDays(1));
        wheel.poll();
        second.cancel();
        held[0] = null;

        for (int i = 0; i < 100 && (inInbox.get() != null || inSlot.get() != null); i++) {
            System.gc();
        }

        assertThat(inInbox.get()).isNull();
        assertThat(inSlot.get()).isNull();
        assertThat(first.isPending() || second.isPending()).isFalse();
    }

    private void awaitSleep() {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private interface Caller {
        void call(int seed) throws Exception;
    }

    private void inParallel(Caller caller) throws Exception {
        CyclicBarrier begin = new CyclicBarrier(THREADS);
        List<Callable<Void>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            calls.add(() -> {
                begin.await();
                caller.call(seed);
                return null;
            });
        }
        for (Future<Void> call : callers.invokeAll(calls)) {
            call.get();
        }
    }
}
