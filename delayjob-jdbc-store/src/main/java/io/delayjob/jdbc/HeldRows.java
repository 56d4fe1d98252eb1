package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Straight;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Whether rows are written {@linkplain Straight at once} or locked first. The former is quicker but waits for rows that
 * somebody holds, so after it has met one, the next few lock first: to lock a row costs a third of writing it, and to
 * have waited in vain about as much as a handful of such writes. Whoever holds many rows for long makes it wary for
 * longer each time. Claims and ends have one each, for they write other rows. Thread-safe.
 */
final class HeldRows {

    /** As many lock first after a held row was met, twice as many if the next one that goes at once meets one as well. */
    private static final int LEAST_WARY = 4;

    private static final int MOST_WARY = 64;

    private final AtomicInteger wary = new AtomicInteger();
    private final AtomicInteger waryNext = new AtomicInteger(LEAST_WARY);

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
                wary.set(waryNext.getAndUpdate(before -> Math.min(before * 2, MOST_WARY)));
                return lockingFirst.get();
            }
            if (wary.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
                return lockingFirst.get();
            }
            T written = atOnce.get();
            waryNext.updateAndGet(before -> Math.max(before / 2, LEAST_WARY));
            return written;
        };
    }
}
