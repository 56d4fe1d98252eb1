package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * A timer as it lies in a slot: its deadline, and where it lies so that it can be taken out in constant time. The entry
 * is the {@link Timeout} itself, so a timer costs one object.
 *
 * <p>Where it lies is written by the slot and read by the wheel's owner only.
 */
abstract class WheelEntry<E> implements Timeout {

    final long deadlineNanos;

    /** The slot that holds this entry, {@code null} while none does. */
    @Nullable
    Slot<E> slot;

    /** This entry's place in {@link #slot}. */
    int place;

    WheelEntry(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Ends the timer: whoever gets the element out is the one who fires or cancels it; the others get {@code null}. */
    abstract @Nullable E take();

    /** Leaves the slot, if the entry lies in one. Owner only. */
    final void leaveSlot() {
        if (slot != null) {
            slot.remove(this);
        }
    }
}
