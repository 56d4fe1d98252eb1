package io.delayjob.redis;

import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A store that waits for a replica passes the contract. */
class RedisReplicatedContractTest extends RedisStoreContract {

    private static TestRedisServer master;
    private static TestRedisServer replica;
    private static RedisClient client;

    @BeforeAll
    static void start() {
        master = TestRedisServer.start();
        replica = TestRedisServer.startReplica("127.0.0.1", master.port());
        client = RedisClient.create(master.uri());
    }

    @AfterAll
    static void end() {
        if (client != null) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
        if (replica != null) {
            replica.close();
        }
        if (master != null) {
            master.close();
        }
    }

    @Override
    protected RedisJobStoreBuilder builder() {
        return RedisJobStore.builder(client).slots(2).waitReplicas(1);
    }
}
