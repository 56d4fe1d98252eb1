package io.delayjob.jdbc;

import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * The time limit for a query of several statements. A limit for the number of rows is not enough. A read from disk
 * takes a hundred times longer than a read from the cache. Used by one thread.
 */
final class ReadingTime {

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
