package io.delayjob.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A Redis Cluster of three masters, without replicas. Ends with the JVM at the latest. Not thread-safe. */
public final class TestRedisCluster implements AutoCloseable {

    private static final int MASTERS = 3;

    private final List<TestRedisServer> servers = new ArrayList<>();

    private TestRedisCluster() {}

    /** Starts a cluster and waits until each of its masters knows all slots. */
    public static TestRedisCluster start() {
        TestRedisCluster cluster = new TestRedisCluster();
        for (int i = 0; i < MASTERS; i++) {
            cluster.servers.add(TestRedisServer.start("--cluster-enabled", "yes"));
        }
        cluster.join();
        return cluster;
    }

    private void join() {
        RedisClient client = RedisClient.create();
        List<StatefulRedisConnection<String, String>> connections =
                servers.stream().map(server -> client.connect(server.uri())).toList();
        for (int i = 0; i < MASTERS; i++) {
            RedisCommands<String, String> master = connections.get(i).sync();
            int first = SlotHash.SLOT_COUNT * i / MASTERS;
            int end = SlotHash.SLOT_COUNT * (i + 1) / MASTERS;
            master.clusterAddSlots(IntStream.range(first, end).toArray());
            master.clusterSetConfigEpoch(i + 1L);
            master.clusterMeet("127.0.0.1", servers.get(0).port());
        }
        for (StatefulRedisConnection<String, String> connection : connections) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> connection.sync().clusterInfo().contains("cluster_state:ok")
                            && connection.sync().clusterInfo().contains("cluster_known_nodes:" + MASTERS)
                            && connection.sync().clusterInfo().contains("cluster_slots_ok:" + SlotHash.SLOT_COUNT));
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Returns the addresses of all masters. */
    public List<RedisURI> uris() {
        return servers.stream().map(TestRedisServer::uri).toList();
    }

    /** Returns the server of each master. */
    public List<TestRedisServer> servers() {
        return List.copyOf(servers);
    }

    @Override
    public void close() {
        servers.forEach(TestRedisServer::close);
    }
}
