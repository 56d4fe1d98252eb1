package io.delayjob.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster. Each of its masters may have a replica, which takes over when its master is dead. Ends with
 * the JVM at the latest. One thread at a time may change it, while others ask for its servers.
 */
public final class TestRedisCluster implements AutoCloseable {

    private static final int DEFAULT_MASTERS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The user of the replicas. Without it a replica receives nothing, while clients notice nothing. */
    private static final String REPLICATION = "replication";

    private static final String PASSWORD = "secret";

    private final RedisClient client = RedisClient.create();
    private final List<TestRedisServer> masters = new CopyOnWriteArrayList<>();
    /** The replica of each master, in the order of the masters. */
    private final List<TestRedisServer> replicas = new CopyOnWriteArrayList<>();

    private TestRedisCluster() {}

    /** Starts a cluster of three masters without replicas, and waits until each of them knows all slots. */
    public static TestRedisCluster start() {
        return start(DEFAULT_MASTERS);
    }

    /**
     * Starts a cluster without replicas, and waits until each of its masters knows all slots.
     *
     * @param masters number of masters
     * @param options options of each master, as on the command line
     */
    public static TestRedisCluster start(int masters, String... options) {
        TestRedisCluster cluster = new TestRedisCluster();
        for (int i = 0; i < masters; i++) {
            cluster.masters.add(startServer(options));
        }
        cluster.join();
        return cluster;
    }

    private static TestRedisServer startServer(String... options) {
        return TestRedisServer.start(Stream.concat(Stream.of("--cluster-enabled", "yes"), Stream.of(options))
                .toArray(String[]::new));
    }

    /**
     * Starts a cluster of three masters with a replica each, and waits until the replicas have all data and count for
     * {@code WAIT}.
     *
     * @param options options of every server, as on the command line, such as {@code "--cluster-node-timeout", "2000"}
     */
    public static TestRedisCluster startReplicated(String... options) {
        List<String> all = new ArrayList<>(List.of("--masteruser", REPLICATION, "--masterauth", PASSWORD));
        all.addAll(List.of("--user", REPLICATION, "on", ">" + PASSWORD, "+psync", "+replconf", "+ping"));
        all.addAll(List.of(options));
        TestRedisCluster cluster = new TestRedisCluster();
        for (int i = 0; i < DEFAULT_MASTERS; i++) {
            cluster.masters.add(startServer(all.toArray(String[]::new)));
            cluster.replicas.add(startServer(all.toArray(String[]::new)));
        }
        cluster.join();
        for (int i = 0; i < DEFAULT_MASTERS; i++) {
            String master = cluster.ask(cluster.masters.get(i), RedisCommands::clusterMyId);
            cluster.ask(cluster.replicas.get(i), redis -> redis.clusterReplicate(master));
        }
        cluster.awaitReplicas();
        return cluster;
    }

    private void join() {
        for (int i = 0; i < masters.size(); i++) {
            int[] slots = IntStream.range(first(i), first(i + 1)).toArray();
            long epoch = i + 1L;
            ask(masters.get(i), redis -> redis.clusterAddSlots(slots));
            ask(masters.get(i), redis -> redis.clusterSetConfigEpoch(epoch));
        }
        int port = masters.get(0).port();
        all().forEach(server -> ask(server, redis -> redis.clusterMeet("127.0.0.1", port)));
        all().forEach(server -> await().atMost(PATIENCE)
                .until(() -> ask(server, RedisCommands::clusterInfo).contains("cluster_known_nodes:" + all().size())));
        all().forEach(this::awaitSlots);
    }

    private int first(int shard) {
        return SlotHash.SLOT_COUNT * shard / masters.size();
    }

    /** Waits until a server knows a living master of each slot. */
    private void awaitSlots(TestRedisServer server) {
        await().atMost(PATIENCE).until(() -> hasAllSlots(server));
    }

    private boolean hasAllSlots(TestRedisServer server) {
        String info = ask(server, RedisCommands::clusterInfo);
        return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SlotHash.SLOT_COUNT);
    }

    /** Waits until each replica has all data of its master, and its master counts it for {@code WAIT}. */
    private void awaitReplicas() {
        for (int i = 0; i < replicas.size(); i++) {
            TestRedisServer master = masters.get(i);
            String counted = "port=%d,state=online".formatted(replicas.get(i).port());
            await().atMost(PATIENCE)
                    .until(() -> ask(master, redis -> redis.info("replication")).contains(counted));
        }
    }

    private <T> T ask(TestRedisServer server, Function<RedisCommands<String, String>, T> question) {
        try (StatefulRedisConnection<String, String> connection = client.connect(server.uri())) {
            return question.apply(connection.sync());
        }
    }

    private List<TestRedisServer> all() {
        return Stream.concat(masters.stream(), replicas.stream()).toList();
    }

    /** Returns the addresses of all servers. */
    public List<RedisURI> uris() {
        return all().stream().map(TestRedisServer::uri).toList();
    }

    /** Returns the server of each present master, in the order of their slots at the start. */
    public List<TestRedisServer> servers() {
        return List.copyOf(masters);
    }

    /** Returns the place of the master that had the slot of a key at the start. */
    public int shardOf(String key) {
        int slot = SlotHash.getSlot(key);
        return IntStream.range(0, masters.size())
                .filter(shard -> slot < first(shard + 1))
                .findFirst()
                .orElseThrow();
    }

    /** Lets the replica of a master receive nothing more. It has received what was written before this call. */
    public void separate(int shard) {
        masters.get(shard).awaitReceivedBy(replicas.get(shard));
        ask(masters.get(shard), redis -> redis.aclSetuser(REPLICATION, AclSetuserArgs.Builder.off()));
        ask(masters.get(shard), redis -> redis.clientKill(KillArgs.Builder.user(REPLICATION)));
    }

    /**
     * Kills a master, and waits until its replica has taken its place by the votes of the other masters. Then the dead
     * server comes back as the replica of the new master.
     */
    public void failOver(int shard) {
        TestRedisServer dead = masters.get(shard);
        TestRedisServer next = replicas.get(shard);
        dead.kill();
        masters.set(shard, next);
        replicas.set(shard, dead);
        await().atMost(PATIENCE)
                .until(() -> ask(next, redis -> redis.info("replication")).contains("role:master"));
        masters.forEach(this::awaitSlots);
        dead.startAgain();
        awaitReplicas();
    }

    /** Kills all servers at once, as a power failure does. */
    public void kill() {
        // A replica without a living master would wait for votes.
        replicas.forEach(TestRedisServer::kill);
        masters.forEach(TestRedisServer::kill);
    }

    /** Starts all servers again after {@link #kill()}, with the data that they have written. */
    public void startAgain() {
        // A replica that is up before its master would take its place.
        masters.forEach(TestRedisServer::startAgain);
        replicas.forEach(TestRedisServer::startAgain);
    }

    /** Tells whether each master answers and knows a living master of each slot. */
    public boolean isUp() {
        try {
            return masters.stream().allMatch(this::hasAllSlots);
        } catch (RuntimeException away) {
            return false;
        }
    }

    @Override
    public void close() {
        all().forEach(TestRedisServer::close);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
