package io.delayjob.internal.lane;

import java.time.Duration;

/**
 * The mean run time of one handler's attempts: a moving average. Guarded by the lock of {@link Tickets}.
 */
final class Pace {

    /** Maximum run time of a fast handler. More of its jobs may be claimed than slots are free. */
    private static final long FAST_NANOS = Duration.ofMillis(20).toNanos();

    /** Run time assumed of a handler that has not run yet. */
    private static final long UNKNOWN_NANOS = Duration.ofMillis(10).toNanos();

    /** Minimum run time assumed of a handler, because with a measured zero every job would be startable. */
    private static final long LEAST_NANOS = 1_000;

    /** The newest attempt weighs 1/8, as in TCP's round-trip estimate (RFC 6298). */
    private static final int SHIFT = 3;

    private static final long UNMEASURED = -1;

    private long nanos = UNMEASURED;

    void measured(long tookNanos) {
        nanos = nanos == UNMEASURED ? tookNanos : nanos + ((tookNanos - nanos) >> SHIFT);
    }

    /** Tells whether the handler was measured and frees its slots within moments. */
    boolean isFast() {
        return nanos != UNMEASURED && nanos <= FAST_NANOS;
    }

    /** Returns how many attempts start within a moment, in that many slots. */
    long startableInAMoment(int slots) {
        return FAST_NANOS / Math.max(nanos, LEAST_NANOS) * slots;
    }

    /** Returns how many attempts start within that time, in one slot. */
    long startableWithin(long spanNanos) {
        return spanNanos / (nanos == UNMEASURED ? UNKNOWN_NANOS : Math.max(nanos, LEAST_NANOS)) + 1;
    }
}
