package io.delayjob.wheel;

import java.time.Duration;

/** Delays in nanoseconds. The longest is half of the range of time differences. */
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
     * Returns the delay. A time more than 146 years ago is taken for a time far ahead whose difference from now has
     * overflowed.
     */
    static long of(long difference) {
        return difference < -LONGEST ? LONGEST : Math.min(difference, LONGEST);
    }
}
