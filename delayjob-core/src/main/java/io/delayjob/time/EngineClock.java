package io.delayjob.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The two times that an engine uses.
 *
 * <p><em>Store time</em> is an estimate of the time on the store's own clock. Due times, and all times in rows, are
 * store time, so the clocks of instances may differ. <em>Monotonic time</em> is used for the wheel, leases and
 * time-outs. It never jumps, and its zero has no meaning.
 *
 * <p>The estimate is a lower bound, so no job starts early. If store time and monotonic time run at the same speed, the
 * estimate is never ahead of the store's clock. If the store's clock is slower, the estimate may be slightly ahead. It
 * is ahead by at most the drift of one minute, and by at most the time that the newest request took to reach the store
 * plus the drift since then. Implementations are thread-safe.
 */
public interface EngineClock {

    /** Returns store time in milliseconds since the epoch, rounded down. */
    long storeMillis();

    /**
     * Returns monotonic time in nanoseconds. Compare such times only by their difference, as with {@link
     * System#nanoTime()}.
     */
    long nanoTime();

    /**
     * Returns the monotonic time at which {@link #storeMillis()} will reach {@code storeMillis}. For a time that is too
     * far away, returns the most distant time possible.
     */
    long nanoTimeAt(long storeMillis);

    /** Takes a new reading of the store's clock. */
    void observe(StoreTimeSample sample);

    /**
     * Returns how often a jump between store time and monotonic time was found, because the machine slept or the
     * store's clock was set. Deadlines that were computed in another epoch must be computed again.
     */
    int epoch();

    /**
     * Tells whether wall clock and monotonic clock have advanced equally since the second last call of {@link
     * #observe}. After the machine has slept, the result is {@code false} until the store has answered twice. The first
     * answer does not count, because the machine may have slept while it waited for this answer.
     */
    boolean isSteady();

    /** Returns store time minus the time of this machine's clock; zero if this machine's clock is not known. */
    default Duration skew() {
        return Duration.ZERO;
    }

    /** Returns {@link #storeMillis()} as an instant. */
    default Instant storeTime() {
        return Instant.ofEpochMilli(storeMillis());
    }

    /**
     * Returns the latest value that store time can have, rounded up to a millisecond. Delays count from this value. The
     * estimate is a lower bound. So a delay that counts from the estimate could end too early, by the time that the
     * store's answer took.
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
