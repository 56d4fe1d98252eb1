package io.delayjob.internal.maintain;

import java.time.Instant;

/**
 * Chooses the number under which a minute is written. If the store's clock is set back, a written minute may come
 * again. Its new counts then need another number, because the store does not change existing rows. Only one thread at a
 * time may use this object.
 */
final class MinuteWriters {

    /** Every number that a register gives to an instance is lower than this difference. */
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
