package io.delayjob.time;

import org.jspecify.annotations.Nullable;

/**
 * Contains the bounds of the offset between store time and monotonic time. This class reads no clock: callers pass
 * every time as an argument. Immutable.
 *
 * @param earliest lower bound of store time. This bound holds if the store's clock runs at least as fast as this
 *     machine's clock
 * @param latest upper bound of store time. This bound holds if the store's clock runs at most as fast as this machine's
 *     clock
 * @param observedNanos monotonic time of the newest reading
 * @param observedWallMillis the machine's wall clock at the newest reading
 * @param heardSteadily whether the wall clock and the monotonic clock advanced equally until the newest reading
 * @param epoch number of times that store time was found to have jumped against monotonic time
 */
record StoreTimeEstimate(
        Bound earliest, Bound latest, long observedNanos, long observedWallMillis, boolean heardSteadily, int epoch) {

    /**
     * Maximum normal difference between a reading and the estimate, in addition to the error of the reading. If the
     * difference is greater, a clock was set or a machine slept.
     */
    private static final long JUMP_NANOS = 250_000_000;

    /**
     * Maximum age of a good reading. Quartz clocks drift by 20-100 us a second. Therefore a new reading with a slow
     * reply is better than an older reading with a fast reply.
     */
    private static final long BOUND_TTL_NANOS = 60_000_000_000L;

    /**
     * The wall clock and the monotonic clock should advance equally. If they differ by this time, the machine slept or
     * its wall clock was set.
     */
    private static final long PARTED_MILLIS = 1_000;

    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * Maximum distance of a monotonic time from now. It is long enough for every due time, and short enough that
     * differences of monotonic times do not overflow.
     */
    private static final long FARTHEST_NANOS = Long.MAX_VALUE / 4;

    /**
     * Contains a bound of the offset between store time and monotonic time, from one reading.
     *
     * @param offsetNanos store time minus monotonic time
     * @param heardNanos monotonic time of that reading
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
        // The store has read its clock after the request was sent, and has rounded the time down to a microsecond.
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
     * Tells whether the estimate keeps its old lower bound. The estimate keeps the higher one of its old bound and the
     * new bound, even if the lower one came with a faster reply. If the estimate became lower without need, a job that
     * has just started would seem to be early. The old bound is dropped if it is too old. It is also dropped if a later
     * reading shows that it is too high, because the clocks have drifted.
     */
    private boolean isEarliestAfter(Bound freshEarliest, Bound freshLatest) {
        return !earliest.isRetiredAt(freshEarliest.heardNanos)
                && earliest.offsetNanos > freshEarliest.offsetNanos
                && earliest.offsetNanos <= freshLatest.offsetNanos;
    }

    /**
     * Tells whether the estimate keeps its old upper bound. The rules are those of {@link #isEarliestAfter}, except
     * that the lower of the two upper bounds is kept.
     */
    private boolean isLatestAfter(Bound freshEarliest, Bound freshLatest) {
        return !latest.isRetiredAt(freshLatest.heardNanos)
                && latest.offsetNanos < freshLatest.offsetNanos
                && latest.offsetNanos >= freshEarliest.offsetNanos;
    }

    long storeMillis(long nanoTime) {
        return Math.floorDiv(earliest.offsetNanos + nanoTime, NANOS_PER_MILLI);
    }

    /** Rounds up, because the result is an upper bound of store time. */
    long latestStoreMillis(long nanoTime) {
        return -Math.floorDiv(-(latest.offsetNanos + nanoTime), NANOS_PER_MILLI);
    }

    /**
     * If {@code millis} is too far in the future or in the past, the result is the farthest possible time in that
     * direction.
     */
    long nanoTimeAt(long millis, long nanoTime) {
        long untilMillis = millis - storeMillis(nanoTime);
        if (Math.abs(untilMillis) > FARTHEST_NANOS / NANOS_PER_MILLI) {
            return nanoTime + Long.signum(untilMillis) * FARTHEST_NANOS;
        }
        return millis * NANOS_PER_MILLI - earliest.offsetNanos;
    }

    /**
     * Tells whether the wall clock and the monotonic clock have advanced equally, both before and after the newest
     * reading. The time before the reading matters, too. If the machine slept while it waited for the reading, the
     * reading was too old when it arrived.
     */
    boolean isSteady(long nanoTime, long wallMillis) {
        return heardSteadily && keptTogether(nanoTime, wallMillis);
    }

    private boolean keptTogether(long nanoTime, long wallMillis) {
        long byWall = wallMillis - observedWallMillis;
        long byMonotonic = (nanoTime - observedNanos) / NANOS_PER_MILLI;
        // If the wall clock was set forward, the difference is the same as after a sleep of the machine. A wall clock
        // that was set back may hide a sleep of the machine.
        return Math.abs(byWall - byMonotonic) < PARTED_MILLIS;
    }
}
