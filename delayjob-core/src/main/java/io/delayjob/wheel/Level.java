package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One level of the wheel: 256 slots, created when first used, and a bitmap of the occupied ones. */
final class Level<E> {

    static final int BITS = 8;
    static final int SLOTS = 1 << BITS;

    private static final int SLOT_MASK = SLOTS - 1;

    private final int shift;
    private final Chunks<E> chunks;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable Slot<E>[] slots = new Slot[SLOTS];

    private final long[] occupied = new long[SLOTS / Long.SIZE];

    /** Written by the owner, read by anyone. */
    private final AtomicInteger timers = new AtomicInteger();

    Level(int number, Chunks<E> chunks) {
        this.shift = number * BITS;
        this.chunks = chunks;
    }

    /** Timers that lie here, cancelled ones included that have not been come across. */
    int timers() {
        return timers.getOpaque();
    }

    /** The number of the slot in which the tick falls on this level. */
    int slotNumber(long tick) {
        return (int) (tick >>> shift) & SLOT_MASK;
    }

    /** The first chunk of a slot, {@code null} if the slot is empty. */
    @Nullable
    Chunk<E> first(int slotNumber) {
        Slot<E> slot = slots[slotNumber];
        return slot == null ? null : slot.first();
    }

    void add(int slotNumber, Entry<E> entry, long tick) {
        Slot<E> slot = slots[slotNumber];
        if (slot == null) {
            slot = new Slot<>(chunks);
            slots[slotNumber] = slot;
        }
        slot.add(entry, tick);
        occupied[slotNumber / Long.SIZE] |= 1L << slotNumber;
        timers.setOpaque(timers.getPlain() + 1);
    }

    /** Notes that timers were taken out of a slot. */
    void removed(int count) {
        timers.setOpaque(timers.getPlain() - count);
    }

    /** Gives the first chunk of a slot back, which is empty. */
    void removeFirst(int slotNumber, Chunk<E> emptied) {
        Slot<E> slot = slots[slotNumber];
        slot.removeFirst(emptied);
        if (slot.first() == null) {
            occupied[slotNumber / Long.SIZE] &= ~(1L << slotNumber);
        }
    }

    /**
     * Drops the cancelled timers of a chunk of a slot, and brings those behind closer. Returns how many were dropped.
     */
    int compact(int slotNumber, Chunk<E> chunk) {
        int dropped = slots[slotNumber].compact(chunk);
        removed(dropped);
        if (chunk.isEmpty() && chunk == first(slotNumber)) {
            removeFirst(slotNumber, chunk);
        }
        return dropped;
    }

    /** The first tick of a slot, in the same turn of this level as the given tick. */
    long startOf(int slotNumber, long tick) {
        long below = -1L << shift;
        return (tick & below & ~((long) SLOT_MASK << shift)) | ((long) slotNumber << shift);
    }

    /**
     * Until when an occupied slot can be left alone: until it begins, so that many timers have cascaded before the
     * first is due; but if it is short or holds one timer only, until that first one.
     */
    long dueTick(int slotNumber, long startTick) {
        Slot<E> slot = slots[slotNumber];
        return shift <= BITS || slot.isLone() ? slot.earliestTick() : startTick;
    }

    /** The number of the first occupied slot at or after the given one, or -1 if there is none. */
    int nextOccupied(int from) {
        long mask = -1L << from;
        for (int word = from / Long.SIZE; word < occupied.length; word++) {
            long bits = occupied[word] & mask;
            if (bits != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
            }
            mask = -1L;
        }
        return -1;
    }
}
