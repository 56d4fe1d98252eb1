package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How many connections atomic handlers may hold at a time. Without a bound they could hold all that the pool has, and
 * whoever schedules a job would wait for one of them to end. Thread-safe.
 */
final class HandlerConnections {

    private static final String DOING = "beginning the transaction of an atomic handler";

    private final int most;
    private final Duration patience;
    private final Semaphore free;

    /** @param patience how long to wait for a connection that another handler holds */
    HandlerConnections(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
        this.free = new Semaphore(most, true);
    }

    /** Waits until one may be taken; {@link #giveBack()} it afterwards. */
    void take() {
        boolean taken;
        try {
            taken = free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable("The job store was interrupted while %s.".formatted(DOING), stop);
        }
        if (!taken) {
            throw StoreException.unavailable(
                    "The job store waited %s while %s: %d others hold a connection, which is the most that the pool leaves them; give the pool more connections, or lower the concurrency of these handlers."
                            .formatted(patience, DOING, most),
                    new TimeoutException("no connection for an atomic handler"));
        }
    }

    void giveBack() {
        free.release();
    }
}
