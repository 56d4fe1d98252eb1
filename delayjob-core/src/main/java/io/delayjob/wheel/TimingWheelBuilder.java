package io.delayjob.wheel;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Builds a {@link TimingWheel}. A builder is not thread-safe. */
public final class TimingWheelBuilder {

    private static final Duration FINEST_TICK = Duration.ofNanos(1);
    private static final Duration COARSEST_TICK = Duration.ofSeconds(1);

    final LongSupplier nanoTime;
    Duration tick = TimingWheel.DEFAULT_TICK;
    int maxTimers = Integer.MAX_VALUE;
    Consumer<? super Throwable> failureHandler = TimingWheelBuilder::tellThread;

    TimingWheelBuilder(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Sets the tick, the unit of time of the wheel. The wheel rounds a deadline up to the next tick. In virtual time, a
     * tick of 1 ns makes timers exact.
     *
     * @param tick the length of a tick, from 1 ns to 1 s, default {@link TimingWheel#DEFAULT_TICK}. The number of
     *     nanoseconds is rounded down to a power of two
     * @throws IllegalArgumentException if the tick is shorter than 1 ns or longer than 1 s
     */
    public TimingWheelBuilder tick(Duration tick) {
        if (tick.compareTo(FINEST_TICK) < 0 || tick.compareTo(COARSEST_TICK) > 0) {
            throw new IllegalArgumentException(
                    "Invalid tick (%s): must be from %s to %s; short ticks cost little, so try the default, %s"
                            .formatted(tick, FINEST_TICK, COARSEST_TICK, TimingWheel.DEFAULT_TICK));
        }
        this.tick = tick;
        return this;
    }

    /**
     * Sets the maximum number of pending timers. Further timers are refused.
     *
     * @param maxTimers at least 1, default {@link Integer#MAX_VALUE}
     * @throws IllegalArgumentException if {@code maxTimers} is not positive
     */
    public TimingWheelBuilder maxTimers(int maxTimers) {
        if (maxTimers < 1) {
            throw new IllegalArgumentException("Invalid maxTimers (%d timers): must be 1 or more".formatted(maxTimers));
        }
        this.maxTimers = maxTimers;
        return this;
    }

    /**
     * Sets the handler of exceptions from tasks. By default, exceptions go to the polling thread's {@link
     * Thread.UncaughtExceptionHandler}, and do not end the thread. An exception of the failure handler itself is
     * ignored.
     */
    public TimingWheelBuilder failureHandler(Consumer<? super Throwable> failureHandler) {
        this.failureHandler = Objects.requireNonNull(failureHandler, "failureHandler");
        return this;
    }

    /**
     * Builds the wheel. Timers expire only when the owner polls the wheel.
     *
     * @param wakeUp wakes up the owner. The result of the last poll says when the next poll is needed. If a poll is
     *     needed earlier, the wheel runs this code. The code must be quick, because it runs on the threads that
     *     schedule timers, cancel timers or request snapshots
     */
    public TimingWheel polledByOwner(Runnable wakeUp) {
        return new TimingWheel(this, Objects.requireNonNull(wakeUp, "wakeUp"));
    }

    private static void tellThread(Throwable failure) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }
}
