package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Limits the number of pool connections that atomic handlers hold, so that other calls do not wait for connections.
 * Thread-safe.
 */
final class HandlerConnections {

    private static final String DOING = "beginning the transaction of an atomic handler";

    private final int most;
    private final Duration patience;
    private final Semaphore free;

    HandlerConnections(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
        this.free = new Semaphore(most, true);
    }

    /** The caller must call {@link #giveBack()} afterwards. */
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
                    "The job store waited %s for a connection while %s. %d other attempts hold connections, which is the maximum that the pool leaves to atomic handlers. Give the pool more connections, or lower the concurrency of these handlers."
                            .formatted(patience, DOING, most),
                    new TimeoutException("no connection for an atomic handler"));
        }
    }

    void giveBack() {
        free.release();
    }
}
