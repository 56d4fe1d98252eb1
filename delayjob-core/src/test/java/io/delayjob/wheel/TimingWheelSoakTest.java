package io.delayjob.wheel;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** For some seconds, threads schedule, cancel and reschedule at random. At the end, the counts of timers must agree. */
@org.junit.jupiter.api.Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TimingWheelSoakTest {

    private static final int THREADS = 3;
    private static final int HANDLES = 2_000;
    private static final Duration SOAK = Duration.ofSeconds(4);

    /** One in this number of tasks is watched by a cleaner, because a cleaner is too slow for millions of objects. */
    private static final int ONE_WATCHED_OF = 1_000;

    /** Twice the number of cancelled timers at which the wheel is swept. */
    private static final int MOST_GARBAGE = 2_048;

    private static final int MOST_POLLS = 100;

    private static final Cleaner CLEANER = Cleaner.create();

    private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);
    private final PollingThread thread =
            new PollingThread(TimingWheel.builder(System::nanoTime).failureHandler(this::failed));
    private final TimingWheel wheel = thread.wheel();

    private final AtomicLong scheduled = new AtomicLong();
    private final AtomicLong cancelled = new AtomicLong();
    private final AtomicLong fired = new AtomicLong();
    private final AtomicLong early = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong watched = new AtomicLong();
    private final AtomicLong freed = new AtomicLong();

    @AfterEach
    void stop() {
        thread.close();
        callers.shutdownNow();
    }

    @Test
    void counts_agree_and_ended_timers_are_not_kept() throws Exception {
        long end = System.nanoTime() + SOAK.toNanos();
        List<Callable<List<Timeout<?>>>> work = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            work.add(() -> soak(new Random(seed), end));
        }

        List<Timeout<?>> handles = new ArrayList<>();
        for (Future<List<Timeout<?>>> done : callers.invokeAll(work)) {
            handles.addAll(done.get());
        }
        long before = pending();
        int size = wheel.size();
        assertThat(size).isBetween((int) pending() - 1, (int) before); // the wheel counts a timer first
        for (Timeout<?> handle : handles) {
            cancel(handle);
        }
        awaitSweep();

        assertThat(fired.get() + cancelled.get()).isEqualTo(scheduled.get());
        assertThat(fired).hasPositiveValue();
        assertThat(cancelled).hasPositiveValue();
        assertThat(early).hasValue(0);
        assertThat(failures).hasValue(0);
        assertThat(wheel.size()).isZero();
        assertThat(garbage()).isLessThanOrEqualTo(MOST_GARBAGE);
        awaitFreed();
        assertThat(handles).noneMatch(Timeout::isPending);
    }

    /**
     * Schedules and cancels timers until {@code end}. Every timer is in the returned list, was cancelled, or has a
     * short delay and fires.
     */
    private List<Timeout<?>> soak(Random random, long end) {
        List<Timeout<?>> handles = new ArrayList<>();
        while (System.nanoTime() - end < 0) {
            int victim = random.nextInt(HANDLES);
            if (victim >= handles.size()) {
                handles.add(schedule(random));
            } else if (random.nextInt(10) > 0) {
                cancel(handles.get(victim));
                handles.set(victim, schedule(random));
            } else {
                cancel(handles.remove(victim));
            }
        }
        return handles;
    }

    private Timeout<?> schedule(Random random) {
        long deadline = System.nanoTime() + delay(random);
        Task task = new Task(deadline);
        if (random.nextInt(ONE_WATCHED_OF) == 0) {
            watched.incrementAndGet();
            CLEANER.register(task, freed::incrementAndGet);
        }
        scheduled.incrementAndGet();
        return wheel.scheduleAt(task::fire, deadline);
    }

    /** Returns a random delay between a negative delay and hours. */
    private static long delay(Random random) {
        return (1L << random.nextInt(44)) - random.nextInt(1_000);
    }

    private long pending() {
        return scheduled.get() - cancelled.get() - fired.get();
    }

    private void cancel(Timeout<?> timeout) {
        if (timeout.cancel()) {
            cancelled.incrementAndGet();
        }
    }

    private void failed(Throwable failure) {
        failures.incrementAndGet();
    }

    private int garbage() {
        return wheel.levels().stream().mapToInt(LevelOccupancy::timers).sum();
    }

    /** Waits until the wheel is swept. A poll first fires due timers, and then sweeps a part of the slots. */
    private void awaitSweep() throws InterruptedException {
        awaitPoll();
        for (int polls = 1; polls < MOST_POLLS && garbage() > MOST_GARBAGE; polls++) {
            awaitPoll();
        }
    }

    private void awaitPoll() throws InterruptedException {
        CountDownLatch polled = new CountDownLatch(1);
        wheel.schedule(polled::countDown, Duration.ofMillis(1));
        assertThat(polled.await(60, SECONDS)).isTrue();
    }

    private void awaitFreed() {
        while (freed.get() < watched.get()) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(freed.get()).isEqualTo(watched.get());
    }

    /** A task of a user. */
    private final class Task {

        private final long deadline;

        Task(long deadline) {
            this.deadline = deadline;
        }

        void fire() {
            fired.incrementAndGet();
            if (System.nanoTime() - deadline < 0) {
                early.incrementAndGet();
            }
        }
    }
}
