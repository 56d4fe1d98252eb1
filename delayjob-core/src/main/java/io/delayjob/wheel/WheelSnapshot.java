package io.delayjob.wheel;

import java.time.Duration;
import java.util.List;

/**
 * The number of timers in each slot of a {@link TimingWheel}, at the end of a poll. Immutable. It lists at most 256
 * slots of each level. Cancelled timers are counted until they are swept.
 *
 * @param atNanos time that the wheel had reached, in nanoseconds on its clock
 * @param nextNanos nanoseconds after that time during which no timer is due; {@link Long#MAX_VALUE} if there is no
 *     timer
 * @param fired number of timers that have fired since the wheel was built
 * @param cancelled number of timers that were cancelled since the wheel was built
 * @param levels the levels, from the finest to the coarsest
 */
public record WheelSnapshot(long atNanos, long nextNanos, long fired, long cancelled, List<LevelSlots> levels) {

    /** Returns the number of timers on all levels. */
    public int timers() {
        return levels.stream().mapToInt(LevelSlots::timers).sum();
    }

    /**
     * The occupied slots of one level.
     *
     * @param level its number; 0 is the finest
     * @param slotWidth time that one of its 256 slots covers
     * @param position number of the slot to which the wheel's time belongs, from 0 to 255
     * @param into time since the beginning of that slot
     * @param slots the occupied slots, ordered by number. Slots before the position belong to the next turn of the
     *     level
     */
    public record LevelSlots(int level, Duration slotWidth, int position, Duration into, List<OccupiedSlot> slots) {

        /**
         * Returns the number of timers on this level, including timers that have moved down before their slot begins.
         */
        public int timers() {
            return slots.stream().mapToInt(OccupiedSlot::timers).sum();
        }
    }

    /**
     * A slot that is not empty.
     *
     * @param slot its number, from 0 to 255
     * @param timers number of timers in it
     */
    public record OccupiedSlot(int slot, int timers) {}
}
