package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/** A timer of a wheel that has one owner, who also cancels: plain fields, taken out of its slot at once. */
final class OwnedEntry<E> extends WheelEntry<E> {

    private @Nullable E element;

    OwnedEntry(E element, long deadlineNanos) {
        super(deadlineNanos);
        this.element = element;
    }

    @Override
    @Nullable
    E take() {
        E taken = element;
        element = null;
        return taken;
    }

    @Override
    public boolean cancel() {
        if (take() == null) {
            return false;
        }
        leaveSlot();
        return true;
    }

    @Override
    public boolean isPending() {
        return element != null;
    }
}
