package io.delayjob.wheel;

import java.time.Duration;

/** Converts time differences to delays in nanoseconds. */
final class Delays {

    /** Maximum delay: 146 years. */
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
     * Returns the delay for the difference between a time and the present. A difference of more than 146 years into the
     * past means that the difference has overflowed. The time is then far in the future.
     */
    static long of(long difference) {
        return difference < -LONGEST ? LONGEST : Math.min(difference, LONGEST);
    }
}
