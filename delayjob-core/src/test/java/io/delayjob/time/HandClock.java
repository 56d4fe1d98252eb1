package io.delayjob.time;

import java.time.Duration;
import java.time.Instant;

/** Stands still until it is moved by hand. Both times move together; {@link #setStore} alone moves them apart. */
public final class HandClock implements EngineClock {

    /** Where every test begins. */
    public static final Instant START = Instant.parse("2030-01-31T10:00:00Z");

    /** Monotonic time may begin anywhere: close to its overflow shows whoever compares instead of taking differences. */
    private static final long FIRST_NANO =
            Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();

    private volatile long nanos = FIRST_NANO;
    private volatile long setForwardMillis;
    private volatile int epoch;
    private volatile int readingsUntilSteady;

    public void advance(Duration duration) {
        nanos += duration.toNanos();
    }

    public void advanceMillis(long millis) {
        advance(Duration.ofMillis(millis));
    }

    /** The store's clock was set: forwards, or by a negative duration back. */
    public void setStore(Duration forward) {
        setForwardMillis += forward.toMillis();
        epoch++;
    }

    /** Store time turns out to be a little less than was thought, without anybody having set a clock. */
    public void lowerEstimate(Duration by) {
        setForwardMillis -= by.toMillis();
    }

    /** The machine slept: its clocks are trusted again after two readings of the store's clock. */
    public void slept() {
        readingsUntilSteady = 2;
    }

    /** Store time in microseconds, for stores that take their clock from outside. */
    public long storeMicros() {
        return storeMillis() * 1_000;
    }

    @Override
    public long storeMillis() {
        return START.toEpochMilli() + setForwardMillis + Math.floorDiv(nanos - FIRST_NANO, 1_000_000L);
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
