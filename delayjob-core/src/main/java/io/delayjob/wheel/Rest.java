package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Represents a rest of the wheel's owner: the owner may sleep, because no poll is needed. The owner begins and ends
 * this rest. A thread that schedules an earlier timer also ends the rest, and wakes up the owner.
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

    /**
     * Ends the owner's rest early, because an earlier timer was scheduled. The method returns {@code true} to only one
     * caller, which must wake up the owner.
     */
    boolean cutShort() {
        return underWay.get() && underWay.compareAndSet(true, false);
    }
}
