package io.delayjob.proofs.chaos;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.RedisJobStoreBuilder;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Jobs and leases of a worker in Redis, as the starter creates them. */
final class RedisWorkerStore implements WorkerStore {

    private static final String SCHEME = "redis";
    private static final String CLUSTER_SCHEME = "redis-cluster";

    private static final Duration LONGEST_START = Duration.ofSeconds(30);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final LettuceConnectionFactory connections;
    private final String namespace;
    private final RedisJobStore store;

    private RedisWorkerStore(LettuceConnectionFactory connections, String namespace, RedisJobStore store) {
        this.connections = connections;
        this.namespace = namespace;
        this.store = store;
    }

    static String url(String host, int port, String namespace, int waitReplicas) {
        return "%s://%s:%d/%s?%d".formatted(SCHEME, host, port, namespace, waitReplicas);
    }

    static String clusterUrl(List<RedisURI> nodes, String namespace, int waitReplicas) {
        String addresses = nodes.stream()
                .map(node -> node.getHost() + ":" + node.getPort())
                .collect(Collectors.joining(","));
        return "%s://%s/%s?%d".formatted(CLUSTER_SCHEME, addresses, namespace, waitReplicas);
    }

    static boolean isAddress(String url) {
        return url.startsWith(SCHEME);
    }

    static RedisWorkerStore open(WorkerOrders orders) {
        URI address = URI.create(orders.url());
        LettuceConnectionFactory connections = new LettuceConnectionFactory(
                place(address),
                LettuceClientConfiguration.builder()
                        .commandTimeout(TIMEOUT)
                        .clientOptions(ClientOptions.builder()
                                .socketOptions(SocketOptions.builder()
                                        .connectTimeout(TIMEOUT)
                                        .build())
                                .build())
                        .shutdownTimeout(Duration.ZERO)
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        return new RedisWorkerStore(connections, namespace(address), connect(connections, address, orders.profile()));
    }

    private static RedisConfiguration place(URI address) {
        return address.getScheme().equals(CLUSTER_SCHEME)
                ? new RedisClusterConfiguration(List.of(address.getAuthority().split(",")))
                : new RedisStandaloneConfiguration(address.getHost(), address.getPort());
    }

    private static String namespace(URI address) {
        return address.getPath().substring(1);
    }

    private static RedisJobStore connect(LettuceConnectionFactory connections, URI address, Profile profile) {
        Duration heartbeat = profile.liveness().multipliedBy(3).dividedBy(10);
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + LONGEST_START.toNanos();
        while (true) {
            try {
                return builder(connections)
                        .namespace(namespace(address))
                        .waitReplicas(Integer.parseInt(address.getQuery()))
                        .slots(RedisRoundStore.SLOTS)
                        .timeout(heartbeat.compareTo(LONGEST_WAIT) < 0 ? heartbeat : LONGEST_WAIT)
                        .build();
            } catch (StoreException away) {
                if (!away.isTransient() || System.nanoTime() - deadline > 0) {
                    throw away;
                }
                rest(never);
            }
        }
    }

    private static RedisJobStoreBuilder builder(LettuceConnectionFactory connections) {
        AbstractRedisClient client = connections.getRequiredNativeClient();
        return client instanceof RedisClusterClient cluster
                ? RedisJobStore.builder(cluster)
                : RedisJobStore.builder((RedisClient) client);
    }

    private static void rest(CountDownLatch never) {
        try {
            never.await(BETWEEN_TRIES.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("The process was stopped before Redis answered.", stopped);
        }
    }

    @Override
    public JobStore jobs() {
        return store;
    }

    @Override
    public LeaseProvider leases(String incarnation, Mutant mutant, EngineClock clock) {
        return new ShedLockLeaseProvider(
                new RedisLockProvider.Builder(connections)
                        .keyPrefix(namespace + ":lease")
                        .safeUpdate(true)
                        .build(),
                mutant.leaseClock(clock));
    }

    @Override
    public @Nullable Transactions transactions() {
        return null;
    }

    @Override
    public int hog(Duration length) {
        throw new IllegalArgumentException("A Redis store shares its connections, so nothing can take them.");
    }

    @Override
    public void close() {
        store.close();
        connections.destroy();
    }
}
