package io.delayjob.time;

import org.jspecify.annotations.Nullable;

/**
 * The bounds of the offset between store time and monotonic time. This class reads no clock. Immutable.
 *
 * @param earliest lower bound, which is valid if the store's clock does not run slower than this machine's clock
 * @param latest upper bound, which is valid if the store's clock does not run faster than this machine's clock
 * @param observedNanos monotonic time of the newest reading
 * @param heardSteadily whether the wall clock and the monotonic clock advanced equally until the newest reading
 * @param epoch number of jumps of store time relative to monotonic time
 */
record StoreTimeEstimate(
        Bound earliest, Bound latest, long observedNanos, long observedWallMillis, boolean heardSteadily, int epoch) {

    /**
     * If a reading differs from the estimate by more than this time plus the reading's error, store time has jumped.
     */
    private static final long JUMP_NANOS = 250_000_000;

    /**
     * After this time, a new slow reading is better than an old fast reading. The reason is that quartz clocks drift by
     * 20-100 us a second.
     */
    private static final long BOUND_TTL_NANOS = 60_000_000_000L;

    private static final long PARTED_MILLIS = 1_000;

    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * If a due time is farther away, this time is used instead, so that differences of monotonic times do not overflow.
     */
    private static final long FARTHEST_NANOS = Long.MAX_VALUE / 4;

    /**
     * @param offsetNanos store time minus monotonic time
     * @param heardNanos monotonic time of the reading
     */
    record Bound(long offsetNanos, long heardNanos) {

        private boolean isRetiredAt(long nanos) {
            return nanos - heardNanos > BOUND_TTL_NANOS;
        }
    }

    static StoreTimeEstimate after(@Nullable StoreTimeEstimate before, StoreTimeSample sample, long wallMillis) {
        long heard = sample.replyNanos();
        long storeNanos = sample.storeMicros() * NANOS_PER_MICRO;
        Bound earliest = new Bound(storeNanos - heard, heard);
        // The store has read its clock after the request, and has rounded down to a microsecond.
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
     * The higher of both lower bounds is kept, even if the other bound came with a faster reply. Otherwise, a job that
     * has just started would seem to be early. A bound is dropped if it is too old, or if a new reading proves that it
     * is too high.
     */
    private boolean isEarliestAfter(Bound freshEarliest, Bound freshLatest) {
        return !earliest.isRetiredAt(freshEarliest.heardNanos)
                && earliest.offsetNanos > freshEarliest.offsetNanos
                && earliest.offsetNanos <= freshLatest.offsetNanos;
    }

    /** The lower of both upper bounds is kept, by the rules of {@link #isEarliestAfter}. */
    private boolean isLatestAfter(Bound freshEarliest, Bound freshLatest) {
        return !latest.isRetiredAt(freshLatest.heardNanos)
                && latest.offsetNanos < freshLatest.offsetNanos
                && latest.offsetNanos >= freshEarliest.offsetNanos;
    }

    long storeMillis(long nanoTime) {
        return Math.floorDiv(earliest.offsetNanos + nanoTime, NANOS_PER_MILLI);
    }

    /** Rounds up, because the result is an upper bound. */
    long latestStoreMillis(long nanoTime) {
        return -Math.floorDiv(-(latest.offsetNanos + nanoTime), NANOS_PER_MILLI);
    }

    long nanoTimeAt(long millis, long nanoTime) {
        long untilMillis = millis - storeMillis(nanoTime);
        if (Math.abs(untilMillis) > FARTHEST_NANOS / NANOS_PER_MILLI) {
            return nanoTime + Long.signum(untilMillis) * FARTHEST_NANOS;
        }
        return millis * NANOS_PER_MILLI - earliest.offsetNanos;
    }

    /**
     * If the machine slept while it waited for the newest reading, that reading was too old when it arrived. Therefore,
     * the wall clock and the monotonic clock must have advanced equally before the newest reading and since that
     * reading.
     */
    boolean isSteady(long nanoTime, long wallMillis) {
        return heardSteadily && keptTogether(nanoTime, wallMillis);
    }

    private boolean keptTogether(long nanoTime, long wallMillis) {
        long byWall = wallMillis - observedWallMillis;
        long byMonotonic = (nanoTime - observedNanos) / NANOS_PER_MILLI;
        // A wall clock that was set forward looks like a sleep.
        return Math.abs(byWall - byMonotonic) < PARTED_MILLIS;
    }
}
