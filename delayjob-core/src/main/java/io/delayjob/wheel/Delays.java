package io.delayjob.wheel;

import java.time.Duration;

/** Converts time differences to delays in nanoseconds. */
final class Delays {

    static final long LONGEST = HierarchicalWheel.LONGEST_DELAY;

    private static final Duration LONGEST_DURATION = Duration.ofNanos(LONGEST);

    private Delays() {}

    static long nanosOf(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return delay.compareTo(LONGEST_DURATION) < 0 ? delay.toNanos() : LONGEST;
    }

    /**
     * The time may seem to be more than 146 years in the past. In this case, the subtraction has overflowed, and the
     * time is really far in the future.
     *
     * @param difference a time minus the present time
     */
    static long of(long difference) {
        return difference < -LONGEST ? LONGEST : Math.min(difference, LONGEST);
    }
}
