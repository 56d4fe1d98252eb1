package io.delayjob.status;

import io.delayjob.wheel.WheelSnapshot;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The wheel of an instance at one moment. An instance has one wheel for all its queues and partitions. Besides jobs the
 * wheel holds some timers of the engine itself, such as those of time-outs.
 *
 * @param at the moment, by store time
 * @param nextDue before this time no timer comes due; {@code null} if there is none
 * @param jobs number of jobs that wait in the wheel
 * @param capacity maximum number of jobs that may wait there
 * @param ahead how far the table has been read ahead
 * @param slots the occupied slots, with the engine's own timers
 */
public record WheelStatus(
        Instant at, @Nullable Instant nextDue, int jobs, int capacity, ReadAhead ahead, WheelSnapshot slots) {

    /**
     * How far the table has been read ahead.
     *
     * @param window how far ahead it is read
     * @param until all jobs of the partitions led here that are due until then have been read; {@code null} if this
     *     instance leads none
     * @param last the latest read; {@code null} before the first
     */
    public record ReadAhead(
            Duration window,
            @Nullable Instant until,
            @Nullable LastRead last) {}

    /**
     * A read of jobs that come due.
     *
     * @param at when it ended, by store time
     * @param rows number of jobs found
     * @param took how long it took
     */
    public record LastRead(Instant at, int rows, Duration took) {}
}
