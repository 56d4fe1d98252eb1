package io.delayjob.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A clock that stands still until a test moves it. Both times move together. Only {@link #setStore} moves store time
 * alone.
 */
public final class HandClock implements EngineClock {

    /** The time at which every test begins. */
    public static final Instant START = Instant.parse("2030-01-31T10:00:00Z");

    /**
     * The start of monotonic time. It is close to the overflow, so that code fails if it compares such times instead of
     * their differences.
     */
    private static final long FIRST_NANO =
            Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();

    private volatile long nanos = FIRST_NANO;
    private volatile long setForwardMillis;
    private volatile long uncertainMillis;
    private volatile int epoch;
    private volatile int readingsUntilSteady;

    public void advance(Duration duration) {
        nanos += duration.toNanos();
    }

    public void advanceMillis(long millis) {
        advance(Duration.ofMillis(millis));
    }

    /** Sets the store's clock forward, or back if the duration is negative. */
    public void setStore(Duration forward) {
        setForwardMillis += forward.toMillis();
        epoch++;
    }

    /** Lowers the estimate of store time a little, although no clock was set. */
    public void lowerEstimate(Duration by) {
        setForwardMillis -= by.toMillis();
    }

    /** Simulates that the store's replies take this time, so that store time may be later than its estimate by it. */
    public void slowReplies(Duration roundTrip) {
        uncertainMillis = roundTrip.toMillis();
    }

    /** Simulates that the machine has slept. Its clocks are trusted again after two readings of the store's clock. */
    public void slept() {
        readingsUntilSteady = 2;
    }

    /** Returns store time in microseconds, for stores that get their clock as a parameter. */
    public long storeMicros() {
        return storeMillis() * 1_000;
    }

    @Override
    public long storeMillis() {
        return START.toEpochMilli() + setForwardMillis + Math.floorDiv(nanos - FIRST_NANO, 1_000_000L);
    }

    @Override
    public Instant latestStoreTime() {
        return storeTimeRoundedUp().plusMillis(uncertainMillis);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long nanoTimeAt(long storeMillis) {
        return FIRST_NANO + (storeMillis - START.toEpochMilli() - setForwardMillis) * 1_000_000L;
    }

    @Override
    public void observe(StoreTimeSample sample) {
        readingsUntilSteady = Math.max(0, readingsUntilSteady - 1);
    }

    @Override
    public int epoch() {
        return epoch;
    }

    @Override
    public boolean isSteady() {
        return readingsUntilSteady == 0;
    }
}
