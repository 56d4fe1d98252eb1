package io.delayjob.redis;

import io.delayjob.store.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection open. A connection that fell silent is replaced, because its end may stay unnoticed for many
 * minutes, while a new connection works at once. Thread-safe.
 */
final class RedisConnections implements AutoCloseable {

    private static final String DOING = "connecting to Redis";

    private final Supplier<Opened> connector;
    private final ScheduledExecutorService executor;
    private final Duration timeout;
    private CompletableFuture<Opened> current;
    private @Nullable Opened leaving;

    /** A connection and the commands that it takes. */
    record Opened(StatefulConnection<String, byte[]> connection, RedisClusterAsyncCommands<String, byte[]> commands) {}

    /**
     * Connects.
     *
     * @param executor executor of the client, which opens later connections
     * @param timeout maximum time that a call waits for a later connection
     */
    RedisConnections(Supplier<Opened> connector, ScheduledExecutorService executor, Duration timeout) {
        this.connector = connector;
        this.executor = executor;
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
            throw StoreException.unavailable(
                    "Redis did not accept a connection within %d ms: the same call may succeed later."
                            .formatted(timeout.toMillis()),
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable("The thread was interrupted while " + DOING + ".", interrupted);
        } catch (ExecutionException failed) {
            throw RedisErrors.translate(DOING, failed);
        }
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
            executor.schedule(() -> silent.connection().closeAsync(), timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Replaces a connection to a server that is now a replica. Waits before that, because the host name or Sentinel may
     * name another server after a while, and so that not every call opens a connection.
     */
    synchronized void giveUpSoon(Opened readOnly) {
        if (leaving != readOnly) {
            leaving = readOnly;
            executor.schedule(() -> giveUp(readOnly), timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Connects in another thread, because the client may take longer than a call may wait. */
    private CompletableFuture<Opened> open() {
        return CompletableFuture.supplyAsync(connector, executor);
    }

    @Override
    public synchronized void close() {
        current.thenAccept(opened -> opened.connection().close());
    }
}
