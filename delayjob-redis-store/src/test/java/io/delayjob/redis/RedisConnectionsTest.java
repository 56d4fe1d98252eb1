package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.store.StoreException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisConnectionsTest {

    private final StatefulRedisConnection<String, byte[]> connection =
            TestRedis.client().connect(ByteStringCodec.INSTANCE);
    private final ScheduledThreadPoolExecutor client = new ScheduledThreadPoolExecutor(1);
    private final CompletableFuture<RedisConnections.Opened> second = new CompletableFuture<>();
    private final AtomicInteger opened = new AtomicInteger();

    @AfterEach
    void close() {
        second.cancel(true);
        client.shutdownNow();
        connection.close();
    }

    private RedisConnections connections(Duration timeout) {
        return new RedisConnections(
                () -> opened.getAndIncrement() == 0
                        ? new RedisConnections.Opened(connection, connection.async())
                        : second.join(),
                client,
                timeout,
                new ArrayList<>());
    }

    @Test
    void connectionThatIsToBeReplaced_isNotReplaced_afterItsStoreWasClosed() {
        RedisConnections connections = connections(Duration.ofHours(1));
        connections.giveUpSoon(connections.get());
        Runnable replacement = client.getQueue().element();
        connections.close();

        replacement.run();

        assertThat(client.getQueue()).containsOnly(replacement);
    }

    /** Nobody would close such a connection. */
    @Test
    void connectionThatCouldNotBeReplaced_isNotOpened_afterItsStoreWasClosed() {
        RedisConnections connections = connections(Duration.ofSeconds(5));
        second.completeExceptionally(new RedisConnectionException("refused"));
        connections.giveUp(connections.get());
        assertThatThrownBy(connections::get).isInstanceOf(StoreException.class);
        connections.close();
        int before = opened.get();

        assertThatThrownBy(connections::get).isInstanceOf(StoreException.class);

        assertThat(opened).hasValue(before);
    }

    /** When the client stops, it waits for its threads. */
    @Test
    void replacementThatNeverConnects_keepsNoThreadOfTheClient() throws Exception {
        RedisConnections connections = connections(Duration.ofMillis(1));

        connections.giveUp(connections.get());
        client.shutdown();

        assertThat(client.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }
}
