package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Straight;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Whether rows are written {@linkplain Straight at once} or locked first. The former is quicker but waits for rows that
 * somebody holds, so after it has met one, the next ones lock first: who holds a row for long delays the engine by
 * a few milliseconds now and then, not each time. Thread-safe.
 */
final class HeldRows {

    /** As many lock first after a held row was met. */
    private static final int WARY = 64;

    private final AtomicInteger wary = new AtomicInteger();

    /**
     * The work of a transaction that is repeated when it has lost against another one.
     *
     * @param atOnce may lose against whoever holds a row
     * @param lockingFirst skips held rows
     */
    <T> Supplier<T> unlessHeld(Supplier<T> atOnce, Supplier<T> lockingFirst) {
        AtomicBoolean tried = new AtomicBoolean();
        return () -> {
            if (tried.getAndSet(true)) {
                wary.set(WARY);
            }
            boolean isWary = wary.getAndUpdate(left -> Math.max(left - 1, 0)) > 0;
            return isWary ? lockingFirst.get() : atOnce.get();
        };
    }
}
