package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Represents a timer: one object of 24 bytes is both the entry in a slot and the caller's {@link Timeout}. An entry is
 * small, because memory access limits the speed of a large wheel. The {@link Chunk} stores the upper bits of the tick.
 *
 * <p>To fire or cancel a timer, a thread takes the element out of the entry, in one atomic step. The empty entry stays
 * in its slot until the wheel finds it.
 */
final class Entry<E> implements Timeout<E> {

    @SuppressWarnings("rawtypes") // a field updater needs the raw type
    private static final AtomicReferenceFieldUpdater<Entry, @Nullable Object> ELEMENT =
            AtomicReferenceFieldUpdater.newUpdater(Entry.class, Object.class, "element");

    private final Runnable onCancel;
    private int lowTick;
    private volatile @Nullable Object element;

    Entry(Runnable onCancel, E element, int lowTick) {
        this.onCancel = onCancel;
        this.lowTick = lowTick;
        ELEMENT.lazySet(this, element); // no other thread can see this object yet
    }

    int lowTick() {
        return lowTick;
    }

    /** Only the owner of the wheel may call this method. */
    void postponeTo(int newLowTick) {
        lowTick = newLowTick;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable E task() {
        return (@Nullable E) element;
    }

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
