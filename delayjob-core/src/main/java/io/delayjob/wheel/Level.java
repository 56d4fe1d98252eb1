package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Represents one level of a wheel: 256 slots, which are created when they are first used, and the set of occupied
 * slots. All times are nanoseconds since the wheel was created; they overflow after 2<sup>64</sup>.
 */
final class Level<E> {

    static final int BITS = 8;
    static final int SLOTS = 1 << BITS;

    private static final int SLOT_MASK = SLOTS - 1;

    private final int number;
    private final int slotShift;
    private final Commons<E> commons;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable Slot<E>[] slots = new Slot[SLOTS];

    private final SlotSet occupied = new SlotSet();

    /** Creates an empty level; the level with number 0 has the shortest slots. */
    Level(int number, Commons<E> commons) {
        this.number = number;
        this.slotShift = commons.tickShift() + number * BITS;
        this.commons = commons;
    }

    /** Returns the levels of a wheel; there are enough levels for every possible time. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    static <E> Level<E>[] all(Commons<E> commons) {
        Level<E>[] levels = new Level[(Long.SIZE - 1 - commons.tickShift()) / BITS + 1];
        for (int number = 0; number < levels.length; number++) {
            levels[number] = new Level<>(number, commons);
        }
        return levels;
    }

    int number() {
        return number;
    }

    Commons<E> commons() {
        return commons;
    }

    /** Returns the beginning of the slot to which this time belongs. */
    long startOf(long time) {
        return time & -1L << slotShift;
    }

    private int slotNumber(long time) {
        return (int) (time >>> slotShift) & SLOT_MASK;
    }

    /** Returns the slot to which this time belongs, or {@code null} if that slot has not been used yet. */
    @Nullable
    Slot<E> slotAt(long time) {
        return slots[slotNumber(time)];
    }

    /** Adds a timer and returns its slot, which is on this level or on a lower level. */
    Slot<E> add(Entry<E> entry, long time) {
        int slotNumber = slotNumber(time);
        Slot<E> slot = slots[slotNumber];
        if (slot == null) {
            slot = new Slot<>(this);
            slots[slotNumber] = slot;
        }
        occupied.add(slotNumber);
        return slot.add(entry, time);
    }

    /** Removes a slot from the set of occupied slots, because it is now empty. */
    void vacate(Slot<E> slot) {
        occupied.remove(slotNumber(slot.start()));
    }

    /** Returns the slot with this number. The slot must have been used before. */
    Slot<E> slot(int slotNumber) {
        return Objects.requireNonNull(slots[slotNumber], "This slot has never been used");
    }

    /**
     * Returns the first occupied slot after the slot of this time, up to the last slot of the level; {@code null} if
     * there is none.
     */
    @Nullable
    Slot<E> firstAfter(long time) {
        return firstFrom(slotNumber(time) + 1);
    }

    /** Returns the first occupied slot of the level, or {@code null} if no slot is occupied. */
    @Nullable
    Slot<E> first() {
        return firstFrom(0);
    }

    private @Nullable Slot<E> firstFrom(int slotNumber) {
        int found = occupied.next(slotNumber);
        return found == SlotSet.NONE ? null : slots[found];
    }

    /** Returns the number of the first occupied slot at or after the given number, or {@link SlotSet#NONE}. */
    int nextOccupied(int slotNumber) {
        return occupied.next(slotNumber);
    }

    /**
     * Returns the large slot that must be the first to move timers down; {@code null} if no slot is large. The slot is
     * on one of these levels or on a level below them.
     */
    static <E> @Nullable Slot<E> mostUrgent(Level<E>[] levels) {
        Slot<E> mostUrgent = null;
        for (Level<E> level : levels) {
            mostUrgent = Slot.moreUrgent(mostUrgent, level.mostUrgent());
        }
        return mostUrgent;
    }

    /**
     * Returns the large slot that must be the first to move timers down; {@code null} if no slot is large. The slot is
     * on this level or on a level below.
     */
    @Nullable
    Slot<E> mostUrgent() {
        Slot<E> mostUrgent = null;
        for (int found = occupied.next(0); found != SlotSet.NONE; found = occupied.next(found + 1)) {
            mostUrgent = Slot.moreUrgent(mostUrgent, slots[found].mostUrgent());
        }
        return mostUrgent;
    }

    /**
     * Returns the occupied slots of this level.
     *
     * @param position the time that the wheel has reached
     * @param shared the level to which the timers of a slot are moving at present; {@code null} if there is no such
     *     level. It belongs to both the slot and the wheel, so its timers are not counted in the slot
     */
    WheelSnapshot.LevelSlots snapshot(long position, @Nullable Level<E> shared) {
        List<WheelSnapshot.OccupiedSlot> found = new ArrayList<>();
        for (int slot = occupied.next(0); slot != SlotSet.NONE; slot = occupied.next(slot + 1)) {
            int timers = slots[slot].timers(shared);
            if (timers > 0) {
                found.add(new WheelSnapshot.OccupiedSlot(slot, timers));
            }
        }
        return new WheelSnapshot.LevelSlots(
                number,
                Duration.ofNanos(1L << commons.tickShift()).multipliedBy(1L << (number * BITS)),
                slotNumber(position),
                Duration.ofNanos(position - startOf(position)),
                List.copyOf(found));
    }

    /** Returns the number of timers on this level and on the levels below its slots. */
    int timers() {
        int timers = 0;
        for (int found = occupied.next(0); found != SlotSet.NONE; found = occupied.next(found + 1)) {
            timers += slots[found].timers(null);
        }
        return timers;
    }

    /** Ends all timers, and adds their elements to the list. The empty entries stay in their slots. */
    void endAll(List<E> ended) {
        for (int found = occupied.next(0); found != SlotSet.NONE; found = occupied.next(found + 1)) {
            slots[found].endAll(ended);
        }
    }
}
