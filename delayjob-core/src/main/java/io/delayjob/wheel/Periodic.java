package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Represents a periodic timer: this object is the caller's handle, and also the task of each run. Between two runs, the
 * timer still counts as a pending timer, so its next run can always be scheduled.
 */
final class Periodic implements Runnable, Timeout<Runnable> {

    private final TimingWheel wheel;
    private final long periodNanos;

    /** {@code null} after this timer has ended. */
    private final AtomicReference<@Nullable Runnable> task;

    private final AtomicReference<@Nullable Timeout<Runnable>> run = new AtomicReference<>();

    /** Only the polling thread changes this field. */
    private long dueNanos;

    Periodic(TimingWheel wheel, Runnable task, long dueNanos, long periodNanos) {
        this.wheel = wheel;
        this.task = new AtomicReference<>(task);
        this.dueNanos = dueNanos;
        this.periodNanos = periodNanos;
    }

    /**
     * The first run may already be over. In this case, {@code run} contains the timer of a later run, and this method
     * does not replace it.
     */
    void begin(Timeout<Runnable> first) {
        run.compareAndSet(null, first);
    }

    @Override
    public void run() {
        try {
            Runnable current = task.get();
            if (current != null) {
                current.run();
            }
        } finally {
            scheduleNext();
        }
    }

    private void scheduleNext() {
        if (task.get() == null) {
            wheel.freePlace();
            return;
        }
        long now = presentOr(dueNanos);
        dueNanos += (Math.max(0, now - dueNanos) / periodNanos + 1) * periodNanos;
        Timeout<Runnable> next = wheel.scheduleNext(this, now, dueNanos);
        if (next == null) {
            end();
            return;
        }
        run.set(next);
        if (task.get() == null) {
            next.cancel();
        }
    }

    /** An exception of the clock must not end the timer. */
    private long presentOr(long due) {
        try {
            return wheel.nanoTime();
        } catch (Throwable broken) {
            wheel.report(broken);
            return due;
        }
    }

    @Nullable
    Runnable end() {
        return task.getAndSet(null);
    }

    @Override
    public boolean cancel() {
        boolean ended = end() != null;
        Timeout<Runnable> current = run.get();
        if (ended && current != null) {
            current.cancel();
        }
        return ended;
    }

    @Override
    public boolean isPending() {
        return task.get() != null;
    }

    @Override
    public @Nullable Runnable task() {
        return task.get();
    }

    @Override
    public String toString() {
        Runnable waiting = task.get();
        return waiting == null
                ? "Timeout[ended]"
                : "Timeout[pending, every %d ns, task=%s]".formatted(periodNanos, waiting);
    }
}
