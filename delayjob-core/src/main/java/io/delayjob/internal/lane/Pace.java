package io.delayjob.internal.lane;

import java.time.Duration;

/**
 * Computes the mean run time of one handler's attempts as a moving average. The lock of {@link Tickets} guards this
 * object.
 */
final class Pace {

    private static final long FAST_NANOS = Duration.ofMillis(20).toNanos();

    private static final long UNKNOWN_NANOS = Duration.ofMillis(10).toNanos();

    /** Minimum run time that is assumed, because a measured time may be zero. */
    private static final long LEAST_NANOS = 1_000;

    /** The newest attempt has a weight of 1/8, as in the round-trip estimate of TCP (RFC 6298). */
    private static final int SHIFT = 3;

    private static final long UNMEASURED = -1;

    private long nanos = UNMEASURED;

    void measured(long tookNanos) {
        nanos = nanos == UNMEASURED ? tookNanos : nanos + ((tookNanos - nanos) >> SHIFT);
    }

    boolean isFast() {
        return nanos != UNMEASURED && nanos <= FAST_NANOS;
    }

    long startableInAMoment(int slots) {
        return FAST_NANOS / Math.max(nanos, LEAST_NANOS) * slots;
    }

    long startableWithin(long spanNanos) {
        return spanNanos / (nanos == UNMEASURED ? UNKNOWN_NANOS : Math.max(nanos, LEAST_NANOS)) + 1;
    }
}
