package io.delayjob.redis;

import io.delayjob.store.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Keeps one connection open. A connection that fell silent is replaced, because its end may stay unnoticed for many
 * minutes, while a new connection works at once. Thread-safe.
 */
final class RedisConnections implements AutoCloseable {

    private static final String DOING = "connecting to Redis";

    private final Supplier<Opened> connector;
    private final Duration timeout;
    private CompletableFuture<Opened> current;

    /** A connection and the commands that it takes. */
    record Opened(StatefulConnection<String, byte[]> connection, RedisClusterAsyncCommands<String, byte[]> commands) {}

    /**
     * Connects.
     *
     * @param timeout longest wait for a new connection later on
     */
    RedisConnections(Supplier<Opened> connector, Duration timeout) {
        this.connector = connector;
        this.timeout = timeout;
        this.current = CompletableFuture.completedFuture(connector.get());
    }

    /**
     * Returns the open connection, and waits for a new one if there is none.
     *
     * @throws StoreException if there is none in time
     */
    Opened get() {
        try {
            return current().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw late(late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable("The thread was interrupted while " + DOING + ".", interrupted);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof TimeoutException ? late(failed) : RedisErrors.translate(DOING, failed);
        }
    }

    private StoreException late(Exception cause) {
        return StoreException.unavailable(
                "Redis did not accept a connection within %d ms: the same call may succeed later."
                        .formatted(timeout.toMillis()),
                cause);
    }

    private synchronized CompletableFuture<Opened> current() {
        if (current.isCompletedExceptionally()) {
            current = open();
        }
        return current;
    }

    /**
     * Replaces a connection. Calls that still wait for its answers may get them, so it is closed only when the last of
     * them has waited long enough.
     */
    synchronized void giveUp(Opened silent) {
        if (current.isDone() && !current.isCompletedExceptionally() && current.join() == silent) {
            current = open();
            CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> silent.connection().closeAsync());
        }
    }

    /** Connects in a thread of its own, because the client may take longer than a call may wait. */
    private CompletableFuture<Opened> open() {
        CompletableFuture<Opened> attempt =
                new CompletableFuture<Opened>().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        Thread connecting = new Thread(() -> connect(attempt), "delayjob-redis-connect");
        connecting.setDaemon(true);
        connecting.start();
        return attempt;
    }

    private void connect(CompletableFuture<Opened> attempt) {
        try {
            Opened opened = connector.get();
            if (!attempt.complete(opened)) {
                opened.connection().closeAsync();
            }
        } catch (RuntimeException refused) {
            attempt.completeExceptionally(refused);
        }
    }

    @Override
    public synchronized void close() {
        current.thenAccept(opened -> opened.connection().close());
    }
}
