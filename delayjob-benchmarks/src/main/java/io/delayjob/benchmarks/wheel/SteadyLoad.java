package io.delayjob.benchmarks.wheel;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Schedules timers at a steady rate, even if the measured timer is too slow. Time is divided into equal parts, and one
 * timer is due at a random moment of each part. So the due times have no relation to the ticks.
 */
final class SteadyLoad implements AutoCloseable {

    private static final long SECOND = 1_000_000_000L;
    private static final long TO_START = SECOND / 10;
    private static final long TO_SCHEDULE_ONE = 2_000;
    private static final long BETWEEN_BATCHES = 5_000_000;
    private static final long BETWEEN_LOOKS = 1_000_000;

    /**
     * Number of seconds for which the place of a timer's result is reserved. If a timer fires later, it overwrites the
     * result of another timer. Such results are wrong, but still show the delay.
     */
    private static final int SECONDS_KEPT = 8;

    private static final long HAS_NOT_FIRED = Long.MIN_VALUE;

    private final LiveTimer timer;
    private final int rate;
    private final int pending;
    private final SplittableRandom random = new SplittableRandom(42);
    private final long begin;
    private final AtomicLongArray lateness;
    private final Thread feeder = LiveTimers.daemon(this::feed);
    private volatile boolean closed;
    private long scheduled;
    private long taken;

    /**
     * No timer becomes due before all of the first timers are scheduled.
     *
     * @param rate number of timers that become due per second
     */
    SteadyLoad(LiveTimer timer, int rate, int pending) {
        this.timer = timer;
        this.rate = rate;
        this.pending = pending;
        this.begin = System.nanoTime() + TO_START + pending * TO_SCHEDULE_ONE;
        this.lateness = new AtomicLongArray(SECONDS_KEPT * rate);
        for (int place = 0; place < lateness.length(); place++) {
            lateness.setPlain(place, HAS_NOT_FIRED);
        }
        scheduleUpTo(pending);
        feeder.start();
    }

    private void feed() {
        for (long next = begin; !closed; next += BETWEEN_BATCHES) {
            parkUntil(next);
            scheduleUpTo(pending + (next - begin) * rate / SECOND);
        }
    }

    private void scheduleUpTo(long count) {
        for (; scheduled < count; scheduled++) {
            int place = place(scheduled);
            long deadline = begin + (long) ((scheduled + random.nextDouble()) * SECOND / rate);
            timer.schedule(
                    () -> lateness.setRelease(place, System.nanoTime() - deadline), deadline - System.nanoTime());
        }
    }

    private int place(long number) {
        return (int) (number % lateness.length());
    }

    /**
     * Waits until the next {@code count} timers have fired. Returns the lateness of these timers in nanoseconds, in
     * ascending order.
     */
    long[] take(int count) {
        long[] late = new long[count];
        parkUntil(begin + (taken + count) * SECOND / rate);
        for (int i = 0; i < count; i++) {
            late[i] = takeNext();
        }
        Arrays.sort(late);
        return late;
    }

    private long takeNext() {
        int place = place(taken++);
        while (true) {
            long late = lateness.getAcquire(place);
            if (late != HAS_NOT_FIRED) {
                lateness.setPlain(place, HAS_NOT_FIRED);
                return late;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    static void parkUntil(long nanos) {
        for (long early = nanos - System.nanoTime(); early > 0; early = nanos - System.nanoTime()) {
            LockSupport.parkNanos(early);
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        feeder.join();
        timer.close();
    }
}
