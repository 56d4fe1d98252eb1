package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A timer: what lies in the slots, and the {@link Timeout} that the caller holds, in one object of 24 bytes. A million
 * timers are bound by memory, so it knows neither its slot nor its neighbours, and of its tick only the lower half: it
 * is never asked for it but near that tick, where the upper half is plain. Timers too far away for that are
 * {@linkplain FarEntry larger}.
 *
 * <p>Whoever swaps the element out, in one atomic step, ends the timer: to fire or to cancel it. The element is free
 * from then on, though the empty entry lies in its slot until the wheel comes across it.
 */
class Entry<E> implements Timeout {

    /** So far from a tick an entry that knows half of it can tell the other half. */
    static final long NEAR = 1L << (Integer.SIZE - 1);

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

    /**
     * Makes a timer.
     *
     * @param reference a tick not later than any that the entry will be asked from
     */
    static <E> Entry<E> of(Timers timers, E element, long tick, long reference) {
        return Math.abs(tick - reference) < NEAR
                ? new Entry<>(timers, element, tick)
                : new FarEntry<>(timers, element, tick);
    }

    /** The tick at which it is due, told from another that is {@link #NEAR}. */
    long tick(long from) {
        return from + (lowTick - (int) from);
    }

    final int lowTick() {
        return lowTick;
    }

    /** What it carries, {@code null} once it has ended. */
    @SuppressWarnings("unchecked")
    final @Nullable E element() {
        return (@Nullable E) element;
    }

    /** Ends the timer, unless somebody did before: {@code true} to one caller. */
    final boolean take(E expected) {
        return ELEMENT.compareAndSet(this, expected, null);
    }

    @Override
    public final boolean cancel() {
        E taken = element();
        if (taken == null || !take(taken)) {
            return false;
        }
        timers.cancelled();
        return true;
    }

    @Override
    public final boolean isPending() {
        return element != null;
    }
}
