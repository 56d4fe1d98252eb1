package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The time between two polls, during which the owner need not poll. The owner begins and ends it. A thread that
 * brings an earlier timer also ends it, and wakes the owner.
 */
final class Rest {

    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile long until;

    /** Begins a rest until a time of the wheel, which may be as far away as differences of times can express. */
    void begin(long newUntil) {
        until = newUntil;
        underWay.set(true);
    }

    /** Ends the rest because a poll begins. */
    void end() {
        underWay.set(false);
    }

    /** Tells whether a rest is under way and lasts beyond a time. */
    boolean outlasts(long time) {
        return underWay.get() && until - time > 0;
    }

    /**
     * Ends the rest because there is something to do. Returns {@code true} to one caller only, which wakes the owner.
     */
    boolean cutShort() {
        return underWay.get() && underWay.compareAndSet(true, false);
    }
}
