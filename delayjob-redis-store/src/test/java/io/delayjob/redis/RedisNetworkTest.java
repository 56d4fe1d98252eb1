package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.jdbc.TestProxy;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store on a network that breaks. */
class RedisNetworkTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Partition PARTITION = new Partition("default", 0);
    /** Pauses of this machine should be shorter. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final Random random = new Random(1);
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        callers.shutdownNow();
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.add(resource);
        return resource;
    }

    private <T extends AbstractRedisClient> T client(T client) {
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        return client;
    }

    private RedisClient client(RedisURI uri) {
        return client(RedisClient.create(uri));
    }

    private TestProxy proxy(TestRedisServer server) {
        return closing(TestProxy.to("127.0.0.1", server.port()));
    }

    private static RedisURI uri(TestProxy proxy) {
        return RedisURI.create(proxy.host(), proxy.port());
    }

    private NewJob job() {
        return job(OnExisting.KEEP, null);
    }

    private NewJob job(OnExisting onExisting, String key) {
        return new NewJob(
                JobId.create(NOW.toEpochMilli(), random),
                PARTITION,
                JobTask.of("mail").withKey(key),
                JobPlan.once(NOW, NOW),
                onExisting,
                random.nextLong());
    }

    private static void assertTransient(ThrowingCallable call, String part) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failed -> assertThat(failed.isTransient()).isTrue())
                .hasMessageContaining(part);
    }

    @Test
    void submit_whoseAnswerIsLost_fails_andIsNotSentAgain() {
        TestRedisServer server = closing(TestRedisServer.start());
        TestProxy proxy = proxy(server);
        RedisJobStore store = closing(RedisJobStore.builder(client(uri(proxy))).build());
        RedisJobStore other =
                closing(RedisJobStore.builder(client(server.uri())).build());
        // From now on the server knows the script.
        store.submit(List.of(job()), DueSink.NONE);
        NewJob job = job();
        long held = proxy.counts().held();
        proxy.stall(TestProxy.Direction.TO_CLIENT);
        // The client itself ends the first command that a reset meets. The command behind it is the one at stake.
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> store.find(job.id()), callers);
        await().until(() -> proxy.counts().held() > held);
        CompletableFuture<Void> call =
                CompletableFuture.runAsync(() -> store.submit(List.of(job), DueSink.NONE), callers);
        await().until(() -> other.find(job.id()).isPresent());
        List<Job> claimed = other.claim(List.of(job.toDueRow()), 1, 42, NOW);
        proxy.cut();
        proxy.resume();

        assertThatThrownBy(first::join).cause().isInstanceOf(StoreException.class);
        assertThatThrownBy(call::join)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        lost -> assertThat(lost.isTransient()).isTrue())
                .hasMessageContaining("it is unknown whether the call was carried out");
        await().ignoreExceptions().until(() -> store.find(job.id()).isPresent());
        assertThat(store.find(job.id())).contains(claimed.get(0));
    }

    @Test
    void write_duringAnOutage_doesNotArriveLater() {
        TestRedisServer server = closing(TestRedisServer.start());
        RedisJobStore store = closing(
                RedisJobStore.builder(client(server.uri())).timeout(SHORT).build());
        Paused mail = new Paused(Set.of("mail"), Set.of());
        server.kill();

        assertTransient(() -> store.pause(mail, new PauseNote(NOW, null, null), () -> {}), "");
        server.startAgain();

        await().ignoreExceptions().until(() -> store.find(job().id()).isEmpty());
        assertThat(store.paused()).isEqualTo(new Paused(Set.of(), Set.of()));
    }

    @Test
    void connectionThatFellSilent_isReplaced() {
        TestProxy proxy = proxy(closing(TestRedisServer.start()));
        RedisJobStore store =
                RedisJobStore.builder(client(uri(proxy))).timeout(SHORT).build();

        serveAgainAfterSilence(proxy, closing(store));
    }

    @Test
    void connectionToACluster_thatFellSilent_isReplaced() {
        TestRedisServer server = closing(TestRedisServer.start("--cluster-enabled", "yes"));
        TestProxy proxy = proxy(server);
        RedisCommands<String, String> master = client(server.uri()).connect().sync();
        master.configSet("cluster-announce-port", Integer.toString(proxy.port()));
        master.clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
        await().until(() -> master.clusterInfo().contains("cluster_state:ok"));
        RedisClusterClient client = client(RedisClusterClient.create(uri(proxy)));
        RedisJobStore store = RedisJobStore.builder(client).timeout(SHORT).build();

        serveAgainAfterSilence(proxy, closing(store));
    }

    /** A host name that moves to the new master leaves the connections to the old one open. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void connectionToAServer_thatBecameAReplica_isReplaced(int waitReplicas) {
        TestRedisServer old = closing(TestRedisServer.start());
        closing(TestRedisServer.startReplica("127.0.0.1", old.port()));
        TestRedisServer promoted = closing(TestRedisServer.start());
        closing(TestRedisServer.startReplica("127.0.0.1", promoted.port()));
        // Until the first synchronization, in ten minutes, the old server keeps its rows and refuses to change them.
        client(promoted.uri()).connect().sync().configSet("repl-diskless-sync-delay", "600");
        TestProxy proxy = proxy(old);
        RedisJobStore store = closing(RedisJobStore.builder(client(uri(proxy)))
                .waitReplicas(waitReplicas)
                .timeout(SHORT)
                .build());
        long number = store.instances().register("shop", Set.of("default"), Set.of());
        client(old.uri()).connect().sync().replicaof("127.0.0.1", promoted.port());
        proxy.moveTo("127.0.0.1", promoted.port());

        assertTransient(() -> store.submit(List.of(job()), DueSink.NONE), "READONLY");
        assertTransient(() -> store.instances().beat(number, false, null), "READONLY");

        await().ignoreExceptions()
                .until(() -> store.submit(List.of(job()), DueSink.NONE).size() == 1);
        await().ignoreExceptions()
                .until(() -> store.instances().register("shop", Set.of("default"), Set.of()) > number);
    }

    /** Only the heartbeat meets the refusal; reads get old answers from the replica. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void connectionOfReads_toAServerThatBecameAReplica_isReplaced(int waitReplicas) {
        TestRedisServer old = closing(TestRedisServer.start());
        closing(TestRedisServer.startReplica("127.0.0.1", old.port()));
        TestRedisServer promoted = closing(TestRedisServer.start());
        client(promoted.uri()).connect().sync().configSet("repl-diskless-sync-delay", "600");
        TestProxy proxy = proxy(old);
        RedisJobStore store = closing(RedisJobStore.builder(client(uri(proxy)))
                .waitReplicas(waitReplicas)
                .timeout(SHORT)
                .build());
        long number = store.instances().register("shop", Set.of("default"), Set.of());
        client(old.uri()).connect().sync().replicaof("127.0.0.1", promoted.port());
        proxy.moveTo("127.0.0.1", promoted.port());
        NewJob job = job();
        closing(RedisJobStore.builder(client(promoted.uri())).build()).submit(List.of(job), DueSink.NONE);

        assertTransient(() -> store.instances().beat(number, false, null), "READONLY");

        await().ignoreExceptions().until(() -> store.find(job.id()).isPresent());
    }

    private void serveAgainAfterSilence(TestProxy proxy, RedisJobStore store) {
        NewJob job = job();
        store.submit(List.of(store.placement().place(job)), DueSink.NONE);
        // Each of the two connections is open now, also to the cluster's master.
        assertThat(store.clockMicros()).isPositive();
        assertThat(proxy.strand()).isPositive();

        assertTransient(() -> store.find(job.id()), "2000 ms");
        assertTransient(store::clockMicros, "2000 ms");

        await().ignoreExceptions().until(() -> store.find(job.id()).isPresent());
        await().ignoreExceptions().until(() -> store.clockMicros() > 0);
    }

    /**
     * Two stores on one server; between the first answer that a call waits for and its next step, the other one acts.
     */
    private <T> T racing(Function<RedisJobStore, T> call, Consumer<RedisJobStore> other) {
        TestRedisServer server = closing(TestRedisServer.start());
        TestProxy proxy = proxy(server);
        RedisJobStore slow = closing(RedisJobStore.builder(client(uri(proxy))).build());
        RedisJobStore quick =
                closing(RedisJobStore.builder(client(server.uri())).build());
        NewJob running = job(OnExisting.KEEP, "order-1");
        quick.submit(List.of(running), DueSink.NONE);
        assertThat(quick.claim(List.of(running.toDueRow()), 1, 42, NOW)).hasSize(1);
        long held = proxy.counts().held();
        proxy.stall(TestProxy.Direction.TO_CLIENT);
        CompletableFuture<T> result = CompletableFuture.supplyAsync(() -> call.apply(slow), callers);
        await().until(() -> proxy.counts().held() > held);
        other.accept(quick);
        proxy.resume();
        return result.join();
    }

    @Test
    void cancelByKey_whileTheKeyMovesToAnotherJob_cancelsThatJob() {
        NewJob replacement = job(OnExisting.REPLACE, "order-1");

        CancelResult result = racing(
                store -> store.cancel("mail", "order-1", NOW),
                store -> store.submit(List.of(replacement), DueSink.NONE));

        assertThat(result).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void findByKey_whileTheKeyMovesToAnotherJob_findsThatJob() {
        NewJob replacement = job(OnExisting.REPLACE, "order-1");

        Optional<Job> found = racing(
                store -> store.find("mail", "order-1"), store -> store.submit(List.of(replacement), DueSink.NONE));

        assertThat(found).map(Job::id).contains(replacement.id());
    }

    @Test
    void longBatch_whosePartLosesARace_keepsNoJobThatWasNotWritten() {
        NewJob quicker = job(OnExisting.KEEP, "order-2");
        List<NewJob> batch = new ArrayList<>(List.of(job(OnExisting.KEEP, "order-2")));
        IntStream.range(0, 300).forEach(i -> batch.add(job()));
        batch.add(job(OnExisting.KEEP, "order-2"));

        List<Scheduled> results = racing(
                store -> store.submit(batch, DueSink.NONE), store -> store.submit(List.of(quicker), DueSink.NONE));

        assertThat(results.get(0)).isEqualTo(new Scheduled(quicker.id(), Scheduled.Outcome.KEPT, JobState.DELAYED));
        assertThat(results.get(batch.size() - 1)).isEqualTo(results.get(0));
        assertThat(results).hasSize(batch.size()).doesNotContainNull();
    }
}
