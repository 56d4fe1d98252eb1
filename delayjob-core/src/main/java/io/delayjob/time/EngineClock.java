package io.delayjob.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Supplies the two kinds of time that an engine uses.
 *
 * <p><em>Store time</em> is an estimate of the time on the store's own clock. Due times, and all times in rows, are
 * store times, so the clocks of instances may differ. <em>Monotonic time</em> is used for the timing wheel, leases and
 * timeouts. Monotonic time never jumps, and its zero has no meaning.
 *
 * <p>If store time and monotonic time run at the same speed, the estimate of store time is never ahead of the store's
 * clock. So no job starts early. If the store's clock runs slower than monotonic time, the estimate may be slightly
 * ahead, by at most the drift of one minute. In both directions, the error of the estimate is limited. The error is at
 * most the time from the newest request to its reply, plus the drift after this reply. Implementations are thread-safe.
 */
public interface EngineClock {

    /** Returns store time in milliseconds since the epoch, rounded down. */
    long storeMillis();

    /**
     * Returns monotonic time in nanoseconds. Use only the difference of two such times, as with
     * {@link System#nanoTime()}.
     */
    long nanoTime();

    /**
     * Returns the monotonic time at which {@link #storeMillis()} will reach {@code storeMillis}. If that time is too
     * far in the future or in the past, returns the farthest possible time in that direction.
     */
    long nanoTimeAt(long storeMillis);

    /** Receives a new reading of the store's clock. */
    void observe(StoreTimeSample sample);

    /**
     * Returns how often store time has jumped so far, compared with monotonic time. A jump has one of two causes: the
     * machine slept, or the store's clock was set. A deadline that was computed in an earlier epoch must be computed
     * again.
     */
    int epoch();

    /**
     * Tells whether the wall clock and the monotonic clock have advanced equally since the last but one call of {@link
     * #observe}. After the machine has slept, the result is {@code false} until the store has answered twice. The first
     * answer does not count, because the machine may have slept while it waited for this answer.
     */
    boolean isSteady();

    /** Returns store time minus the time of this machine's clock; zero if the time of this machine is not known. */
    default Duration skew() {
        return Duration.ZERO;
    }

    /** Returns {@link #storeMillis()} as an instant. */
    default Instant storeTime() {
        return Instant.ofEpochMilli(storeMillis());
    }

    /**
     * Returns the latest value that store time can have, rounded up to a millisecond. Delays count from this value. A
     * delay that counted from the lower bound {@link #storeTime()} could end too early, by as much as the time that the
     * store took to answer.
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
