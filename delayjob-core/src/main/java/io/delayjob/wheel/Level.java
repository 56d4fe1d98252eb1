package io.delayjob.wheel;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One level of the wheel: 256 slots, created when first used, and which of them are occupied. */
final class Level<E> {

    static final int BITS = 8;
    static final int SLOTS = 1 << BITS;

    private static final int SLOT_MASK = SLOTS - 1;

    /**
     * For each chunk, a microsecond a timer. A split takes about a tenth of that, so it ends in time on a busy machine.
     */
    private static final long SPLIT_LEAD_NANOS = Chunk.CAPACITY * 1_000L;

    private final int number;
    private final int shift;
    private final Chunks<E> chunks;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable Slot<E>[] slots = new Slot[SLOTS];

    private final SlotSet occupied = new SlotSet();
    private final SlotSet large = new SlotSet();

    /** Written by the owner, read by anyone. */
    private final AtomicInteger timers = new AtomicInteger();

    Level(int number, Chunks<E> chunks) {
        this.number = number;
        this.shift = number * BITS;
        this.chunks = chunks;
    }

    /** This number of levels, from the finest on. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    static <E> Level<E>[] lowest(int count, Chunks<E> chunks) {
        Level<E>[] levels = new Level[count];
        for (int number = 0; number < count; number++) {
            levels[number] = new Level<>(number, chunks);
        }
        return levels;
    }

    /** The number of the highest digit to the base 256 that is not 0, or 0 if all are. */
    static int highestDigit(long tick) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(tick | 1)) / BITS;
    }

    /** Timers that lie here, cancelled ones included that have not been come across. */
    int timers() {
        return timers.getOpaque();
    }

    /** The number of the slot in which the tick falls on this level. */
    int slotNumber(long tick) {
        return (int) (tick >>> shift) & SLOT_MASK;
    }

    /** The first chunk of a slot, {@code null} if there is none, or all have been split. */
    @Nullable
    Chunk<E> first(int slotNumber) {
        Slot<E> slot = slots[slotNumber];
        return slot == null ? null : slot.first();
    }

    void add(int slotNumber, Entry<E> entry, long tick) {
        Slot<E> slot = slots[slotNumber];
        if (slot == null) {
            slot = new Slot<>(number, chunks);
            slots[slotNumber] = slot;
        }
        slot.add(entry, tick);
        occupied.add(slotNumber);
        if (slot.isLarge()) {
            large.add(slotNumber);
        }
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
        hasShrunk(slotNumber, slot);
    }

    private void hasShrunk(int slotNumber, Slot<E> slot) {
        if (slot.isEmpty()) {
            occupied.remove(slotNumber);
        }
        if (!slot.isLarge()) {
            large.remove(slotNumber);
        }
    }

    /**
     * Drops the cancelled timers of a chunk of a slot, and fills it up from the next chunk. Without a next one, an
     * empty chunk is given back. Returns the number of dropped timers.
     */
    int compact(int slotNumber, Chunk<E> chunk) {
        Slot<E> slot = slots[slotNumber];
        boolean last = chunk.next == null;
        int dropped = slot.compact(chunk);
        removed(dropped);
        if (last && chunk.isEmpty() && chunk == slot.first()) {
            slot.removeFirst(chunk);
        }
        hasShrunk(slotNumber, slot);
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
        return number <= 1 || slot.isLone() ? slot.earliestTick() : startTick;
    }

    /** The number of the first occupied slot at or after the given one, or {@link SlotSet#NONE}. */
    int nextOccupied(int from) {
        return occupied.next(from);
    }

    /** The number of the first large slot at or after the given one, or {@link SlotSet#NONE}. */
    int nextLarge(int from) {
        return large.next(from);
    }

    /** How long before a large slot begins its split has to begin, in nanoseconds; a split that has begun goes on. */
    long splitLeadNanos(int slotNumber) {
        Slot<E> slot = slots[slotNumber];
        return slot.split() == null ? slot.length() * SPLIT_LEAD_NANOS : Long.MAX_VALUE;
    }

    /** Moves timers of a slot that begins at this tick to its split, in order of arrival; returns their number. */
    int split(int slotNumber, long startTick, Chunk<E> chunk, int most) {
        Split<E> split = slots[slotNumber].beginSplit(startTick);
        int count = Math.min(most, chunk.size());
        for (int i = 0; i < count; i++) {
            long tick = chunk.firstTick(startTick);
            split.add(chunk.removeFirst(), tick);
        }
        return count;
    }

    /** Removes and returns the part split off a slot; {@code null} if there is none. */
    @Nullable
    Split<E> takeSplit(int slotNumber) {
        Slot<E> slot = slots[slotNumber];
        Split<E> split = slot.split();
        if (split != null) {
            slot.removeSplit();
            removed(split.timers());
            hasShrunk(slotNumber, slot);
        }
        return split;
    }

    /** Ends all timers, and collects their payloads. The empty timers stay in place. */
    void endAll(List<E> ended) {
        for (int slot = nextOccupied(0); slot != SlotSet.NONE; slot = nextOccupied(slot + 1)) {
            slots[slot].endAll(ended);
        }
    }
}
