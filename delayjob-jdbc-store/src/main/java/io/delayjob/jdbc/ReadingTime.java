package io.delayjob.jdbc;

import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * The time limit for a query that needs several statements. Reading a cached row takes microseconds, and reading a row
 * from disk takes a hundred times as long. No limit of rows would suit both. So a query begins with few rows, and reads
 * more only while there is time. Used by one thread.
 */
final class ReadingTime {

    /**
     * Time after which an answer reads no more rows than it must. A person hardly notices this time. If rows come from
     * disk, the rest of an answer may take another half second.
     */
    static final Duration LIMIT = Duration.ofMillis(200);

    private final EngineClock clock;
    private final long begin;

    /** Begins now. */
    ReadingTime(EngineClock clock) {
        this.clock = clock;
        this.begin = clock.nanoTime();
    }

    boolean isOver() {
        return clock.nanoTime() - begin >= LIMIT.toNanos();
    }
}
