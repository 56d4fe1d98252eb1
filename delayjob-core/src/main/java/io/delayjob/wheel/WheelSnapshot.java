package io.delayjob.wheel;

import java.time.Duration;
import java.util.List;

/**
 * Which slots of a {@link TimingWheel} hold how many timers, at the end of a poll. Immutable. At most 256 slots of each
 * level are listed, however many timers there are. Cancelled timers count until they are swept out.
 *
 * @param atNanos the time that the wheel had reached, on its clock
 * @param nextNanos nanoseconds from then during which no timer comes due; {@link Long#MAX_VALUE} if there is none
 * @param fired number of timers that have fired since the wheel was built
 * @param cancelled number of timers that were cancelled since then
 * @param levels the levels, from the finest to the coarsest
 */
public record WheelSnapshot(long atNanos, long nextNanos, long fired, long cancelled, List<LevelSlots> levels) {

    /** Number of timers on all levels. */
    public int timers() {
        return levels.stream().mapToInt(LevelSlots::timers).sum();
    }

    /**
     * One level.
     *
     * @param level its number; 0 is the finest
     * @param slotWidth time that one of its 256 slots stands for
     * @param position number of the slot that time is in, from 0 to 255
     * @param into how long time has been in that slot
     * @param slots the occupied slots, by number; those before the position belong to the next turn
     */
    public record LevelSlots(int level, Duration slotWidth, int position, Duration into, List<OccupiedSlot> slots) {

        /** Number of timers on this level, with those that have moved down ahead of their slot's time. */
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
