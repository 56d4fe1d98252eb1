package io.delayjob.time;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the offset between store time and monotonic time. Pure arithmetic: every reading of a clock is
 * handed in. Immutable.
 *
 * @param earliest lower bound of store time, unless the store's clock has been the slower one
 * @param latest upper bound of store time, unless the store's clock has been the quicker one
 * @param observedNanos monotonic time of the newest reading
 * @param observedWallMillis the machine's wall clock at the newest reading
 * @param heardSteadily whether wall and monotonic clock had kept together until the newest reading
 * @param epoch how often the two times were found to have moved apart
 */
record StoreTimeEstimate(
        Bound earliest, Bound latest, long observedNanos, long observedWallMillis, boolean heardSteadily, int epoch) {

    /** A reading further off than this, beyond its own error, means that a clock was set or a machine slept. */
    private static final long JUMP_NANOS = 250_000_000;

    /**
     * After this long a slow but fresh reading is worth more than a quick old one: quartz drifts by 20-100 us a second.
     */
    private static final long BOUND_TTL_NANOS = 60_000_000_000L;

    /** Wall and monotonic clock part by this much only when the machine slept or its wall clock was set. */
    private static final long PARTED_MILLIS = 1_000;

    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Far enough for every due time, and near enough for differences of monotonic times not to overflow. */
    private static final long FARTHEST_NANOS = Long.MAX_VALUE / 4;

    /**
     * The offset between both times, by one reading.
     *
     * @param offsetNanos store time minus monotonic time
     * @param heardNanos monotonic time of that reading
     */
    record Bound(long offsetNanos, long heardNanos) {

        private boolean isRetiredAt(long nanos) {
            return nanos - heardNanos > BOUND_TTL_NANOS;
        }
    }

    /** What is known after one more reading. */
    static StoreTimeEstimate after(@Nullable StoreTimeEstimate before, StoreTimeSample sample, long wallMillis) {
        long heard = sample.replyNanos();
        long storeNanos = sample.storeMicros() * NANOS_PER_MICRO;
        Bound earliest = new Bound(storeNanos - heard, heard);
        // The store read its clock after the request, and cut the time to the microsecond.
        Bound latest = new Bound(storeNanos + NANOS_PER_MICRO - sample.requestNanos(), heard);
        if (before == null) {
            return new StoreTimeEstimate(earliest, latest, heard, wallMillis, true, 0);
        }
        boolean steadily = before.keptTogether(heard, wallMillis);
        boolean behind = latest.offsetNanos + JUMP_NANOS < before.earliest.offsetNanos;
        boolean ahead = earliest.offsetNanos > before.latest.offsetNanos + JUMP_NANOS;
        if (behind || ahead) {
            return new StoreTimeEstimate(earliest, latest, heard, wallMillis, steadily, before.epoch + 1);
        }
        return new StoreTimeEstimate(
                before.isEarliestAfter(earliest, latest) ? before.earliest : earliest,
                before.isLatestAfter(earliest, latest) ? before.latest : latest,
                heard,
                wallMillis,
                steadily,
                before.epoch);
    }

    /**
     * Whether the lower bound stands. Of two, the higher one stands, even from the slower answer. If the estimate fell
     * without need, a job that has just started would seem to be early. Both are bounds unless the clocks drift apart: a
     * bound above a later reading of the store is refuted.
     */
    private boolean isEarliestAfter(Bound freshEarliest, Bound freshLatest) {
        return !earliest.isRetiredAt(freshEarliest.heardNanos)
                && earliest.offsetNanos > freshEarliest.offsetNanos
                && earliest.offsetNanos <= freshLatest.offsetNanos;
    }

    /** The same for the upper bound, of which the lower one stands. */
    private boolean isLatestAfter(Bound freshEarliest, Bound freshLatest) {
        return !latest.isRetiredAt(freshLatest.heardNanos)
                && latest.offsetNanos < freshLatest.offsetNanos
                && latest.offsetNanos >= freshEarliest.offsetNanos;
    }

    long storeMillis(long nanoTime) {
        return Math.floorDiv(earliest.offsetNanos + nanoTime, NANOS_PER_MILLI);
    }

    /** The latest that store time can be, rounded up. */
    long latestStoreMillis(long nanoTime) {
        return -Math.floorDiv(-(latest.offsetNanos + nanoTime), NANOS_PER_MILLI);
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
        return millis * NANOS_PER_MILLI - earliest.offsetNanos;
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
