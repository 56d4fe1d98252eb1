package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.lettuce.core.MigrateArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every slot of the store moves to another master while threads schedule, claim and end jobs. */
class RedisSlotMoveTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Partition PARTITION = new Partition("default", 0);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SLOTS = 4;

    private final String namespace = TestRedis.namespace();
    private final Queue<JobId> acknowledged = new ConcurrentLinkedQueue<>();
    private final Set<JobId> claimed = ConcurrentHashMap.newKeySet();
    private final Queue<JobId> claimedTwice = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        stopped.countDown();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void slotsThatMove_loseNothing() {
        TestRedisCluster cluster = TestRedisCluster.start();
        opened.add(cluster);
        RedisClusterClient client = RedisClusterClient.create(cluster.uris());
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        RedisJobStore store = RedisJobStore.builder(client)
                .namespace(namespace)
                .slots(SLOTS)
                .timeout(Duration.ofSeconds(5))
                .build();
        opened.add(store);
        Random one = new Random(1);
        Random two = new Random(2);
        Random tokens = new Random(3);
        run(() -> schedule(store, one));
        run(() -> schedule(store, two));
        run(() -> work(store, tokens));
        await().atMost(PATIENCE).until(() -> claimed.size() > 50);

        int moved = moveAll(cluster);
        int before = claimed.size();
        await().atMost(PATIENCE).until(() -> claimed.size() > before + 50);
        stopped.countDown();

        System.out.printf(
                "%d keys moved under load, %d jobs acknowledged, %d calls refused for a moment%n",
                moved, acknowledged.size(), refused.get());
        assertThat(moved).isGreaterThan(100);
        assertThat(acknowledged).allSatisfy(id -> assertThat(store.find(id)).isPresent());
        assertThat(claimedTwice).isEmpty();
    }

    private void run(Runnable step) {
        ExecutorService caller = Executors.newSingleThreadExecutor();
        opened.add(caller::shutdownNow);
        caller.execute(() -> {
            while (stopped.getCount() > 0) {
                try {
                    step.run();
                } catch (StoreException moving) {
                    assertThat(moving.isTransient()).as(moving.getMessage()).isTrue();
                    refused.incrementAndGet();
                }
            }
        });
    }

    private void schedule(RedisJobStore store, Random random) {
        NewJob job = store.placement()
                .place(new NewJob(
                        JobId.create(NOW.toEpochMilli(), random),
                        PARTITION,
                        JobTask.of("mail").withKey("key-" + random.nextLong()),
                        JobPlan.once(NOW, NOW),
                        OnExisting.KEEP,
                        random.nextLong()));
        store.submit(List.of(job), DueSink.NONE);
        acknowledged.add(job.id());
    }

    private void work(RedisJobStore store, Random random) {
        List<DueRow> due = store.dueAfter(List.of(PartitionCursor.start(PARTITION)), NOW, 20)
                .rows();
        for (Job job : store.claim(due, 1, random.nextLong(), NOW)) {
            if (!claimed.add(job.id())) {
                claimedTwice.add(job.id());
            }
            complete(store, job);
        }
    }

    /** Repeats the end until it is answered, as the engine does. */
    private void complete(RedisJobStore store, Job job) {
        Completion end = new Completion(
                job,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                99,
                NOW,
                null,
                true,
                List.of());
        while (stopped.getCount() > 0) {
            try {
                assertThat(store.complete(List.of(end))).containsExactly(CompletionResult.ACCEPTED);
                return;
            } catch (StoreException moving) {
                assertThat(moving.isTransient()).as(moving.getMessage()).isTrue();
                refused.incrementAndGet();
            }
        }
    }

    /** Moves each slot that the store uses to the next master, key by key. Returns the number of keys. */
    private int moveAll(TestRedisCluster cluster) {
        Keyspace keys = new Keyspace(namespace, SLOTS);
        List<String> used = new ArrayList<>(List.of(keys.meta("settings")));
        for (int slot = 0; slot < SLOTS; slot++) {
            used.add(keys.keys(slot));
        }
        List<RedisCommands<byte[], byte[]>> masters = new ArrayList<>();
        RedisClient client = RedisClient.create();
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        cluster.uris()
                .forEach(uri ->
                        masters.add(client.connect(ByteArrayCodec.INSTANCE, uri).sync()));
        int moved = 0;
        for (String key : used) {
            int slot = SlotHash.getSlot(key);
            int source = 0;
            while (masters.get(source).clusterCountKeysInSlot(slot) == 0) {
                source++;
            }
            moved += move(masters, cluster, slot, source);
        }
        return moved;
    }

    private static int move(
            List<RedisCommands<byte[], byte[]>> masters, TestRedisCluster cluster, int slot, int source) {
        int target = (source + 1) % masters.size();
        RedisCommands<byte[], byte[]> from = masters.get(source);
        RedisCommands<byte[], byte[]> to = masters.get(target);
        to.clusterSetSlotImporting(slot, from.clusterMyId());
        from.clusterSetSlotMigrating(slot, to.clusterMyId());
        int moved = 0;
        List<byte[]> some = from.clusterGetKeysInSlot(slot, 20);
        while (!some.isEmpty()) {
            from.migrate(
                    "127.0.0.1",
                    cluster.servers().get(target).port(),
                    0,
                    10_000,
                    MigrateArgs.Builder.<byte[]>keys(some));
            moved += some.size();
            some = from.clusterGetKeysInSlot(slot, 20);
        }
        String owner = to.clusterMyId();
        to.clusterSetSlotNode(slot, owner);
        from.clusterSetSlotNode(slot, owner);
        masters.forEach(master -> master.clusterSetSlotNode(slot, owner));
        return moved;
    }
}
