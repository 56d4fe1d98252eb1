package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.jdbc.TestProxy;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.Durability;
import io.delayjob.store.StoreException;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that waits for a replica, whose connection to its master can be held up. */
class RedisReplicasTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Partition PARTITION = new Partition("default", 0);

    /** The replica has half of this time to confirm. The other half is for the pauses of this machine. */
    private static final Duration IMPATIENT = Duration.ofSeconds(3);

    private final Random random = new Random(1);
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestRedisServer master;
    private TestProxy replication;
    private TestRedisServer replica;
    private RedisJobStore store;

    @BeforeEach
    void start() {
        master = closing(TestRedisServer.start("--maxmemory-policy", "noeviction"));
        replication = closing(TestProxy.to("127.0.0.1", master.port()));
        replica = closing(TestRedisServer.startReplica(replication.host(), replication.port()));
        store = open(1, Duration.ofSeconds(20));
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

    private RedisClient client(TestRedisServer server) {
        RedisClient client = RedisClient.create(server.uri());
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        return client;
    }

    private RedisJobStore open(int replicas, Duration timeout) {
        return closing(RedisJobStore.builder(client(master))
                .waitReplicas(replicas)
                .timeout(timeout)
                .build());
    }

    private RedisJobStore impatient() {
        return open(1, IMPATIENT);
    }

    private NewJob job() {
        return job(null);
    }

    private NewJob job(String key) {
        return new NewJob(
                JobId.create(NOW.toEpochMilli(), random),
                PARTITION,
                JobTask.of("mail").withKey(key),
                JobPlan.once(NOW, NOW),
                OnExisting.KEEP,
                random.nextLong());
    }

    private static Completion finished(Job job) {
        return new Completion(
                job,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                99,
                NOW,
                null,
                true,
                List.of());
    }

    private static void assertUnconfirmed(ThrowingCallable call, String doing) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        unconfirmed -> assertThat(unconfirmed.isTransient()).isTrue())
                .hasMessageContaining(doing)
                .hasMessageContaining("0 of 1 replicas confirmed it within 1500 ms");
    }

    /** Lets the replica take the place of its master, which has crashed, and returns a store on it. */
    private RedisJobStore failOver() {
        master.kill();
        replication.cut();
        replication.resume();
        RedisClient client = client(replica);
        client.connect().sync().replicaofNoOne();
        return closing(RedisJobStore.builder(client).build());
    }

    @Test
    void whatWasAcknowledged_isKeptByAFailover_andWhatWasNot_isLost() {
        RedisJobStore impatient = impatient();
        NewJob claimed = job();
        NewJob ended = job();
        NewJob cancelled = job("order-1");
        NewJob waiting = job();
        store.submit(List.of(claimed, ended, cancelled, waiting), DueSink.NONE);
        store.claim(List.of(claimed.toDueRow()), 1, 41, NOW);
        List<Job> claims = store.claim(List.of(ended.toDueRow()), 1, 42, NOW);
        store.complete(List.of(finished(claims.get(0))));
        store.cancel("mail", "order-1", NOW);
        store.pause(new Paused(Set.of("mail"), Set.of()), new PauseNote(NOW, null, null), () -> {});
        long number = store.instances().register("shop", Set.of("default"), Set.of());
        replication.stall();
        NewJob unconfirmed = job();
        assertUnconfirmed(() -> impatient.submit(List.of(unconfirmed), DueSink.NONE), "submitting jobs");
        assertUnconfirmed(() -> impatient.claim(List.of(waiting.toDueRow()), 1, 43, NOW), "claiming jobs");

        RedisJobStore after = failOver();

        assertThat(after.find(claimed.id())).map(Job::token).contains(41L);
        assertThat(after.find(ended.id())).map(Job::state).contains(JobState.FINISHED);
        assertThat(after.find(cancelled.id())).map(Job::state).contains(JobState.CANCELLED);
        assertThat(after.find(waiting.id())).contains(waiting.toJob());
        assertThat(after.find(unconfirmed.id())).isEmpty();
        assertThat(after.paused().handlers()).containsExactly("mail");
        assertThat(after.instances().list()).anyMatch(instance -> instance.number() == number);
    }

    @Test
    void withoutWaiting_aFailoverLosesWhatTheReplicaHasNotReceived() {
        RedisJobStore careless = open(0, Duration.ofSeconds(20));
        NewJob kept = job();
        store.submit(List.of(kept), DueSink.NONE);
        replication.stall();
        NewJob lost = job();
        careless.submit(List.of(lost), DueSink.NONE);

        RedisJobStore after = failOver();

        assertThat(after.find(kept.id())).isPresent();
        assertThat(after.find(lost.id())).isEmpty();
    }

    @Test
    void callThatWaitsForAReplica_holdsUpNoOtherCall() {
        NewJob job = job();
        store.submit(List.of(job), DueSink.NONE);
        long number = store.instances().register("shop", Set.of("default"), Set.of());
        replication.stall();
        List<CompletableFuture<List<Scheduled>>> calls = IntStream.range(0, ConfirmedWrites.LANES - 1)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> store.submit(List.of(job()), DueSink.NONE), callers))
                .toList();
        await().until(() -> client(master).connect().sync().info("clients").contains("blocked_clients:7"));

        assertThat(store.instances().beat(number, false, null)).isPresent();
        assertThat(store.find(job.id())).isPresent();
        assertThat(store.clockMicros()).isPositive();
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        replication.resume();

        assertThat(calls).allSatisfy(call -> assertThat(call.join()).hasSize(1));
    }

    /** The caller asks again, and the answer comes from a row that the replica may not have yet. */
    @Test
    void repeatedCall_isConfirmed_thoughItWritesNothing() {
        RedisJobStore impatient = impatient();
        NewJob keyed = job("order-1");
        store.submit(List.of(keyed), DueSink.NONE);
        replication.stall();
        assertUnconfirmed(() -> impatient.submit(List.of(job("order-1")), DueSink.NONE), "keeping existing jobs");
        assertUnconfirmed(() -> impatient.claim(List.of(keyed.toDueRow()), 1, 42, NOW), "claiming jobs");
        assertUnconfirmed(() -> impatient.claim(List.of(keyed.toDueRow()), 1, 42, NOW), "claiming jobs");
        replication.resume();

        List<Job> claimed = store.claim(List.of(keyed.toDueRow()), 1, 42, NOW);

        assertThat(claimed).hasSize(1);
        assertThat(store.complete(List.of(finished(claimed.get(0))))).containsExactly(CompletionResult.ACCEPTED);
        assertThat(failOver().find(keyed.id())).map(Job::state).contains(JobState.FINISHED);
    }

    @Test
    void repeatedSubmitOnce_isConfirmed_thoughItWritesNothing() {
        RedisJobStore impatient = impatient();
        NewJob job = job();
        // From now on the server knows the script.
        store.submit(List.of(job()), DueSink.NONE);
        replication.stall();

        // The first call finds its own row after the failure.
        assertUnconfirmed(() -> impatient.submitOnce(job, DueSink.NONE), "keeping existing jobs");
        assertUnconfirmed(() -> impatient.submitOnce(job, DueSink.NONE), "keeping existing jobs");
        replication.resume();

        assertThat(store.submitOnce(job, DueSink.NONE).outcome()).isEqualTo(Scheduled.Outcome.KEPT);
        assertThat(failOver().find(job.id())).isPresent();
    }

    @Test
    void repeatedCancellation_isConfirmed_thoughItWritesNothing() {
        RedisJobStore impatient = impatient();
        NewJob plain = job();
        NewJob keyed = job("order-1");
        store.submit(List.of(plain, keyed), DueSink.NONE);
        replication.stall();
        assertUnconfirmed(() -> impatient.cancel(plain.id(), NOW), "cancelling jobs");
        assertUnconfirmed(() -> impatient.cancel("mail", "order-1", NOW), "cancelling a job");

        assertUnconfirmed(() -> impatient.cancel(plain.id(), NOW), "cancelling jobs");
        // The key has no job any more.
        assertUnconfirmed(() -> impatient.cancel("mail", "order-1", NOW), "cancelling a job");
        replication.resume();

        assertThat(store.cancel(plain.id(), NOW)).isEqualTo(CancelResult.CANCELLED);
        assertThat(store.cancel("mail", "order-1", NOW)).isEqualTo(CancelResult.NOT_FOUND);
        RedisJobStore after = failOver();
        assertThat(after.find(plain.id())).map(Job::state).contains(JobState.CANCELLED);
        assertThat(after.find(keyed.id())).map(Job::state).contains(JobState.CANCELLED);
    }

    @Test
    void repeatedAnswer_isConfirmed_thoughItWritesNothing() {
        RedisJobStore impatient = impatient();
        NewJob job = job();
        store.submit(List.of(job), DueSink.NONE);
        replication.stall();
        assertUnconfirmed(() -> impatient.answer(job.id(), RedisReplicasTest::finished, end -> {}), "answering a job");

        assertUnconfirmed(() -> impatient.answer(job.id(), RedisReplicasTest::finished, end -> {}), "answering a job");
        replication.resume();

        assertThat(store.answer(job.id(), RedisReplicasTest::finished, end -> {}))
                .isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(failOver().find(job.id())).map(Job::state).contains(JobState.FINISHED);
    }

    /**
     * The connection of a read may still lead to the old master, while those that are confirmed lead to the new one.
     */
    @Test
    void resume_isConfirmedByTheServerThatCarriesItOut() {
        closing(TestRedisServer.startReplica("127.0.0.1", replica.port()));
        TestProxy name = closing(TestProxy.to("127.0.0.1", master.port()));
        RedisClient client = RedisClient.create(RedisURI.create(name.host(), name.port()));
        opened.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        RedisJobStore moving =
                closing(RedisJobStore.builder(client).waitReplicas(1).build());
        Paused mail = new Paused(Set.of("mail"), Set.of());
        moving.pause(mail, new PauseNote(NOW, null, null), () -> {});
        RedisCommands<String, String> promoted = client(replica).connect().sync();
        promoted.replicaofNoOne();
        name.moveTo("127.0.0.1", replica.port());
        moving.paused();
        RedisCommands<String, String> old = client(master).connect().sync();
        old.clientList()
                .lines()
                .filter(line -> !line.contains(" cmd=hkeys ") && !line.contains(" cmd=client"))
                .map(line -> line.substring("id=".length(), line.indexOf(' ')))
                .forEach(id -> old.clientKill(KillArgs.Builder.id(Long.parseLong(id))));
        await().until(() -> promoted.clientList()
                        .lines()
                        .filter(line -> line.contains(" flags=N "))
                        .count()
                > ConfirmedWrites.LANES + 1);

        // The server knows a connection a moment before its client uses it.
        await().ignoreExceptionsMatching(early -> early.getMessage().contains("Currently not connected"))
                .until(() -> moving.resume(mail, () -> {}));

        assertThat(closing(RedisJobStore.builder(client(replica)).build())
                        .paused()
                        .isEmpty())
                .isTrue();
    }

    /** Redis ends every wait for confirmations when a master becomes a replica. */
    @Test
    void callThatWaits_whileItsMasterBecomesAReplica_mayBeRepeated() {
        replication.stall();
        CompletableFuture<List<Scheduled>> call =
                CompletableFuture.supplyAsync(() -> store.submit(List.of(job()), DueSink.NONE), callers);
        RedisCommands<String, String> old = client(master).connect().sync();
        await().until(() -> old.info("clients").contains("blocked_clients:1"));

        old.replicaof("127.0.0.1", replica.port());

        assertThatThrownBy(call::join)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        unknown -> assertThat(unknown.isTransient()).isTrue())
                .hasMessageContaining("UNBLOCKED");
    }

    @Test
    void scriptsThatTheServerHasForgotten_areSentAgain_andConfirmed() {
        client(master).connect().sync().scriptFlush();
        NewJob job = job();

        store.submit(List.of(job), DueSink.NONE);

        assertThat(failOver().find(job.id())).isPresent();
    }

    @Test
    void fullServer_refusesNewJobs_andClaimsAndEndsAreConfirmed() {
        NewJob job = job();
        store.submit(List.of(job), DueSink.NONE);
        client(master).connect().sync().configSet("maxmemory", "1");

        assertThatThrownBy(() -> store.submit(List.of(job()), DueSink.NONE)).hasMessageContaining("OOM");
        List<Job> claimed = store.claim(List.of(job.toDueRow()), 1, 42, NOW);
        assertThat(store.complete(List.of(finished(claimed.get(0))))).containsExactly(CompletionResult.ACCEPTED);
    }

    @Test
    void store_saysWhatItKeeps() {
        assertThat(store.capabilities().durability()).isEqualTo(Durability.REPLICAS);
        assertThat(open(0, Duration.ofSeconds(1)).capabilities().durability()).isEqualTo(Durability.SERVER);
        assertThatThrownBy(() -> RedisJobStore.builder(client(master)).waitReplicas(17))
                .hasMessage(
                        "Invalid number of replicas to wait for (17): must be from 0 to 16. Do not state more replicas than each master has.");
    }
}
