package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the time at which the next large slot must begin to move timers to a lower level. The stored time may be too
 * early, but is never too late.
 */
final class Ahead {

    private boolean isNeeded;
    private long time;

    /**
     * Lowers the stored time if this slot needs an earlier one. The slot has just become large, or was large and has
     * grown.
     */
    void note(Slot<?> large) {
        if (!isNeeded || large.aheadTime() - time < 0) {
            set(large);
        }
    }

    /** Sets the large slot that must move timers first, or {@code null} if there is none. */
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
