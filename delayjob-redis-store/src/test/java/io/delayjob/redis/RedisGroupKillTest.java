package io.delayjob.redis;

import static io.delayjob.jdbc.TestProcesses.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.JobGroup;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.TestProcesses;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that run the members of a group are killed, one after the other. The oldest process adds up for all, and it
 * is the one that is killed. The last kill comes when the last member was called, so it often meets the end.
 */
@Order(1)
class RedisGroupKillTest {

    private static final int MEMBERS = RedisGroupWorker.MEMBERS;
    private static final int KILLS = 5;

    @TempDir
    private Path logs;

    @Test
    void killedProcesses_loseNoEnd_andTheJobThatFollowsIsWrittenOnce() throws Exception {
        try (TestRedisServer server = TestRedisServer.start();
                TestProcesses processes =
                        new TestProcesses(RedisGroupWorker.class, server.uri().toString(), logs)) {
            RedisClient client = RedisClient.create(server.uri());
            RedisCommands<String, String> ledger = client.connect().sync();
            DelayJobOperations jobs = RedisGroupWorker.engine(
                            client,
                            "caller",
                            Handler.named(RedisGroupWorker.MEMBER).calls((payload, job) -> null),
                            Handler.named(RedisGroupWorker.DONE).calls((payload, job) -> null))
                    .operations();
            JobGroup group = jobs.group("import");
            for (int i = 0; i < MEMBERS; i++) {
                group.add(jobs.schedule(RedisGroupWorker.MEMBER));
            }
            JobId done = group.whenAllEnded(jobs.schedule(RedisGroupWorker.DONE));
            Process first = processes.start();
            Process second = processes.start();
            for (int kill = 1; kill <= KILLS; kill++) {
                int calls = kill * MEMBERS / KILLS;
                await(() -> ledger.scard(RedisGroupWorker.CALLED) >= calls);
                first.destroyForcibly().waitFor();
                first = second;
                second = processes.start();
            }
            await(() -> ledger.get(RedisGroupWorker.FIRST_ATTEMPTS) != null
                    && jobs.find(done).isEmpty());

            assertThat(ledger.get(RedisGroupWorker.EARLY)).isNull();
            assertThat(ledger.get(RedisGroupWorker.FIRST_ATTEMPTS)).isEqualTo("1");
            assertThat(group.find().orElseThrow().state()).isEqualTo(GroupState.ENDED);
            assertThat(group.find().orElseThrow().counts()).isEqualTo(new GroupCounts(MEMBERS, MEMBERS, 0, 0));
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
