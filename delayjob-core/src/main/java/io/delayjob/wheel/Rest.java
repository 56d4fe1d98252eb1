package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Represents a rest: a time in which the thread that owns the wheel waits. A thread that schedules an earlier timer
 * ends the rest, and wakes up the owner.
 */
final class Rest {

    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile long until;

    /** @param newUntil the end of the rest, as a time of the wheel */
    void begin(long newUntil) {
        until = newUntil;
        underWay.set(true);
    }

    void end() {
        underWay.set(false);
    }

    boolean outlasts(long time) {
        return underWay.get() && until - time > 0;
    }

    /** Returns {@code true} to only one caller, which must wake up the owner. */
    boolean cutShort() {
        return underWay.get() && underWay.compareAndSet(true, false);
    }
}
