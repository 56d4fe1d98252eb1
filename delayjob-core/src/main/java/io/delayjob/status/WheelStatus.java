package io.delayjob.status;

import io.delayjob.wheel.WheelSnapshot;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The wheel of an instance at one moment. An instance has one wheel for all its queues and partitions. Besides jobs,
 * the wheel holds a few timers of the engine itself, such as those of time-outs.
 *
 * @param at the moment, in store time
 * @param nextDue time before which no timer comes due; {@code null} if there is no timer
 * @param jobs number of jobs that wait in the wheel
 * @param capacity maximum number of jobs in the wheel
 * @param ahead the reach of the reads ahead
 * @param slots the occupied slots, including the engine's own timers
 */
public record WheelStatus(
        Instant at, @Nullable Instant nextDue, int jobs, int capacity, ReadAhead ahead, WheelSnapshot slots) {

    /**
     * The reach of the reads ahead.
     *
     * @param window time span that is read ahead
     * @param until time up to which all due jobs of the partitions led here have been read; {@code null} if this
     *     instance leads none
     * @param last the latest read; {@code null} before the first read
     */
    public record ReadAhead(
            Duration window,
            @Nullable Instant until,
            @Nullable LastRead last) {}

    /**
     * A read of jobs that come due.
     *
     * @param at end of the read, in store time
     * @param rows number of jobs found
     * @param took duration of the read
     */
    public record LastRead(Instant at, int rows, Duration took) {}
}
