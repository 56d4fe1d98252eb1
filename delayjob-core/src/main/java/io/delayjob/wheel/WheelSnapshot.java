package io.delayjob.wheel;

import java.time.Duration;
import java.util.List;

/**
 * Contains the number of timers in each slot of a {@link TimingWheel}, at the end of a poll. Immutable. Cancelled
 * timers are counted until they are swept.
 *
 * @param atNanos time that the wheel had reached, in nanoseconds on its clock
 * @param nextNanos nanoseconds from {@code atNanos} until a timer may be due; {@link Long#MAX_VALUE} if there is no
 *     timer
 * @param fired number of timers that have fired since the wheel was built
 * @param cancelled number of timers that were cancelled since the wheel was built
 * @param levels the levels, from the shortest slots to the longest
 */
public record WheelSnapshot(long atNanos, long nextNanos, long fired, long cancelled, List<LevelSlots> levels) {

    /** Returns the number of timers on all levels. */
    public int timers() {
        return levels.stream().mapToInt(LevelSlots::timers).sum();
    }

    /**
     * Contains the occupied slots of one level.
     *
     * @param level number of the level; level 0 has the shortest slots
     * @param slotWidth time that one of the level's 256 slots covers
     * @param position the number of the slot that contains the wheel's present time, from 0 to 255
     * @param into the time from the beginning of that slot to the wheel's present time
     * @param slots the occupied slots, ordered by number
     */
    public record LevelSlots(int level, Duration slotWidth, int position, Duration into, List<OccupiedSlot> slots) {

        /** Returns the number of timers on this level. */
        public int timers() {
            return slots.stream().mapToInt(OccupiedSlot::timers).sum();
        }
    }

    /**
     * Describes a slot that is not empty.
     *
     * @param slot number of the slot, from 0 to 255
     * @param timers number of timers in the slot
     */
    public record OccupiedSlot(int slot, int timers) {}
}
