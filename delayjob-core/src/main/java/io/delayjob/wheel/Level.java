package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One level of the wheel: 256 slots, created when first used, and a bitmap of the occupied ones. */
final class Level<E> {

    static final int BITS = 8;
    static final int SLOTS = 1 << BITS;

    private static final int SLOT_MASK = SLOTS - 1;

    private final int shift;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable Slot<E>[] slots = new Slot[SLOTS];

    private final long[] occupied = new long[SLOTS / Long.SIZE];

    /** Written by the owner, read by anyone. */
    private final AtomicInteger timers = new AtomicInteger();

    Level(int number) {
        this.shift = number * BITS;
    }

    int timers() {
        return timers.getOpaque();
    }

    /** The number of the slot in which the tick falls on this level. */
    int slotNumber(long tick) {
        return (int) (tick >>> shift) & SLOT_MASK;
    }

    Slot<E> slot(int number) {
        Slot<E> slot = slots[number];
        if (slot == null) {
            slot = new Slot<>(this, number);
            slots[number] = slot;
        }
        return slot;
    }

    /** The first tick of a slot, in the same turn of this level as the given tick. */
    long startOf(int slotNumber, long tick) {
        long below = -1L << shift;
        return (tick & below & ~((long) SLOT_MASK << shift)) | ((long) slotNumber << shift);
    }

    /** The number of the first occupied slot at or after the given one, or -1 if there is none. */
    int nextOccupied(int from) {
        int word = from / Long.SIZE;
        long bits = occupied[word] & (-1L << from);
        while (bits == 0) {
            if (++word == occupied.length) {
                return -1;
            }
            bits = occupied[word];
        }
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    void added(int slotNumber) {
        occupied[slotNumber / Long.SIZE] |= 1L << slotNumber;
        timers.setOpaque(timers.getPlain() + 1);
    }

    void removed(int slotNumber, boolean nowEmpty) {
        if (nowEmpty) {
            occupied[slotNumber / Long.SIZE] &= ~(1L << slotNumber);
        }
        timers.setOpaque(timers.getPlain() - 1);
    }
}
