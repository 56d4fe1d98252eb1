package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Represents one level of a wheel: 256 slots, and the set of occupied slots. Times are nanoseconds since the wheel was
 * created, and overflow after 2<sup>64</sup>.
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

    Level(int number, Commons<E> commons) {
        this.number = number;
        this.slotShift = commons.tickShift() + number * BITS;
        this.commons = commons;
    }

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

    long startOf(long time) {
        return time & -1L << slotShift;
    }

    private int slotNumber(long time) {
        return (int) (time >>> slotShift) & SLOT_MASK;
    }

    @Nullable
    Slot<E> slotAt(long time) {
        return slots[slotNumber(time)];
    }

    /** Adds a timer, and returns its slot, on this level or on a lower level. */
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

    void vacate(Slot<E> slot) {
        occupied.remove(slotNumber(slot.start()));
    }

    Slot<E> slot(int slotNumber) {
        return Objects.requireNonNull(slots[slotNumber], "This slot has never been used");
    }

    /** Returns {@code null} if there is no occupied slot up to the last slot of the level. */
    @Nullable
    Slot<E> firstAfter(long time) {
        return firstFrom(slotNumber(time) + 1);
    }

    @Nullable
    Slot<E> first() {
        return firstFrom(0);
    }

    private @Nullable Slot<E> firstFrom(int slotNumber) {
        int found = occupied.next(slotNumber);
        return found == SlotSet.NONE ? null : slots[found];
    }

    int nextOccupied(int slotNumber) {
        return occupied.next(slotNumber);
    }

    static <E> @Nullable Slot<E> mostUrgent(Level<E>[] levels) {
        Slot<E> mostUrgent = null;
        for (Level<E> level : levels) {
            mostUrgent = Slot.moreUrgent(mostUrgent, level.mostUrgent());
        }
        return mostUrgent;
    }

    /**
     * Returns the large slot, on this level or a lower level, whose timers must move down first; {@code null} if no
     * slot is large.
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
     * @param shared the level to which a slot is moving its timers; timers on this level do not count as timers of the
     *     slot
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

    int timers() {
        int timers = 0;
        for (int found = occupied.next(0); found != SlotSet.NONE; found = occupied.next(found + 1)) {
            timers += slots[found].timers(null);
        }
        return timers;
    }

    void endAll(List<E> ended) {
        for (int found = occupied.next(0); found != SlotSet.NONE; found = occupied.next(found + 1)) {
            slots[found].endAll(ended);
        }
    }
}
