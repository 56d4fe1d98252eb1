package io.delayjob.wheel;

import java.time.Duration;
import java.util.List;

/**
 * The number of timers in each slot of a {@link TimingWheel}, at the end of a poll. Immutable. At most 256 slots of
 * each level are listed, for any number of timers. Cancelled timers count until they are swept out.
 *
 * @param atNanos time that the wheel had reached, in nanoseconds on its clock
 * @param nextNanos nanoseconds from that time during which no timer comes due; {@link Long#MAX_VALUE} if there is no
 * timer
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
     * One level.
     *
     * @param level its number; 0 is the finest
     * @param slotWidth time that one of its 256 slots stands for
     * @param position number of the slot that the wheel's time is in, from 0 to 255
     * @param into time spent in that slot so far
     * @param slots the occupied slots, by number; slots before the position belong to the next turn
     */
    public record LevelSlots(int level, Duration slotWidth, int position, Duration into, List<OccupiedSlot> slots) {

        /**
         * Returns the number of timers on this level, including those that have moved down ahead of their slot's time.
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
