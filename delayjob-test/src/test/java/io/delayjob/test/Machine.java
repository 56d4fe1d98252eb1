package io.delayjob.test;

import java.time.Duration;

/** The clocks of one machine: a wall clock that may be wrong, and a monotonic clock with its own zero. */
final class Machine {

    private final VirtualClock truth;
    private long nanosAhead;
    private long wallMillisAhead;
    private int sleeps;
    private long asleepSinceNanos;

    /**
     * @param nanosAhead the start of its monotonic clock
     * @param wallAhead the error of its wall clock
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

    /** Sets the wall clock. */
    void setWallClock(Duration by) {
        wallMillisAhead += by.toMillis();
    }

    /**
     * Stops its monotonic clock until it {@linkplain #wakes wakes}. Several calls need as many calls of {@code wakes}.
     */
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
