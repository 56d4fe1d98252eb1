package io.delayjob.internal.maintain;

import java.time.Instant;

/**
 * Chooses the number under which a minute is written. Usually this is the number of the instance, which writes each
 * minute once. If the store's clock is set back, some minutes pass a second time, after the instance has written them.
 * The store does not change existing rows, so the instance writes such a minute under another number. Used by one
 * thread at a time.
 */
final class MinuteWriters {

    /** Distance between two numbers of an instance. No register ever gives numbers as high as this to instances. */
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
