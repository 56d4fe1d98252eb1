package io.delayjob.actuate.endpoint;

import io.delayjob.status.EngineStatus;
import io.delayjob.status.WheelStatus;
import io.delayjob.wheel.WheelSnapshot.LevelSlots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The timing wheel of this instance. If the slots are not shown, {@code at} and all fields that depend on it are
 * absent.
 *
 * @param lag lateness of the wheel when it last fired timers
 * @param cascades number of moves of a job to a lower level
 * @param at store time at which the slots were read
 * @param nextDue time before which no timer comes due
 * @param window rows that are due within this time from now are read ahead into the wheel
 * @param readUntil time up to which all due jobs have been read
 */
record WheelDescriptor(
        int size,
        Duration lag,
        long cascades,
        @Nullable Instant at,
        @Nullable Integer capacity,
        @Nullable Long fired,
        @Nullable Long cancelled,
        @Nullable Instant nextDue,
        @Nullable Duration window,
        @Nullable Instant readUntil,
        WheelStatus.@Nullable LastRead lastRead,
        List<LevelDescriptor> levels)
        implements OperationResponseBody {

    /** Number of levels that are always shown. Coarser levels are shown only if they contain timers. */
    private static final int LEVELS_ALWAYS_SHOWN = 4;

    static WheelDescriptor of(EngineStatus status, @Nullable WheelStatus wheel) {
        if (wheel == null) {
            return new WheelDescriptor(
                    status.waiting(),
                    status.wheelLag(),
                    status.cascades(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    status.wheel().stream()
                            .map(level -> new LevelDescriptor(
                                    level.level(), level.slotWidth(), level.timers(), null, null, null))
                            .toList());
        }
        return new WheelDescriptor(
                wheel.jobs(),
                status.wheelLag(),
                status.cascades(),
                wheel.at(),
                wheel.capacity(),
                wheel.slots().fired(),
                wheel.slots().cancelled(),
                wheel.nextDue(),
                wheel.ahead().window(),
                wheel.ahead().until(),
                wheel.ahead().last(),
                wheel.slots().levels().stream()
                        .filter(level -> level.level() < LEVELS_ALWAYS_SHOWN || level.timers() > 0)
                        .map(LevelDescriptor::of)
                        .toList());
    }

    /**
     * @param level number of the level; level 0 is the finest level
     * @param slotWidth time span of each of the 256 slots
     * @param timers number of timers, including a few of the engine's own
     * @param position number of the slot that the wheel's time is in
     * @param into time that the wheel has spent in the slot {@code position} so far
     * @param slots the number of each occupied slot and its number of timers, in the order of the slots' numbers. The
     *     wheel reaches slots below {@code position} last
     */
    record LevelDescriptor(
            int level,
            Duration slotWidth,
            int timers,
            @Nullable Integer position,
            @Nullable Duration into,
            @Nullable List<List<Integer>> slots) {

        static LevelDescriptor of(LevelSlots level) {
            return new LevelDescriptor(
                    level.level(),
                    level.slotWidth(),
                    level.timers(),
                    level.position(),
                    level.into(),
                    level.slots().stream()
                            .map(slot -> List.of(slot.slot(), slot.timers()))
                            .toList());
        }
    }
}
