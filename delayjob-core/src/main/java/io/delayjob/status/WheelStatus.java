package io.delayjob.status;

import io.delayjob.wheel.WheelSnapshot;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The timing wheel of an instance at one moment. An instance has one wheel for all its queues and partitions. The wheel
 * also holds a few timers of the engine itself.
 *
 * @param at the store time of this status
 * @param nextDue time before which no timer is due; {@code null} if there is no timer
 * @param jobs number of jobs that wait in the timing wheel
 * @param capacity maximum number of jobs in the timing wheel
 * @param ahead how long before its due time a row is read
 * @param slots the slots of the wheel in which there are timers. The timers of the engine itself are included
 */
public record WheelStatus(
        Instant at, @Nullable Instant nextDue, int jobs, int capacity, ReadAhead ahead, WheelSnapshot slots) {

    /**
     * Tells how long before its due time a row is read.
     *
     * @param window the maximum time from now to the due time of a row that is read
     * @param until due time up to which this instance has read all jobs in its partitions; {@code null} if the instance
     *     leads no partition
     * @param last the latest read; {@code null} if there was none
     */
    public record ReadAhead(
            Duration window,
            @Nullable Instant until,
            @Nullable LastRead last) {}

    /**
     * A read of jobs that are due soon.
     *
     * @param at end of the read, in store time
     */
    public record LastRead(Instant at, int rows, Duration took) {}
}
