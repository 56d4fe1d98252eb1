package io.delayjob.wheel;

/**
 * A tick and when it begins, by which any thread can tell the tick of a deadline.
 *
 * @param tick number of the tick
 * @param nanos the time at which it begins
 * @param tickShift length of a tick: 2<sup>tickShift</sup> ns
 */
record Moment(long tick, long nanos, int tickShift) {

    /** The tick that a time lies in; this one if the time is earlier. */
    long tickAt(long timeNanos) {
        return tick + (Math.max(0, timeNanos - nanos) >>> tickShift);
    }

    /** The first tick to begin at or after a time; this one if the time is earlier. */
    long tickAfter(long timeNanos) {
        return tick + ((Math.max(0, timeNanos - nanos) + (1L << tickShift) - 1) >>> tickShift);
    }
}
