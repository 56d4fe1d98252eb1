package io.delayjob.time;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the offset between store time and monotonic time. Pure arithmetic: every reading of a clock is
 * handed in. Immutable.
 *
 * @param offsetNanos store time minus monotonic time: a lower bound, unless the store's clock has been the slower one
 * @param roundTripNanos how far below the truth it may be
 * @param bestNanos monotonic time of the reading that it rests on
 * @param observedNanos monotonic time of the newest reading
 * @param observedWallMillis the machine's wall clock at the newest reading
 * @param heardSteadily whether wall and monotonic clock had kept together until the newest reading
 * @param epoch how often the two times were found to have moved apart
 */
record StoreTimeEstimate(
        long offsetNanos,
        long roundTripNanos,
        long bestNanos,
        long observedNanos,
        long observedWallMillis,
        boolean heardSteadily,
        int epoch) {

    /** A reading further off than this, beyond its own error, means that a clock was set or a machine slept. */
    private static final long JUMP_NANOS = 250_000_000;

    /**
     * After this long a slow but fresh reading is worth more than a quick old one: quartz drifts by 20-100 us a second.
     */
    private static final long BEST_SAMPLE_TTL_NANOS = 60_000_000_000L;

    /** Wall and monotonic clock part by this much only when the machine slept or its wall clock was set. */
    private static final long PARTED_MILLIS = 1_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Far enough for every due time, and near enough for differences of monotonic times not to overflow. */
    private static final long FARTHEST_NANOS = Long.MAX_VALUE / 4;

    /** What is known after one more reading. */
    static StoreTimeEstimate after(@Nullable StoreTimeEstimate before, StoreTimeSample sample, long wallMillis) {
        long offset = sample.storeMicros() * 1_000L - sample.replyNanos();
        boolean steadily = before == null || before.keptTogether(sample.replyNanos(), wallMillis);
        StoreTimeEstimate fresh = new StoreTimeEstimate(
                offset,
                sample.roundTripNanos(),
                sample.replyNanos(),
                sample.replyNanos(),
                wallMillis,
                steadily,
                before == null ? 0 : before.epoch);
        if (before == null) {
            return fresh;
        }
        boolean behind = offset + sample.roundTripNanos() + JUMP_NANOS < before.offsetNanos;
        boolean ahead = offset > before.offsetNanos + before.roundTripNanos + JUMP_NANOS;
        if (behind || ahead) {
            return fresh.withEpoch(before.epoch + 1);
        }
        boolean retired = sample.replyNanos() - before.bestNanos > BEST_SAMPLE_TTL_NANOS;
        // The higher of two lower bounds, be it the slower answer's: if the estimate fell without need, a job that has
        // just started would
        // seem to be early.
        boolean higher = offset >= before.offsetNanos;
        // Both are lower bounds unless the clocks drift apart. The store read its clock once it had been asked: a bound
        // above what it then read is refuted.
        boolean refuted = before.offsetNanos > offset + sample.roundTripNanos();
        return retired || higher || refuted ? fresh : before.seenAt(sample.replyNanos(), wallMillis, steadily);
    }

    private StoreTimeEstimate withEpoch(int next) {
        return new StoreTimeEstimate(
                offsetNanos, roundTripNanos, bestNanos, observedNanos, observedWallMillis, heardSteadily, next);
    }

    private StoreTimeEstimate seenAt(long nanos, long wallMillis, boolean steadily) {
        return new StoreTimeEstimate(offsetNanos, roundTripNanos, bestNanos, nanos, wallMillis, steadily, epoch);
    }

    long storeMillis(long nanoTime) {
        return Math.floorDiv(offsetNanos + nanoTime, NANOS_PER_MILLI);
    }

    /**
     * The monotonic time at which {@link #storeMillis} will have reached {@code millis}, saturating far from {@code
     * now}.
     */
    long nanoTimeAt(long millis, long nanoTime) {
        long untilMillis = millis - storeMillis(nanoTime);
        if (Math.abs(untilMillis) > FARTHEST_NANOS / NANOS_PER_MILLI) {
            return nanoTime + Long.signum(untilMillis) * FARTHEST_NANOS;
        }
        return millis * NANOS_PER_MILLI - offsetNanos;
    }

    /**
     * Whether wall clock and monotonic clock have kept together since the newest reading, and had until then: the
     * machine may have slept while that one was on its way, and then it was old when it came.
     */
    boolean isSteady(long nanoTime, long wallMillis) {
        return heardSteadily && keptTogether(nanoTime, wallMillis);
    }

    private boolean keptTogether(long nanoTime, long wallMillis) {
        long byWall = wallMillis - observedWallMillis;
        long byMonotonic = (nanoTime - observedNanos) / NANOS_PER_MILLI;
        // One that ran ahead looks exactly like a machine that slept, and one that was set back may hide that it did.
        return Math.abs(byWall - byMonotonic) < PARTED_MILLIS;
    }
}
