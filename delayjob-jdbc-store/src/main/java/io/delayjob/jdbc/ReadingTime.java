package io.delayjob.jdbc;

import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * The time limit for a query that needs several statements. Reading a cached row takes microseconds, and a row on disk
 * a hundred times as long, so no fixed number of rows would suit both. A query begins with few rows, and reads more
 * rows only while there is time. Used by one thread.
 */
final class ReadingTime {

    /**
     * After this time, a query reads no more rows than it must. A person hardly notices such a delay. If the rows are
     * on disk, the rest of the query may take another half second.
     */
    static final Duration LIMIT = Duration.ofMillis(200);

    private final EngineClock clock;
    private final long begin;

    ReadingTime(EngineClock clock) {
        this.clock = clock;
        this.begin = clock.nanoTime();
    }

    boolean isOver() {
        return clock.nanoTime() - begin >= LIMIT.toNanos();
    }
}
