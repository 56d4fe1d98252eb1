package io.delayjob.test;

import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreTimeSample;
import java.time.Duration;
import java.time.Instant;

/** A clock that takes the earliest possible store time for the latest, as if each reply of the store came at once. */
record EarliestTime(EngineClock target) implements EngineClock {

    @Override
    public Instant latestStoreTime() {
        return target.storeTime();
    }

    @Override
    public long storeMillis() {
        return target.storeMillis();
    }

    @Override
    public long nanoTime() {
        return target.nanoTime();
    }

    @Override
    public long nanoTimeAt(long storeMillis) {
        return target.nanoTimeAt(storeMillis);
    }

    @Override
    public void observe(StoreTimeSample sample) {
        target.observe(sample);
    }

    @Override
    public int epoch() {
        return target.epoch();
    }

    @Override
    public boolean isSteady() {
        return target.isSteady();
    }

    @Override
    public Duration skew() {
        return target.skew();
    }
}
