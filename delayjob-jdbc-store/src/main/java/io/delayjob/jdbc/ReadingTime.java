package io.delayjob.jdbc;

import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * The time limit for a query that needs several statements. Reading a cached row takes microseconds. Reading a row on
 * disk takes a hundred times as long. So no fixed number of rows would suit both cases. A query begins with few rows,
 * and reads more rows only while there is time. Used by one thread.
 */
final class ReadingTime {

    /**
     * If a query has already taken this time, it reads only the rows that it must read. A person hardly notices such a
     * delay. If the rows are on disk, the rest of the query may take another half second.
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
