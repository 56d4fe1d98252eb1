package io.delayjob.proofs.chaos;

import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreTimeSample;

/** A clock with a stopped monotonic time, so that no age grows. Thread-safe. */
final class StoppedClock implements EngineClock {

    private final EngineClock clock;
    private final long stoppedNanos;

    StoppedClock(EngineClock clock) {
        this.clock = clock;
        this.stoppedNanos = clock.nanoTime();
    }

    @Override
    public long storeMillis() {
        return clock.storeMillis();
    }

    @Override
    public long nanoTime() {
        return stoppedNanos;
    }

    @Override
    public long nanoTimeAt(long storeMillis) {
        return clock.nanoTimeAt(storeMillis);
    }

    @Override
    public void observe(StoreTimeSample sample) {
        clock.observe(sample);
    }

    @Override
    public int epoch() {
        return clock.epoch();
    }

    @Override
    public boolean isSteady() {
        return clock.isSteady();
    }
}
