package io.delayjob.test;

import java.time.Duration;

/** The clocks of one machine: its own idea of the wall clock's time, and a monotonic clock with a zero of its own. */
final class Machine {

    private final VirtualClock truth;
    private long nanosAhead;
    private long wallMillisAhead;
    private int sleeps;
    private long asleepSinceNanos;

    /**
     * @param nanosAhead where its monotonic clock begins
     * @param wallAhead how wrong its wall clock is
     */
    Machine(VirtualClock truth, long nanosAhead, Duration wallAhead) {
        this.truth = truth;
        this.nanosAhead = nanosAhead;
        this.wallMillisAhead = wallAhead.toMillis();
    }

    long nanos() {
        return (sleeps == 0 ? truth.nanoTime() : asleepSinceNanos) + nanosAhead;
    }

    long wallMillis() {
        return truth.storeMillis() + wallMillisAhead;
    }

    /** Somebody sets the wall clock. */
    void setWallClock(Duration by) {
        wallMillisAhead += by.toMillis();
    }

    /** Until it {@linkplain #wakes wakes}, as often as it fell asleep, its monotonic clock stands still. */
    void fallsAsleep() {
        if (sleeps == 0) {
            asleepSinceNanos = truth.nanoTime();
        }
        sleeps++;
    }

    void wakes() {
        sleeps--;
        if (sleeps == 0) {
            nanosAhead -= truth.nanoTime() - asleepSinceNanos;
        }
    }
}
