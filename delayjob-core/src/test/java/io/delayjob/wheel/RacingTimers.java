package io.delayjob.wheel;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * The operations that threads may call on a wheel, in any order and interleaving, and a check of the result. Every
 * timer must end exactly once, and not too early. The polling thread must not sleep beyond a timer. All pending timers
 * must be in slots.
 *
 * <p>Public, because Lincheck calls it. Written with loops, because Lincheck instruments all code that it calls.
 */
@Param(name = "timer", gen = IntGen.class, conf = "0:1")
@Param(name = "delay", gen = IntGen.class, conf = "0:2")
public class RacingTimers {

    private static final int BOUND = 3;
    private static final long FOR_EVER = Long.MAX_VALUE;

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1); // overflows soon
    private final Timer[] latest = new Timer[2];
    private final Timer[] all = new Timer[16];
    private final AtomicInteger count = new AtomicInteger();
    private final TimingWheel wheel = TimingWheel.builder(clock::get)
            .tick(Duration.ofNanos(1))
            .maxTimers(BOUND)
            .polledByOwner(this::wake);

    private volatile Future<WheelSnapshot> looked;
    private volatile boolean awake;
    private volatile boolean closed;
    private volatile long restEnds;
    private volatile boolean restsForEver = true;

    @Operation
    public void schedule(@Param(name = "timer") int number, @Param(name = "delay") int delay) {
        Timer timer = new Timer(clock.get() + delay);
        try {
            timer.handle = wheel.scheduleAt(timer, timer.deadline);
        } catch (RejectedExecutionException fullOrClosed) {
            return;
        }
        all[count.getAndIncrement()] = timer;
        latest[number] = timer;
    }

    @Operation
    public boolean cancel(@Param(name = "timer") int number) {
        Timer timer = latest[number];
        boolean cancelled = timer != null && timer.handle.cancel();
        if (cancelled) {
            timer.ends.incrementAndGet();
        }
        return cancelled;
    }

    @Operation
    public void reschedule(@Param(name = "timer") int number, @Param(name = "delay") int delay) {
        if (cancel(number)) {
            schedule(number, delay);
        }
    }

    /** Polls once, as the polling thread does. */
    @Operation(nonParallelGroup = "poller")
    public void tick() {
        poll(1);
    }

    /** Polls so much later that slots of several levels have passed. */
    @Operation(nonParallelGroup = "poller")
    public void leap() {
        poll(1L << 40);
    }

    /** Requests a snapshot. */
    @Operation(runOnce = true)
    public void look() {
        looked = wheel.snapshot();
    }

    @Operation(runOnce = true)
    public void close() {
        wheel.close();
        closed = true;
    }

    private void poll(long nanos) {
        long now = clock.addAndGet(nanos);
        awake = false;
        long rest = wheel.poll();
        restsForEver = rest == FOR_EVER;
        restEnds = now + rest;
        if (rest == 0) {
            awake = true;
        }
    }

    private void wake() {
        awake = true;
    }

    @Validate
    public void check() {
        for (int i = 0; i < count.get(); i++) {
            must(all[i].ends.get() <= 1, "a timer ended twice");
        }
        int pending = pending();
        must(pending <= BOUND, "more timers are pending than the bound allows");
        must(wheel.size() == pending, "the size is not the number of pending timers");
        if (closed) {
            must(pending == 0, "a timer is pending in a closed wheel");
        } else {
            must(awake || isNobodyDueInTheRest(), "the poller sleeps past a timer");
            must(awake || isAnswered(), "the poller sleeps past an onlooker");
            poll(0);
            must(inSlots() >= pending(), "a pending timer lies in no slot");
            poll(10);
        }
        must(isAnswered(), "an onlooker waits for ever");
        for (int i = 0; i < count.get(); i++) {
            Timer timer = all[i];
            must(!timer.early, "a timer fired early");
            must(closed || timer.ends.get() == 1, "a timer neither fired nor was cancelled");
        }
    }

    private boolean isAnswered() {
        return looked == null || looked.isDone();
    }

    private int pending() {
        int pending = 0;
        for (int i = 0; i < count.get(); i++) {
            pending += all[i].handle.isPending() ? 1 : 0;
        }
        return pending;
    }

    private boolean isNobodyDueInTheRest() {
        for (int i = 0; i < count.get(); i++) {
            Timer timer = all[i];
            if (timer.handle.isPending() && (restsForEver || restEnds - timer.deadline > 0)) {
                return false;
            }
        }
        return true;
    }

    private int inSlots() {
        int timers = 0;
        for (LevelOccupancy level : wheel.levels()) {
            timers += level.timers();
        }
        return timers;
    }

    private void must(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise + ": " + Arrays.toString(Arrays.copyOf(all, count.get())));
        }
    }

    private final class Timer implements Runnable {

        private final long deadline;
        private final AtomicInteger ends = new AtomicInteger();
        private volatile Timeout<?> handle;
        private volatile boolean early;

        Timer(long deadline) {
            this.deadline = deadline;
        }

        @Override
        public void run() {
            ends.incrementAndGet();
            early |= clock.get() - deadline < 0;
        }

        @Override
        public String toString() {
            boolean pending = Objects.requireNonNull(handle).isPending();
            return "[deadline %d, ended %d times%s]".formatted(deadline, ends.get(), pending ? ", pending" : "");
        }
    }
}
