package io.delayjob.internal.maintain;

import java.time.Instant;

/**
 * Chooses the number under which a minute is written to the store. Usually this is the number of the instance, because
 * an instance writes each minute only once. If the store's clock is set back, some minutes pass a second time after
 * they were written. The store does not change existing rows, so these minutes are written under another number. Only
 * one thread at a time may use this object.
 */
final class MinuteWriters {

    /**
     * Difference between two numbers that one instance uses. The numbers that a register gives to instances are always
     * lower than this.
     */
    private static final long REPETITION = 1L << 40;

    private long instance;
    private long repetitions;
    private Instant latest = Instant.MIN;

    /** Returns a number that this instance has not used for this minute. */
    long next(long owner, Instant minute) {
        if (owner != instance) {
            instance = owner;
            repetitions = 0;
        } else if (!minute.isAfter(latest)) {
            repetitions++;
        }
        latest = minute;
        return instance + repetitions * REPETITION;
    }
}
