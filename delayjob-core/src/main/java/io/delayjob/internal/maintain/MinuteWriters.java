package io.delayjob.internal.maintain;

import java.time.Instant;

/**
 * Chooses the number under which a minute is written to the store. Usually this is the number of the instance, because
 * an instance writes each minute only once. But if the store's clock is set back, a minute that the instance has
 * already written may come again. The store does not change existing rows, so the new counts of that minute are written
 * under another number. Only one thread at a time may use this object.
 */
final class MinuteWriters {

    /**
     * Difference between one number of an instance and its next number. Every number that a register gives to an
     * instance is lower than this difference.
     */
    private static final long REPETITION = 1L << 40;

    private long instance;
    private long repetitions;
    private Instant latest = Instant.MIN;

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
