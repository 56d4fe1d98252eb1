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
 * Keeps one connection open, and replaces the connection if it gives no answers. Otherwise, a broken connection might
 * remain unnoticed for many minutes. Thread-safe.
 */
final class RedisConnections implements AutoCloseable {

    private static final String DOING = "connecting to Redis";

    private final Supplier<Opened> connector;
    private final ScheduledExecutorService executor;
    private final Duration timeout;
    private CompletableFuture<Opened> current;
    private @Nullable Opened leaving;

    record Opened(StatefulConnection<String, byte[]> connection, RedisClusterAsyncCommands<String, byte[]> commands) {}

    /**
     * @param executor the client's executor, which opens the replacements of a connection
     * @param timeout maximum time that a call waits for the replacement of a connection
     */
    RedisConnections(Supplier<Opened> connector, ScheduledExecutorService executor, Duration timeout) {
        this.connector = connector;
        this.executor = executor;
        this.timeout = timeout;
        this.current = CompletableFuture.completedFuture(connector.get());
    }

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
     * The old connection stays open for the maximum waiting time of a call, because calls may still wait for its
     * answers.
     */
    synchronized void giveUp(Opened silent) {
        if (current.isDone() && !current.isCompletedExceptionally() && current.join() == silent) {
            current = open();
            executor.schedule(() -> silent.connection().closeAsync(), timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Waits before the replacement, because the host name or Sentinel refers to the old server for a while. */
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
