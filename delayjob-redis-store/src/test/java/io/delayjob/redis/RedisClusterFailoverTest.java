package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A master of a cluster is killed, and its replica takes its place by the votes of the other masters. */
@Order(1)
class RedisClusterFailoverTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Keyspace KEYS = new Keyspace(RedisJobStoreBuilder.DEFAULT_NAMESPACE, 16);
    private static final int SHARD = 1;
    private static final int CALLERS = 4;

    private final TestRedisCluster cluster = TestRedisCluster.startReplicated("--cluster-node-timeout", "2000");
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(cluster));
    private final Random random = new Random(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        stopped.countDown();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private RedisJobStore store(int waitReplicas) {
        RedisClusterClient client = RedisClusterClient.create(cluster.uris());
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        RedisJobStore store = RedisJobStore.builder(client)
                .slots(KEYS.slots())
                .waitReplicas(waitReplicas)
                .timeout(Duration.ofSeconds(2))
                .build();
        opened.add(store);
        return store;
    }

    private static NewJob job(Random random) {
        return new NewJob(
                JobId.create(NOW.toEpochMilli(), random),
                new Partition("default", 0),
                JobTask.of("mail"),
                JobPlan.once(NOW, NOW),
                OnExisting.KEEP,
                random.nextLong());
    }

    private List<NewJob> submit(RedisJobStore store, int count) {
        List<NewJob> jobs = IntStream.range(0, count)
                .mapToObj(i -> store.placement().place(job(random)))
                .toList();
        store.submit(jobs, DueSink.NONE);
        return jobs;
    }

    private List<NewJob> ofTheShard(List<NewJob> jobs) {
        return jobs.stream()
                .filter(job -> cluster.shardOf(KEYS.row(job.id())) == SHARD)
                .toList();
    }

    private static List<NewJob> lost(RedisJobStore store, List<NewJob> jobs) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> store.counts(NOW) != null);
        return jobs.stream().filter(job -> store.find(job.id()).isEmpty()).toList();
    }

    @Test
    void failover_losesJobsOfItsMasterThatTheReplicaHasNotReceived_andNoOther() {
        RedisJobStore store = store(0);
        List<NewJob> received = submit(store, 100);
        cluster.separate(SHARD);
        List<NewJob> notReceived = submit(store, 100);

        cluster.failOver(SHARD);

        assertThat(lost(store, received)).isEmpty();
        assertThat(lost(store, notReceived)).isNotEmpty().isEqualTo(ofTheShard(notReceived));
    }

    @Test
    void failover_withWaitReplicas_losesNothing() {
        RedisJobStore store = store(1);
        Queue<NewJob> acknowledged = new ConcurrentLinkedQueue<>();
        Queue<RuntimeException> refused = new ConcurrentLinkedQueue<>();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        opened.add(callers::shutdownNow);
        for (int i = 0; i < CALLERS; i++) {
            Random ids = new Random(i);
            callers.execute(() -> {
                while (stopped.getCount() > 0) {
                    NewJob job = store.placement().place(job(ids));
                    try {
                        store.submit(List.of(job), DueSink.NONE);
                        acknowledged.add(job);
                    } catch (RuntimeException away) {
                        refused.add(away);
                    }
                }
            });
        }
        await().atMost(PATIENCE)
                .until(() -> ofTheShard(List.copyOf(acknowledged)).size() > 100);

        cluster.failOver(SHARD);

        int before = ofTheShard(List.copyOf(acknowledged)).size();
        await().atMost(PATIENCE)
                .until(() -> ofTheShard(List.copyOf(acknowledged)).size() > before + 100);
        stopped.countDown();
        System.out.printf(
                "failover of a cluster's master: %d jobs acknowledged, %d refused%n",
                acknowledged.size(), refused.size());
        assertThat(refused)
                .isNotEmpty()
                .allSatisfy(away -> assertThat(away)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                known -> assertThat(known.isTransient()).isTrue()));
        assertThat(lost(store, List.copyOf(acknowledged))).isEmpty();
    }

    /** The first call after a failure may be the first one to this master. */
    @Test
    void firstWriteToADeadMaster_isATransientError() {
        RedisJobStore waiting = store(1);
        List<NewJob> jobs = ofTheShard(submit(store(0), 100));
        cluster.servers().get(SHARD).kill();

        Stream.of(jobs.get(0), jobs.get(1))
                .forEach(job -> assertThatThrownBy(() -> waiting.claim(List.of(job.toDueRow()), 1, 42, NOW))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                away -> assertThat(away.isTransient()).isTrue()));
    }

    @Test
    void replicaThatIsSeparated_confirmsNothing_andOtherMastersGoOn() {
        RedisJobStore waiting = store(1);
        List<NewJob> jobs = submit(waiting, 100);
        NewJob here = ofTheShard(jobs).get(0);
        NewJob elsewhere = jobs.stream()
                .filter(job -> !ofTheShard(jobs).contains(job))
                .findFirst()
                .orElseThrow();
        cluster.separate(SHARD);

        assertThatThrownBy(() -> waiting.claim(List.of(here.toDueRow()), 1, 42, NOW))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        unconfirmed -> assertThat(unconfirmed.isTransient()).isTrue())
                .hasMessageContaining("0 of 1 replicas confirmed it");
        assertThat(waiting.claim(List.of(elsewhere.toDueRow()), 1, 42, NOW)).hasSize(1);
    }
}
