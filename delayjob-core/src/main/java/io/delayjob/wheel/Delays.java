package io.delayjob.wheel;

import java.time.Duration;

/** Delays in nanoseconds, none longer than half of what differences of times can tell. */
final class Delays {

    /** 146 years. */
    static final long LONGEST = HierarchicalWheel.LONGEST_DELAY;

    private static final Duration LONGEST_DURATION = Duration.ofNanos(LONGEST);

    private Delays() {}

    static long nanosOf(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return delay.compareTo(LONGEST_DURATION) < 0 ? delay.toNanos() : LONGEST;
    }

    /** A time more than 146 years ago is a time far ahead whose difference from now has overflowed. */
    static long of(long difference) {
        return difference < -LONGEST ? LONGEST : Math.min(difference, LONGEST);
    }
}
