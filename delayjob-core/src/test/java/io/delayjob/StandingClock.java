package io.delayjob;

import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreTimeSample;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until a test moves it. */
public final class StandingClock implements EngineClock {

    static final Instant START = Instant.parse("2030-01-31T10:00:00Z");

    private long nanos;

    public void advance(Duration duration) {
        nanos += duration.toNanos();
    }

    @Override
    public long storeMillis() {
        return START.toEpochMilli() + Math.floorDiv(nanos, 1_000_000L);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long nanoTimeAt(long storeMillis) {
        return (storeMillis - START.toEpochMilli()) * 1_000_000L;
    }

    @Override
    public void observe(StoreTimeSample sample) {}

    @Override
    public int epoch() {
        return 0;
    }

    @Override
    public boolean isSteady() {
        return true;
    }
}
