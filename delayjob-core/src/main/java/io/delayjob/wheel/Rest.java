package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The time between two polls, while the owner needs no new one. The owner begins and ends it; a thread that brings an
 * earlier timer ends it, too, and wakes the owner.
 */
final class Rest {

    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile long until;

    /** Begins until a time of the wheel, which may be as far away as differences of times can tell. */
    void begin(long newUntil) {
        until = newUntil;
        underWay.set(true);
    }

    /** Ends it because a poll begins. */
    void end() {
        underWay.set(false);
    }

    /** Whether it is under way and lasts beyond a time. */
    boolean outlasts(long time) {
        return underWay.get() && until - time > 0;
    }

    /** Ends it because there is something to do: {@code true} to one caller, which wakes the owner. */
    boolean cutShort() {
        return underWay.get() && underWay.compareAndSet(true, false);
    }
}
