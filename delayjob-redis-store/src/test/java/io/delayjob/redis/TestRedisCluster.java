package io.delayjob.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A Redis Cluster without replicas. Ends with the JVM at the latest. Not thread-safe. */
public final class TestRedisCluster implements AutoCloseable {

    private final List<TestRedisServer> servers = new ArrayList<>();

    private TestRedisCluster() {}

    /** Starts a cluster of three masters and waits until each of them knows all slots. */
    public static TestRedisCluster start() {
        return start(3);
    }

    /**
     * Starts a cluster and waits until each of its masters knows all slots.
     *
     * @param masters number of masters
     * @param options options of each master, as on the command line
     */
    public static TestRedisCluster start(int masters, String... options) {
        TestRedisCluster cluster = new TestRedisCluster();
        List<String> all = new ArrayList<>(List.of("--cluster-enabled", "yes"));
        all.addAll(Arrays.asList(options));
        for (int i = 0; i < masters; i++) {
            cluster.servers.add(TestRedisServer.start(all.toArray(String[]::new)));
        }
        cluster.join();
        return cluster;
    }

    private void join() {
        RedisClient client = RedisClient.create();
        List<StatefulRedisConnection<String, String>> connections =
                servers.stream().map(server -> client.connect(server.uri())).toList();
        int masters = servers.size();
        for (int i = 0; i < masters; i++) {
            RedisCommands<String, String> master = connections.get(i).sync();
            int first = SlotHash.SLOT_COUNT * i / masters;
            int end = SlotHash.SLOT_COUNT * (i + 1) / masters;
            master.clusterAddSlots(IntStream.range(first, end).toArray());
            master.clusterSetConfigEpoch(i + 1L);
            master.clusterMeet("127.0.0.1", servers.get(0).port());
        }
        for (StatefulRedisConnection<String, String> connection : connections) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> connection.sync().clusterInfo().contains("cluster_state:ok")
                            && connection.sync().clusterInfo().contains("cluster_known_nodes:" + masters)
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
