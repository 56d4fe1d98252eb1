package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the time at which the first large slot must begin to move its timers down. The time may be too early, but is
 * never too late.
 */
final class Ahead {

    private boolean isNeeded;
    private long time;

    void note(Slot<?> large) {
        if (!isNeeded || large.aheadTime() - time < 0) {
            set(large);
        }
    }

    /** @param large the large slot that must move timers first; {@code null} if no slot is large */
    void set(@Nullable Slot<?> large) {
        isNeeded = large != null;
        if (large != null) {
            time = large.aheadTime();
        }
    }

    boolean isDueAt(long now) {
        return isNeeded && time - now <= 0;
    }

    long nanosFrom(long now) {
        return isNeeded ? Math.max(0, time - now) : Long.MAX_VALUE;
    }
}
