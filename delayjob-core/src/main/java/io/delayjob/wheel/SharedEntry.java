package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A timer of a {@link TimingWheel}, whose handle any thread may use. Whoever swaps the task out ends the timer; the
 * task is free from then on, even while the emptied entry still waits to be taken out of its slot.
 */
final class SharedEntry extends WheelEntry<Runnable> {

    private static final AtomicReferenceFieldUpdater<SharedEntry, @Nullable Runnable> TASK =
            AtomicReferenceFieldUpdater.newUpdater(SharedEntry.class, Runnable.class, "task");

    private final TimingWheel wheel;
    private volatile @Nullable Runnable task;

    /** Links of the {@link Inbox}. There are two, because a timer may be cancelled before its arrival was seen. */
    @Nullable
    SharedEntry nextArrival;

    @Nullable
    SharedEntry nextCancellation;

    SharedEntry(TimingWheel wheel, Runnable task, long deadlineNanos) {
        super(deadlineNanos);
        this.wheel = wheel;
        this.task = task;
    }

    @Override
    @Nullable
    Runnable take() {
        return TASK.getAndSet(this, null);
    }

    @Override
    public boolean cancel() {
        if (take() == null) {
            return false;
        }
        wheel.cancelled(this);
        return true;
    }

    @Override
    public boolean isPending() {
        return task != null;
    }
}
