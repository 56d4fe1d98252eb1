package io.delayjob.jdbc;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Decides whether a transaction locks its rows first, or writes them {@linkplain
 * io.delayjob.internal.jdbc.dialect.Straight immediately}. An immediate write is quicker, but it waits if another
 * transaction has locked a row. Therefore, after a wait for locked rows, the next few transactions lock their rows
 * first. A lock costs a third of a write; a wait costs about five writes. Thread-safe.
 */
final class HeldRows {

    private static final int LEAST_WARY = 4;

    private static final int MOST_WARY = 64;

    private final AtomicInteger wary = new AtomicInteger();
    private final AtomicInteger waryNext = new AtomicInteger(LEAST_WARY);

    /**
     * @param straight work that fails if another transaction has locked a row
     * @param lockingFirst work that skips locked rows
     */
    <T> Supplier<T> unlessHeld(Supplier<T> straight, Supplier<T> lockingFirst) {
        AtomicBoolean tried = new AtomicBoolean();
        return () -> {
            if (tried.getAndSet(true)) {
                wary.set(waryNext.getAndUpdate(before -> Math.min(before * 2, MOST_WARY)));
                return lockingFirst.get();
            }
            if (wary.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
                return lockingFirst.get();
            }
            T written = straight.get();
            waryNext.updateAndGet(before -> Math.max(before / 2, LEAST_WARY));
            return written;
        };
    }
}
