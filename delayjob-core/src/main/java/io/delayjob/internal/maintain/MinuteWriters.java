package io.delayjob.internal.maintain;

import java.time.Instant;

/**
 * Chooses the number under which a minute is written. If the store's clock is set back, the same minute may occur again
 * after it was written. The new counts of the minute then need another number, because the store does not change
 * existing rows. Only one thread at a time may use this object.
 */
final class MinuteWriters {

    /** Is added to an instance's number for each repetition. All instances have lower numbers than this. */
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
