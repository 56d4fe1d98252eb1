package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A timer: what lies in the slots, and the {@link Timeout} that the caller holds, in one object of 24 bytes. A million
 * timers are bound by memory, so it knows neither its slot nor its neighbours, and only the lower half of its tick.
 * The {@link Chunk} that it lies in knows the rest.
 *
 * <p>Whoever swaps the element out, in one atomic step, ends the timer: to fire or to cancel it. The element is free
 * from then on, though the empty entry lies in its slot until the wheel comes across it.
 */
final class Entry<E> implements Timeout<E> {

    @SuppressWarnings("rawtypes") // as a field updater wants it
    private static final AtomicReferenceFieldUpdater<Entry, @Nullable Object> ELEMENT =
            AtomicReferenceFieldUpdater.newUpdater(Entry.class, Object.class, "element");

    private final Timers timers;
    private final int lowTick;
    private volatile @Nullable Object element;

    Entry(Timers timers, E element, long tick) {
        this.timers = timers;
        this.lowTick = (int) tick;
        ELEMENT.lazySet(this, element); // nobody else has it yet, so it needs none of the fences of a volatile write
    }

    int lowTick() {
        return lowTick;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable E task() {
        return (@Nullable E) element;
    }

    /** Ends the timer, unless somebody did before: {@code true} to one caller. */
    boolean take(E expected) {
        return ELEMENT.compareAndSet(this, expected, null);
    }

    @Override
    public boolean cancel() {
        E taken = task();
        if (taken == null || !take(taken)) {
            return false;
        }
        timers.cancelled();
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
