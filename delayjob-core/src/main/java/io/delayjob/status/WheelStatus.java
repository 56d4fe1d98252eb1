package io.delayjob.status;

import io.delayjob.wheel.WheelSnapshot;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The wheel of an instance at one moment. An instance has one wheel for all its queues and partitions. Besides jobs,
 * the wheel holds a few timers of the engine itself, for example for time-outs.
 *
 * @param at the moment of this status, in store time
 * @param nextDue time before which no timer is due; {@code null} if there is no timer
 * @param jobs number of jobs that wait in the wheel
 * @param capacity maximum number of jobs in the wheel
 * @param ahead the rows that were read ahead
 * @param slots the occupied slots, including the engine's own timers
 */
public record WheelStatus(
        Instant at, @Nullable Instant nextDue, int jobs, int capacity, ReadAhead ahead, WheelSnapshot slots) {

    /**
     * How far rows were read ahead of their due time.
     *
     * @param window rows that are due within this time from now are read
     * @param until time up to which all due jobs of the partitions led here have been read; {@code null} if this
     *     instance leads none
     * @param last the latest read; {@code null} before the first read
     */
    public record ReadAhead(
            Duration window,
            @Nullable Instant until,
            @Nullable LastRead last) {}

    /**
     * A read of jobs that are due soon.
     *
     * @param at end of the read, in store time
     * @param rows number of jobs found
     * @param took duration of the read
     */
    public record LastRead(Instant at, int rows, Duration took) {}
}
