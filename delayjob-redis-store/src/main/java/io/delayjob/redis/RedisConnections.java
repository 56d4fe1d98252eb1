package io.delayjob.redis;

import io.delayjob.store.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Collection;
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
    private final Collection<RedisConnections> ofStore;
    private CompletableFuture<Opened> current;
    private @Nullable Opened leaving;
    private boolean isClosed;

    record Opened(StatefulConnection<String, byte[]> connection, RedisClusterAsyncCommands<String, byte[]> commands) {}

    /**
     * @param executor the client's executor, which starts the replacement of a connection after a while
     * @param timeout maximum time that a call waits for the replacement of a connection
     * @param ofStore all connections of the store; the new one is added
     */
    RedisConnections(
            Supplier<Opened> connector,
            ScheduledExecutorService executor,
            Duration timeout,
            Collection<RedisConnections> ofStore) {
        this.connector = connector;
        this.executor = executor;
        this.timeout = timeout;
        this.ofStore = ofStore;
        this.current = CompletableFuture.completedFuture(connector.get());
        ofStore.add(this);
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
        if (!isClosed && current.isCompletedExceptionally()) {
            current = open();
        }
        return current;
    }

    /**
     * The old connection stays open for the maximum waiting time of a call, because calls may still wait for its
     * answers.
     */
    synchronized void giveUp(Opened silent) {
        if (silent == present()) {
            current = open();
            executor.schedule(() -> silent.connection().closeAsync(), timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Replaces all connections of the store, because reads do not notice that their server has become a replica. Waits
     * before the replacement, because the host name or Sentinel refers to the old server for a while.
     */
    void giveUpSoon(Opened readOnly) {
        if (readOnly == present()) {
            ofStore.forEach(RedisConnections::giveUpSoon);
        }
    }

    private synchronized void giveUpSoon() {
        Opened present = present();
        if (present != null && present != leaving) {
            leaving = present;
            executor.schedule(() -> giveUp(present), timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private synchronized @Nullable Opened present() {
        boolean isOpen = !isClosed && current.isDone() && !current.isCompletedExceptionally();
        return isOpen ? current.join() : null;
    }

    /**
     * Connects in another thread, because the client may take longer than a call may wait. This thread does not belong
     * to the client. If the client stops meanwhile, the thread may wait for ever, and the client would wait for it.
     */
    private CompletableFuture<Opened> open() {
        return CompletableFuture.supplyAsync(connector, task -> {
            Thread thread = new Thread(task, "delayjob-redis-connect");
            thread.setDaemon(true);
            thread.start();
        });
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        current.thenAccept(opened -> opened.connection().close());
    }
}
