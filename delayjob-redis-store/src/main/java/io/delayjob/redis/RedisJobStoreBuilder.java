package io.delayjob.redis;

import io.delayjob.job.OversizePayload;
import io.delayjob.store.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Builds a {@link RedisJobStore}. Not thread-safe. */
public final class RedisJobStoreBuilder {

    /** The default namespace. */
    public static final String DEFAULT_NAMESPACE = "delayjob";

    /** The default number of slots in a cluster. */
    public static final int DEFAULT_CLUSTER_SLOTS = 16;

    /** The maximum number of replicas to wait for. */
    public static final int MAX_REPLICAS = 16;

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private final BiFunction<Duration, Collection<RedisConnections>, RedisConnections> connect;
    private final Runnable findMasters;
    private String namespace = DEFAULT_NAMESPACE;
    private int slots;
    private long maxPayloadBytes = OversizePayload.DEFAULT_LIMIT;
    private int waitReplicas;
    private Duration timeout = DEFAULT_TIMEOUT;

    RedisJobStoreBuilder(RedisClient client) {
        this.slots = 1;
        this.findMasters = () -> {};
        this.connect = (limit, ofStore) -> {
            SafeOptions.set(client);
            Supplier<RedisConnections.Opened> connector = () -> {
                StatefulRedisConnection<String, byte[]> connection = client.connect(ByteStringCodec.INSTANCE);
                return new RedisConnections.Opened(connection, connection.async());
            };
            return new RedisConnections(connector, client.getResources().eventExecutorGroup(), limit, ofStore);
        };
    }

    RedisJobStoreBuilder(RedisClusterClient client) {
        this.slots = DEFAULT_CLUSTER_SLOTS;
        this.findMasters = client::refreshPartitionsAsync;
        this.connect = (limit, ofStore) -> {
            SafeOptions.set(client);
            Supplier<RedisConnections.Opened> connector = () -> {
                StatefulRedisClusterConnection<String, byte[]> connection = client.connect(ByteStringCodec.INSTANCE);
                return new RedisConnections.Opened(connection, connection.async());
            };
            return new RedisConnections(connector, client.getResources().eventExecutorGroup(), limit, ofStore);
        };
    }

    /**
     * Sets the prefix of all keys. Stores with different namespaces can share a server. Default: {@value
     * #DEFAULT_NAMESPACE}.
     *
     * @param namespace 1 to 100 letters, digits, dots, hyphens and underscores
     */
    public RedisJobStoreBuilder namespace(String namespace) {
        if (!NAMESPACE.matcher(namespace).matches()) {
            throw new IllegalArgumentException(
                    "Invalid namespace '%s': must be 1 to 100 letters, digits, dots, hyphens and underscores."
                            .formatted(namespace));
        }
        this.namespace = namespace;
        return this;
    }

    /**
     * Sets the number of slots over which the jobs are spread. In a cluster, the slots also spread the work over the
     * masters. The number cannot change after the first use of the namespace. If there is more than one slot, the store
     * may refuse a batch that contains jobs with the policy {@code FAIL}. With more than one slot, the store may also
     * change the given id of a job that has a key. Default: 1 on a server, {@value #DEFAULT_CLUSTER_SLOTS} in a
     * cluster.
     *
     * @param slots a power of two, 1 to 1,024
     */
    public RedisJobStoreBuilder slots(int slots) {
        if (slots < 1 || slots > Keyspace.MAX_SLOTS || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("Invalid number of slots %d: must be a power of two from 1 to %d."
                    .formatted(slots, Keyspace.MAX_SLOTS));
        }
        this.slots = slots;
        return this;
    }

    /**
     * Sets the maximum length of a payload that is read, in bytes of UTF-8. Default: {@link
     * OversizePayload#DEFAULT_LIMIT}.
     */
    public RedisJobStoreBuilder maxPayloadBytes(long maxPayloadBytes) {
        if (maxPayloadBytes < 1) {
            throw new IllegalArgumentException(
                    "Invalid maximum length of a payload (%d bytes): must be at least 1 byte."
                            .formatted(maxPayloadBytes));
        }
        this.maxPayloadBytes = maxPayloadBytes;
        return this;
    }

    /**
     * Sets the maximum time to wait for an answer of the server. A call that waits longer fails, but the server may
     * have executed the call. Default: 5 seconds.
     *
     * @param timeout at least one millisecond
     */
    public RedisJobStoreBuilder timeout(Duration timeout) {
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "Invalid timeout %s: must be at least 1 ms; choose a second or more.".formatted(timeout));
        }
        this.timeout = timeout;
        return this;
    }

    /**
     * Sets the number of replicas that must confirm each write before the call returns. A failover to one of these
     * replicas loses no confirmed write. If too few replicas confirm the write within half of the {@linkplain
     * #timeout(Duration) timeout}, the call fails, and its outcome is unknown. Heartbeats and statistics do not wait
     * for replicas. Default: 0.
     *
     * @param waitReplicas 0 to {@value #MAX_REPLICAS}
     */
    public RedisJobStoreBuilder waitReplicas(int waitReplicas) {
        if (waitReplicas < 0 || waitReplicas > MAX_REPLICAS) {
            throw new IllegalArgumentException(
                    "Invalid number of replicas to wait for (%d): must be from 0 to %d. Do not state more replicas than each master has."
                            .formatted(waitReplicas, MAX_REPLICAS));
        }
        this.waitReplicas = waitReplicas;
        return this;
    }

    /**
     * Connects and returns the store.
     *
     * @throws IllegalStateException if the namespace was first used with another number of slots or another layout
     * @throws StoreException if the server cannot be reached, or refuses a command
     */
    public RedisJobStore build() {
        Collection<RedisConnections> ofStore = new CopyOnWriteArrayList<>();
        RedisLink work = new RedisLink(connect(ofStore), timeout);
        try {
            RedisLink heartbeats = new RedisLink(connect(ofStore), timeout);
            try {
                return build(work, heartbeats, ofStore);
            } catch (RuntimeException refused) {
                heartbeats.close();
                throw refused;
            }
        } catch (RuntimeException refused) {
            work.close();
            throw refused;
        }
    }

    private RedisJobStore build(RedisLink work, RedisLink heartbeats, Collection<RedisConnections> ofStore) {
        Writes writes = waitReplicas == 0
                ? new PlainWrites(work)
                : new ConfirmedWrites(() -> connect(ofStore), waitReplicas, timeout, findMasters);
        try {
            return new RedisJobStore(work, heartbeats, writes, new Keyspace(namespace, slots), maxPayloadBytes);
        } catch (RuntimeException refused) {
            writes.close();
            throw refused;
        }
    }

    private RedisConnections connect(Collection<RedisConnections> ofStore) {
        try {
            return connect.apply(timeout, ofStore);
        } catch (RuntimeException refused) {
            throw RedisErrors.translate("connecting to Redis", refused);
        }
    }
}
