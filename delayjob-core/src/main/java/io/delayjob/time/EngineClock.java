package io.delayjob.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The two times that an engine uses.
 *
 * <p><em>Store time</em> is the store's own clock, estimated. Due times, and all times in rows, are store time, so
 * the clocks of instances may differ. <em>Monotonic time</em> drives the wheel, leases and time-outs: it never jumps,
 * and its zero has no meaning.
 *
 * <p>The estimate is a lower bound, so no job starts early. If store time and monotonic time run at the same speed,
 * this estimate is never ahead of the store's clock. If the store's clock is slower, the estimate may be slightly
 * ahead. The error is at most the drift of one minute. The error is also at most the time that the newest request took
 * to reach the store, plus the drift since then. Implementations are thread-safe.
 */
public interface EngineClock {

    /** Returns store time in milliseconds since the epoch, rounded down. */
    long storeMillis();

    /** Returns monotonic time in nanoseconds. Compare by difference only, as with {@link System#nanoTime()}. */
    long nanoTime();

    /**
     * Returns the monotonic time at which {@link #storeMillis()} will have reached {@code storeMillis}. Far away it
     * saturates.
     */
    long nanoTimeAt(long storeMillis);

    /** Takes a new reading of the store's clock. */
    void observe(StoreTimeSample sample);

    /**
     * Returns how often store time and monotonic time were found to have moved apart, because the machine slept or
     * the store's clock was set. Deadlines from another epoch must be derived again.
     */
    int epoch();

    /**
     * Tells whether wall clock and monotonic clock have advanced equally since the second latest call of {@link
     * #observe}. After a suspension, the result is {@code false} until the store has answered twice: the machine may
     * have slept while the first of these answers was under way.
     */
    boolean isSteady();

    /** Store time minus the clock of this machine; zero if this machine's clock is not known. */
    default Duration skew() {
        return Duration.ZERO;
    }

    /** Returns {@link #storeMillis()} as an instant. */
    default Instant storeTime() {
        return Instant.ofEpochMilli(storeMillis());
    }

    /**
     * Returns the latest value that store time can have, rounded up to a millisecond. Delays count from it. The
     * estimate is a lower bound, so a delay counted from the estimate could end too early, by the delay of the
     * store's answers.
     */
    default Instant latestStoreTime() {
        return storeTimeRoundedUp();
    }

    /** Returns the end of the present millisecond, by the estimate. */
    default Instant storeTimeRoundedUp() {
        long nanos = nanoTime();
        long millis = storeMillis();
        boolean hasBegun = nanoTimeAt(millis) - nanos < 0;
        return Instant.ofEpochMilli(hasBegun ? millis + 1 : millis);
    }
}
