package io.delayjob.wheel;

import java.time.Duration;

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

    /** A time that seems to be more than 146 years ago is really far in the future: the subtraction has overflowed. */
    static long of(long difference) {
        return difference < -LONGEST ? LONGEST : Math.min(difference, LONGEST);
    }
}
