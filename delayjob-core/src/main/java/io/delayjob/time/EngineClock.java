package io.delayjob.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Supplies the two kinds of time that an engine uses.
 *
 * <p><em>Store time</em> is an estimate of the time on the store's own clock. All times in rows are store times, so the
 * clocks of instances may differ. <em>Monotonic time</em> is used for the timing wheel, leases and timeouts. Monotonic
 * time never jumps, and its zero has no meaning.
 *
 * <p>The store's clock can be slower than the monotonic clock. The estimate can then be ahead of the store's clock, and
 * jobs can start early. As long as the store can be reached, the estimate is corrected about once a minute. So the
 * estimate is ahead by at most the drift between the two clocks since the latest correction. If the store's clock is as
 * fast as the monotonic clock, or faster, no job starts early.
 *
 * <p>The error of store time is at most the round-trip time of the newest request, plus the drift since that request.
 * Implementations are thread-safe.
 */
public interface EngineClock {

    /** Returns store time in milliseconds since the epoch, rounded down. */
    long storeMillis();

    /**
     * Returns monotonic time in nanoseconds. Use only the difference of two such times, as with {@link
     * System#nanoTime()}.
     */
    long nanoTime();

    /**
     * Returns the monotonic time at which store time will reach {@code storeMillis}. If that time is too far in the
     * past or the future, returns the earliest or the latest possible time.
     */
    long nanoTimeAt(long storeMillis);

    /** Receives a new reading of the store's clock. */
    void observe(StoreTimeSample sample);

    /**
     * Returns how often store time has jumped so far. Store time jumps if the machine slept, or if somebody changed the
     * time of the store's clock. A deadline that was computed in an earlier epoch must be computed again.
     */
    int epoch();

    /**
     * Tells whether the wall clock and the monotonic clock have advanced equally since the second-to-last call of
     * {@link #observe}. After the machine has slept, the result is {@code false} until the store has answered twice.
     */
    boolean isSteady();

    /** Returns store time minus the time of this machine's clock; zero if unknown. */
    default Duration skew() {
        return Duration.ZERO;
    }

    /** Returns {@link #storeMillis()} as an instant. */
    default Instant storeTime() {
        return Instant.ofEpochMilli(storeMillis());
    }

    /**
     * Returns an upper limit for the present store time, rounded up to a millisecond. Delays count from this value,
     * because a delay that counts from {@link #storeTime()} could end too early.
     */
    default Instant latestStoreTime() {
        return storeTimeRoundedUp();
    }

    /** Returns the estimate of store time, rounded up to a millisecond. */
    default Instant storeTimeRoundedUp() {
        long nanos = nanoTime();
        long millis = storeMillis();
        boolean hasBegun = nanoTimeAt(millis) - nanos < 0;
        return Instant.ofEpochMilli(hasBegun ? millis + 1 : millis);
    }
}
