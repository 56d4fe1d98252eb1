package io.delayjob.proofs.chaos;

import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.TestRedisCluster;
import io.delayjob.redis.TestRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A Redis Cluster of three masters, each with a replica. A server writes to its append-only file before it answers.
 * There is no proxy, because a client learns the addresses of the servers from the cluster.
 */
final class RedisClusterRoundServer implements RoundServer {

    /** A key in the same hash slot as the register of instances. */
    private static final String REGISTER = "{meta}";

    /** This timeout is long, because a busy machine may stop a server for a while. */
    private static final String NODE_TIMEOUT_MILLIS = "4000";

    private final ClientResources resources = DefaultClientResources.create();
    private final CountDownLatch never = new CountDownLatch(1);
    private final TestRedisCluster cluster;
    private final int waitReplicas;
    private int failovers;

    private RedisClusterRoundServer(TestRedisCluster cluster, int waitReplicas) {
        this.cluster = cluster;
        this.waitReplicas = waitReplicas;
    }

    /** @param waitReplicas number of replicas that each write waits for: 0 or 1 */
    static RedisClusterRoundServer start(int waitReplicas) {
        TestRedisCluster cluster = TestRedisCluster.startReplicated(
                "--cluster-node-timeout", NODE_TIMEOUT_MILLIS, "--appendonly", "yes", "--appendfsync", "always");
        return new RedisClusterRoundServer(cluster, waitReplicas);
    }

    @Override
    public Set<FaultKind> faults() {
        return FaultKind.ON_A_REDIS_CLUSTER;
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public int port() {
        return cluster.servers().get(0).port();
    }

    @Override
    public RoundStore create(String name) {
        cluster.servers().forEach(this::empty);
        return new Namespace(name);
    }

    private void empty(TestRedisServer master) {
        RedisClient client = RedisClient.create(resources, master.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().flushall();
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @Override
    public void crash() {
        cluster.kill();
    }

    @Override
    public void startAgain() {
        cluster.startAgain();
    }

    @Override
    public boolean isAccepting() {
        return cluster.isUp();
    }

    /**
     * Each fault separates one master from its replica, and then kills this master. The first fault hits the master
     * that has the register of instances and the store's clock.
     */
    @Override
    public boolean inject(FaultKind kind, Duration length) throws InterruptedException {
        if (kind != FaultKind.FAILOVER) {
            throw new IllegalArgumentException("A cluster of Redis cannot have the fault %s.".formatted(kind));
        }
        int shard = (cluster.shardOf(REGISTER) + failovers) % cluster.servers().size();
        failovers++;
        cluster.separate(shard);
        never.await(length.toNanos(), TimeUnit.NANOSECONDS);
        cluster.failOver(shard);
        return true;
    }

    @Override
    public void close() {
        cluster.close();
        resources.shutdown();
    }

    private final class Namespace extends RedisRoundStore {

        private Namespace(String name) {
            super(name);
        }

        @Override
        Client client() {
            RedisClusterClient client = RedisClusterClient.create(resources, cluster.uris());
            return new Client(client, RedisJobStore.builder(client));
        }

        @Override
        public String url(String host, int port, Profile profile) {
            return RedisWorkerStore.clusterUrl(cluster.uris(), namespace(), waitReplicas);
        }
    }
}
