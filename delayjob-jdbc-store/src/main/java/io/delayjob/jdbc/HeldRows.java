package io.delayjob.jdbc;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Decides whether a transaction writes rows {@linkplain io.delayjob.jdbc.dialect.Straight straight} or locks them
 * first. Straight writes are quicker, but wait for rows that another transaction has locked (<em>held rows</em>). So
 * after a held row, the next few transactions lock first. Transactions also lock first after a transaction has failed
 * because another one had changed a row. Locking a row costs a third of writing it. Waiting for a row that stays locked
 * costs about as much as five writes. Each further held row doubles the number of transactions that lock first, up to a
 * maximum. There is one object for claims and one for outcomes, because they write different rows. Thread-safe.
 */
final class HeldRows {

    /**
     * After a held row, this number of transactions lock their rows first. The number doubles with each further held
     * row.
     */
    private static final int LEAST_WARY = 4;

    private static final int MOST_WARY = 64;

    private final AtomicInteger wary = new AtomicInteger();
    private final AtomicInteger waryNext = new AtomicInteger(LEAST_WARY);

    /**
     * Marks work that is repeated if another transaction makes it fail.
     *
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
