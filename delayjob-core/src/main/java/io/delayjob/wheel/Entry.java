package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A timer: what lies in the slots, and the {@link Timeout} that the caller holds, in one object of 24 bytes. A million
 * timers are bound by memory, so an entry knows neither its slot nor its neighbours, and only the lower half of its
 * tick. The {@link Chunk} that it lies in knows the rest.
 *
 * <p>A caller that swaps the element out, in one atomic step, ends the timer: to fire or to cancel it. The element is
 * free from then on. The empty entry stays in its slot until the wheel comes across it.
 */
final class Entry<E> implements Timeout<E> {

    @SuppressWarnings("rawtypes") // as a field updater wants it
    private static final AtomicReferenceFieldUpdater<Entry, @Nullable Object> ELEMENT =
            AtomicReferenceFieldUpdater.newUpdater(Entry.class, Object.class, "element");

    private final Runnable onCancel;
    private int lowTick;
    private volatile @Nullable Object element;

    /**
     * Makes a pending timer.
     *
     * @param onCancel called after a cancellation, by the thread that cancels
     * @param lowTick the lower half of the number of its tick
     */
    Entry(Runnable onCancel, E element, int lowTick) {
        this.onCancel = onCancel;
        this.lowTick = lowTick;
        ELEMENT.lazySet(this, element); // no other thread has it yet, so it needs no fence of a volatile write
    }

    int lowTick() {
        return lowTick;
    }

    /** Moves an overdue timer to the current tick. Only for the owner of the wheel. */
    void postponeTo(int newLowTick) {
        lowTick = newLowTick;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable E task() {
        return (@Nullable E) element;
    }

    /** Ends the timer and returns what it carried; {@code null} if it had ended before. */
    @Nullable
    E end() {
        E taken = task();
        return taken != null && take(taken) ? taken : null;
    }

    private boolean take(E expected) {
        return ELEMENT.compareAndSet(this, expected, null);
    }

    @Override
    public boolean cancel() {
        if (end() == null) {
            return false;
        }
        onCancel.run();
        return true;
    }

    @Override
    public boolean isPending() {
        return element != null;
    }

    @Override
    public String toString() {
        Object waiting = element;
        return waiting == null ? "Timeout[ended]" : "Timeout[pending, task=%s]".formatted(waiting);
    }
}
