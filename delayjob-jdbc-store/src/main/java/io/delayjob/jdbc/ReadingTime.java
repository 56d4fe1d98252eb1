package io.delayjob.jdbc;

import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * The time limit for a query of several statements. A row on disk takes a hundred times as long as a cached row, so no
 * number of rows would do. Used by one thread.
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
