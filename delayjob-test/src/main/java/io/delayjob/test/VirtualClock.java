package io.delayjob.test;

import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreTimeSample;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that moves only when a test moves it. Store time and monotonic time move together. There is one exception:
 * {@link #jumpTo} changes only store time, as if somebody had set the store's clock.
 *
 * <p>This clock ignores {@linkplain #observe readings} of a store's clock. Even a real database uses virtual time,
 * because every statement gets the time as a parameter.
 *
 * <p>A test can move the clock by up to {@value #MAX_YEARS} years. Thread-safe, but only one thread should move the
 * clock.
 */
public final class VirtualClock implements EngineClock {

    /** Monotonic time is a {@code long} of nanoseconds, and half of the range of {@code long} must stay free. */
    static final int MAX_YEARS = 146;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LAST_NANO = Long.MAX_VALUE / 2;

    /** Holds both times in one object, so that a reader always sees both times of the same moment. */
    private record Reading(long originMillis, long nanos, int epoch) {

        long storeMillis() {
            return originMillis + nanos / NANOS_PER_MILLI;
        }
    }

    private volatile Reading reading;

    /** Creates a clock that shows {@code start}, rounded down to a millisecond. */
    public VirtualClock(Instant start) {
        reading = new Reading(start.toEpochMilli(), 0, 0);
    }

    @Override
    public long storeMillis() {
        return reading.storeMillis();
    }

    /** Returns store time in microseconds since the epoch, for stores that get their clock from outside. */
    public long storeMicros() {
        Reading now = reading;
        return Math.addExact(Math.multiplyExact(now.originMillis, 1_000), now.nanos / 1_000);
    }

    /**
     * Returns {@link #storeTime()}. This clock does not round up.
     */
    @Override
    public Instant storeTimeRoundedUp() {
        return storeTime();
    }

    @Override
    public long nanoTime() {
        return reading.nanos;
    }

    @Override
    public long nanoTimeAt(long millis) {
        long sinceStart = millis - reading.originMillis;
        long farthest = LAST_NANO / NANOS_PER_MILLI;
        return Math.max(-farthest, Math.min(farthest, sinceStart)) * NANOS_PER_MILLI;
    }

    @Override
    public void observe(StoreTimeSample sample) {
        // This clock itself defines store time, so it needs no readings.
    }

    @Override
    public int epoch() {
        return reading.epoch;
    }

    @Override
    public boolean isSteady() {
        return true;
    }

    /** Advances the clock without running agents; {@link VirtualTime#advance} also runs them. */
    public void advance(Duration duration) {
        moveTo(after(reading.nanos, duration));
    }

    /**
     * Sets store time forwards or backwards. Monotonic time does not change. A new {@linkplain #epoch() epoch} begins.
     */
    public void jumpTo(Instant storeTime) {
        Reading now = reading;
        reading = new Reading(storeTime.toEpochMilli() - now.nanos / NANOS_PER_MILLI, now.nanos, now.epoch + 1);
    }

    void moveTo(long nanos) {
        Reading now = reading;
        if (nanos < now.nanos) {
            throw new IllegalArgumentException(
                    "Invalid time %d ns: monotonic time has reached %d ns and never goes back."
                            .formatted(nanos, now.nanos));
        }
        reading = new Reading(now.originMillis, nanos, now.epoch);
    }

    static long after(long nanos, Duration duration) {
        if (duration.isNegative() || duration.compareTo(Duration.ofNanos(LAST_NANO - nanos)) > 0) {
            throw new IllegalArgumentException(
                    "Invalid duration %s: virtual time only goes forwards, and at most %d years from its start."
                            .formatted(duration, MAX_YEARS));
        }
        return nanos + duration.toNanos();
    }

    @Override
    public String toString() {
        return "VirtualClock[" + storeTime() + "]";
    }
}
