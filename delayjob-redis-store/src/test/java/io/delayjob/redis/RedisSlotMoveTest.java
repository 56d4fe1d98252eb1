package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots of the store move to another master, also while threads schedule, claim and end jobs. */
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

    private TestRedisCluster cluster(int waitReplicas) {
        TestRedisCluster cluster = waitReplicas == 0 ? TestRedisCluster.start() : TestRedisCluster.startReplicated();
        opened.add(cluster);
        return cluster;
    }

    private RedisJobStore store(TestRedisCluster cluster, int slots, int waitReplicas) {
        RedisClusterClient client = RedisClusterClient.create(cluster.uris());
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        RedisJobStore store = RedisJobStore.builder(client)
                .namespace(namespace)
                .slots(slots)
                .waitReplicas(waitReplicas)
                .timeout(Duration.ofSeconds(5))
                .build();
        opened.add(store);
        return store;
    }

    /** Without replicas the client follows redirections. A call that waits for replicas follows none. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void slotsThatMove_loseNothing(int waitReplicas) {
        TestRedisCluster cluster = cluster(waitReplicas);
        RedisJobStore store = store(cluster, SLOTS, waitReplicas);
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

    @ParameterizedTest
    @CsvSource({"0, TRYAGAIN", "1, ASK"})
    void slotWhoseKeysHaveMoved_isRead_andRefusesWritesUntilItsMoveEnds(int waitReplicas, String refusal) {
        TestRedisCluster cluster = cluster(waitReplicas);
        RedisJobStore store = store(cluster, 1, waitReplicas);
        NewJob waiting = job(new Random(1));
        NewJob refusedJob = job(new Random(2));
        store.submit(List.of(waiting), DueSink.NONE);
        SlotMove move = new SlotMove(masters(cluster), cluster, new Keyspace(namespace, 1).keys(0));

        move.moveKeys();

        assertThat(store.find(waiting.id())).isPresent();
        assertThatThrownBy(() -> store.submit(List.of(refusedJob), DueSink.NONE))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        moving -> assertThat(moving.isTransient()).isTrue())
                .hasMessageContaining(refusal);
        assertThat(store.find(refusedJob.id())).isEmpty();
        move.end();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> store.submit(List.of(refusedJob), DueSink.NONE).size() == 1);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() ->
                        store.claim(List.of(waiting.toDueRow()), 1, 42, NOW).size() == 1);
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
        NewJob job = store.placement().place(job(random));
        store.submit(List.of(job), DueSink.NONE);
        acknowledged.add(job.id());
    }

    private static NewJob job(Random random) {
        return new NewJob(
                JobId.create(NOW.toEpochMilli(), random),
                PARTITION,
                JobTask.of("mail").withKey("key-" + random.nextLong()),
                JobPlan.once(NOW, NOW),
                OnExisting.KEEP,
                random.nextLong());
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
        List<RedisCommands<byte[], byte[]>> masters = masters(cluster);
        int moved = 0;
        for (String key : used) {
            SlotMove move = new SlotMove(masters, cluster, key);
            moved += move.moveKeys();
            move.end();
        }
        return moved;
    }

    private List<RedisCommands<byte[], byte[]>> masters(TestRedisCluster cluster) {
        RedisClient client = RedisClient.create();
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        return cluster.servers().stream()
                .map(master ->
                        client.connect(ByteArrayCodec.INSTANCE, master.uri()).sync())
                .toList();
    }

    /** The move of a slot from its master to the next one. */
    private static final class SlotMove {

        private final List<RedisCommands<byte[], byte[]>> masters;
        private final int slot;
        private final RedisCommands<byte[], byte[]> from;
        private final RedisCommands<byte[], byte[]> to;
        private final int targetPort;

        /** @param key a key of the slot, which has keys */
        SlotMove(List<RedisCommands<byte[], byte[]>> masters, TestRedisCluster cluster, String key) {
            this.masters = masters;
            this.slot = SlotHash.getSlot(key);
            int source = 0;
            while (masters.get(source).clusterCountKeysInSlot(slot) == 0) {
                source++;
            }
            int target = (source + 1) % masters.size();
            this.from = masters.get(source);
            this.to = masters.get(target);
            this.targetPort = cluster.servers().get(target).port();
        }

        /** Moves the keys, so that the old master answers ASK. Returns their number. */
        int moveKeys() {
            to.clusterSetSlotImporting(slot, from.clusterMyId());
            from.clusterSetSlotMigrating(slot, to.clusterMyId());
            int moved = 0;
            List<byte[]> some = from.clusterGetKeysInSlot(slot, 20);
            while (!some.isEmpty()) {
                from.migrate("127.0.0.1", targetPort, 0, 10_000, MigrateArgs.Builder.<byte[]>keys(some));
                moved += some.size();
                some = from.clusterGetKeysInSlot(slot, 20);
            }
            return moved;
        }

        /** Gives the slot to the new master, so that the old one answers MOVED. */
        void end() {
            String owner = to.clusterMyId();
            to.clusterSetSlotNode(slot, owner);
            from.clusterSetSlotNode(slot, owner);
            masters.forEach(master -> master.clusterSetSlotNode(slot, owner));
        }
    }
}
