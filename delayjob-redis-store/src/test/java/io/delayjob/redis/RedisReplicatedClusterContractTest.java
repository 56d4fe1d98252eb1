package io.delayjob.redis;

import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;

/** A store in a cluster that waits for a replica of each master passes the contract. */
@Order(1)
class RedisReplicatedClusterContractTest extends RedisStoreContract {

    private static TestRedisCluster cluster;
    private static RedisClusterClient client;

    @BeforeAll
    static void start() {
        cluster = TestRedisCluster.startReplicated();
        client = RedisClusterClient.create(cluster.uris());
    }

    @AfterAll
    static void end() {
        if (client != null) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Override
    protected RedisJobStoreBuilder builder() {
        return RedisJobStore.builder(client).waitReplicas(1);
    }
}
