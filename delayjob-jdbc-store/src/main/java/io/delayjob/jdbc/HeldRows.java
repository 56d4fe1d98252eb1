package io.delayjob.jdbc;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Decides whether a transaction writes its rows {@linkplain io.delayjob.jdbc.dialect.Straight at once} or locks them
 * first. Writes without locks are quicker, but wait for <em>held rows</em>, which are rows that another transaction has
 * locked. So after a transaction has met a held row, the next few transactions lock their rows first. A transaction may
 * also fail because another transaction has changed one of its rows. Then, too, the next few transactions lock their
 * rows first. Locking a row first costs a third as much as a write. Waiting for a row that stays locked costs about as
 * much as five writes. After each further held row, twice as many transactions as before lock their rows first, up to a
 * maximum. The store has one {@code HeldRows} for claims and one for outcomes, because claims and outcomes write
 * different rows. Thread-safe.
 */
final class HeldRows {

    /**
     * After the first held row, this number of transactions lock their rows first.
     */
    private static final int LEAST_WARY = 4;

    private static final int MOST_WARY = 64;

    private final AtomicInteger wary = new AtomicInteger();
    private final AtomicInteger waryNext = new AtomicInteger(LEAST_WARY);

    /**
     * The returned work chooses one of the two ways when it runs. If {@code straight} fails because of another
     * transaction, the store runs the work again. The second run uses {@code lockingFirst}.
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
