package io.delayjob.internal.dispatch;

import java.time.Duration;

/**
 * How long attempts of one handler take: a moving average. Guarded by the lock of {@link Tickets}.
 */
final class Pace {

    /** If attempts of a handler take no longer than this, more of its jobs may be claimed than slots are free. */
    private static final long FAST_NANOS = Duration.ofMillis(20).toNanos();

    /** A handler that has not run yet is taken for one of this pace. */
    private static final long UNKNOWN_NANOS = Duration.ofMillis(10).toNanos();

    /** No handler is taken for faster: a measured zero would have everything startable. */
    private static final long LEAST_NANOS = 1_000;

    /** The newest attempt weighs 1/8, as in TCP's round-trip estimate (RFC 6298). */
    private static final int SHIFT = 3;

    private static final long UNMEASURED = -1;

    private long nanos = UNMEASURED;

    void measured(long tookNanos) {
        nanos = nanos == UNMEASURED ? tookNanos : nanos + ((tookNanos - nanos) >> SHIFT);
    }

    /** Whether it was measured, and its slots are free again within moments. */
    boolean isFast() {
        return nanos != UNMEASURED && nanos <= FAST_NANOS;
    }

    /** How many attempts start within the time that is a moment, in that many slots. */
    long startableInAMoment(int slots) {
        return FAST_NANOS / Math.max(nanos, LEAST_NANOS) * slots;
    }

    /** How many attempts start within that time, in one slot. */
    long startableWithin(long spanNanos) {
        return spanNanos / (nanos == UNMEASURED ? UNKNOWN_NANOS : Math.max(nanos, LEAST_NANOS)) + 1;
    }
}
