package io.delayjob.time;

import java.time.Instant;

/**
 * The two times an engine lives by.
 *
 * <p><em>Store time</em> is the store's own clock, estimated; due times, and all that is written into rows, are in
 * store time, so that clocks of instances may differ as they like. <em>Monotonic time</em> drives the wheel, leases and
 * time-outs: it never jumps, and its zero means nothing.
 *
 * <p>The estimate is a lower bound, which is what makes "never early" hold: where store time and monotonic time run
 * alike, store time as read here is never ahead of the store. Where the store's is slower, it may be: by what they part
 * in a minute at the most, and by no more than the request for the newest reading took to the store and they have
 * parted since. Implementations are thread-safe.
 */
public interface EngineClock {

    /** Store time in milliseconds since the epoch, rounded down. */
    long storeMillis();

    /** Monotonic time in nanoseconds; compare by difference only, as with {@link System#nanoTime()}. */
    long nanoTime();

    /**
     * The monotonic time at which {@link #storeMillis()} will have reached {@code storeMillis}, saturating far away.
     */
    long nanoTimeAt(long storeMillis);

    /** Takes in a fresh reading of the store's clock. */
    void observe(StoreTimeSample sample);

    /**
     * How often store time and monotonic time have been found to have moved apart (the machine slept, the store's clock
     * was set). Deadlines derived under another epoch must be derived anew.
     */
    int epoch();

    /**
     * Whether wall clock and monotonic clock have kept together since the last {@link #observe} but one. A machine that
     * was suspended answers {@code false} until the store has been heard twice: it may have slept while the first of
     * these answers was on its way.
     */
    boolean isSteady();

    /** {@link #storeMillis()} as an instant. */
    default Instant storeTime() {
        return Instant.ofEpochMilli(storeMillis());
    }

    /**
     * The latest that store time can be, rounded up to a millisecond. Delays count from it. The estimate is a lower
     * bound: a delay counted from it would end too early, by as much as the store's answers came late.
     */
    default Instant latestStoreTime() {
        return storeTimeRoundedUp();
    }

    /** The end of the millisecond that has begun, by the estimate. */
    default Instant storeTimeRoundedUp() {
        long nanos = nanoTime();
        long millis = storeMillis();
        boolean hasBegun = nanoTimeAt(millis) - nanos < 0;
        return Instant.ofEpochMilli(hasBegun ? millis + 1 : millis);
    }
}
