package io.delayjob.jdbc;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Decides whether rows are written {@linkplain io.delayjob.jdbc.dialect.Straight straight} or locked first. Straight is
 * quicker, but waits for rows that another transaction holds. So after it has met one, the next few transactions lock
 * first. To lock a row costs a third of writing it; to wait in vain costs about as much as a handful of writes. Each
 * further held row makes it wary for longer. Claims and ends have one each, because they write other rows. Thread-safe.
 */
final class HeldRows {

    /** Number of transactions that lock first after a held row; twice as many if the next straight one meets one as well. */
    private static final int LEAST_WARY = 4;

    private static final int MOST_WARY = 64;

    private final AtomicInteger wary = new AtomicInteger();
    private final AtomicInteger waryNext = new AtomicInteger(LEAST_WARY);

    /**
     * The work of a transaction that is repeated when it has lost against another one.
     *
     * @param straight may lose against a transaction that holds a row
     * @param lockingFirst skips held rows
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
