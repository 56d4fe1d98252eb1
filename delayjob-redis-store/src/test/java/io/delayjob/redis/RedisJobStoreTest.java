package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.job.CancelResult;
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
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import io.delayjob.store.Vitals;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the contract does not ask of every store. */
class RedisJobStoreTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Partition PARTITION = new Partition("default", 0);

    private final Random random = new Random(1);
    private final String namespace = TestRedis.namespace();
    private final List<RedisJobStore> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(RedisJobStore::close);
    }

    private RedisJobStore open(RedisJobStoreBuilder builder) {
        RedisJobStore store = builder.namespace(namespace).build();
        opened.add(store);
        return store;
    }

    private RedisJobStore open() {
        return open(RedisJobStore.builder(TestRedis.client()));
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

    private NewJob job() {
        return job(OnExisting.KEEP, null);
    }

    private static RedisCommands<String, String> commands() {
        return TestRedis.client().connect().sync();
    }

    @Test
    void store_namesItsServerAndNamespace() {
        assertThat(open().toString()).matches("(Redis|Valkey) \\d+\\.\\S+, namespace " + namespace + ", 1 slot");
    }

    @Test
    void scripts_thatTheServerHasForgotten_areSentAgain() {
        RedisJobStore store = open();
        NewJob job = job();
        store.submit(List.of(job), DueSink.NONE);
        commands().scriptFlush();

        List<Job> claimed = store.claim(List.of(job.toDueRow()), 1, 42, NOW);
        commands().scriptFlush();

        assertThat(claimed).hasSize(1);
        assertThat(store.complete(List.of(finished(claimed.get(0))))).containsExactly(CompletionResult.ACCEPTED);
        commands().scriptFlush();
        assertThat(store.dueAfter(List.of(PartitionCursor.start(PARTITION)), NOW, 10)
                        .rows())
                .isEmpty();
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

    @Test
    void claim_thatIsRepeated_isAnsweredAgain() {
        RedisJobStore store = open();
        NewJob job = job();
        store.submit(List.of(job), DueSink.NONE);

        List<Job> first = store.claim(List.of(job.toDueRow()), 1, 42, NOW);
        List<Job> again = store.claim(List.of(job.toDueRow()), 1, 42, NOW);

        assertThat(again).isEqualTo(first).hasSize(1);
        assertThat(again.get(0).attempt()).isEqualTo(1);
    }

    @Test
    void submit_thatIsRepeated_isAnsweredAgain_andAnotherJobOfTheSameIdIsRefused() {
        RedisJobStore store = open();
        NewJob job = job();
        List<Scheduled> first = store.submit(List.of(job), DueSink.NONE);

        assertThat(store.submit(List.of(job), DueSink.NONE)).isEqualTo(first);
        NewJob other = job();
        assertThatThrownBy(() -> store.submit(List.of(other.at(job.id(), PARTITION)), DueSink.NONE))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.isTransient()).isFalse())
                .hasMessageContaining(job.id().toString());
        assertThat(store.find(job.id())).contains(job.toJob());
    }

    @Test
    void anotherNumberOfSlots_isRefusedWithBothNumbers() {
        open(RedisJobStore.builder(TestRedis.client()).slots(4));

        assertThatThrownBy(() -> open(RedisJobStore.builder(TestRedis.client()).slots(8)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("slots 8")
                .hasMessageContaining("must be 4")
                .hasMessageContaining(namespace);
        assertThat(open(RedisJobStore.builder(TestRedis.client()).slots(4))).isNotNull();
    }

    @Test
    void anotherLayout_isRefused() {
        open();
        commands().hset(namespace + "{meta}:settings", "layout", "9");

        assertThatThrownBy(this::open).isInstanceOf(IllegalStateException.class).hasMessageContaining("layout 9");
    }

    @Test
    void invalidSettings_areRefusedWithTheRule() {
        RedisJobStoreBuilder builder = RedisJobStore.builder(TestRedis.client());

        assertThatThrownBy(() -> builder.slots(3)).hasMessageContaining("slots 3");
        assertThatThrownBy(() -> builder.slots(2_048)).hasMessageContaining("slots 2048");
        assertThatThrownBy(() -> builder.namespace("a{b}")).hasMessageContaining("'a{b}'");
        assertThatThrownBy(() -> builder.timeout(Duration.ZERO)).hasMessageContaining("PT0S");
        assertThatThrownBy(() -> builder.maxPayloadBytes(0)).hasMessageContaining("0 bytes");
    }

    @Test
    void severalSlots_takeGivenIds_butNoBatchThatMustNotExist() {
        assertThat(open().capabilities().has(StoreCapability.BATCHES_ACROSS_GROUPS))
                .isTrue();
        RedisJobStore spread = RedisJobStore.builder(TestRedis.client())
                .namespace(TestRedis.namespace())
                .slots(2)
                .build();
        opened.add(spread);

        assertThat(spread.capabilities().has(StoreCapability.GIVEN_IDS)).isTrue();
        assertThat(spread.capabilities().has(StoreCapability.BATCHES_ACROSS_GROUPS))
                .isFalse();
    }

    @Test
    void batchThatMustNotExist_inManySlots_isRefusedAsAWhole() {
        RedisJobStore spread = open(RedisJobStore.builder(TestRedis.client()).slots(16));
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            jobs.add(spread.placement().place(job(OnExisting.FAIL, "key-" + i)));
        }

        assertThatThrownBy(() -> spread.submit(jobs, DueSink.NONE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(StoreCapability.BATCHES_ACROSS_GROUPS.ability());
        assertThat(spread.partitionsInUse()).isEmpty();
        assertThat(spread.submit(jobs.subList(0, 1), DueSink.NONE)).hasSize(1);
    }

    @Test
    void fullServer_refusesNewJobs_andClaimsAndEndsGoOn() {
        try (TestRedisServer server = TestRedisServer.start("--maxmemory-policy", "noeviction")) {
            RedisClient client = RedisClient.create(server.uri());
            RedisJobStore store = open(RedisJobStore.builder(client));
            List<NewJob> jobs = List.of(job(), job());
            store.submit(jobs, DueSink.NONE);
            client.connect().sync().configSet("maxmemory", "1");

            assertThatThrownBy(() -> store.submit(List.of(job()), DueSink.NONE))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            full -> assertThat(full.isTransient()).isTrue())
                    .hasMessageContaining("OOM");
            List<DueRow> rows = store.dueAfter(List.of(PartitionCursor.start(PARTITION)), NOW, 10)
                    .rows();
            assertThat(rows).hasSize(2);
            List<Job> claimed = store.claim(rows, 1, 42, NOW);
            assertThat(claimed).hasSize(2);
            assertThat(store.complete(
                            claimed.stream().map(RedisJobStoreTest::finished).toList()))
                    .containsOnly(CompletionResult.ACCEPTED);
            assertThat(store.counts(NOW).in(JobState.FINISHED)).isEqualTo(2);
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @Test
    void fullServer_takesHeartbeatsOfStoppingInstances_pauseAcknowledgements_andCancellationsOfRunningJobs() {
        try (TestRedisServer server = TestRedisServer.start("--maxmemory-policy", "noeviction")) {
            RedisClient client = RedisClient.create(server.uri());
            RedisJobStore store = open(RedisJobStore.builder(client));
            NewJob job = job();
            store.submit(List.of(job), DueSink.NONE);
            long number = store.instances().register("shop", Set.of("default"), Set.of());
            store.claim(List.of(job.toDueRow()), number, 42, NOW);
            client.connect().sync().configSet("maxmemory", "1");

            assertThat(store.instances().beat(number, true, vitals())).isPresent();
            store.instances().acknowledgePauses(number, 42);
            assertThat(store.cancel(job.id(), NOW)).isEqualTo(CancelResult.RUNNING);

            InstanceRow row = store.instances().list().get(0);
            assertThat(row.stopping()).isTrue();
            assertThat(row.beats()).isEqualTo(1);
            assertThat(row.vitals()).isEqualTo(vitals());
            assertThat(row.pausesHeld()).isEqualTo(42);
            assertThat(store.instances().look(number).cancelRequested()).containsExactly(job.id());
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    /** A batch is written by several scripts, and the server may be full after the first. */
    @Test
    void batch_thatAFullServerTakesInPart_saysSo() {
        try (TestRedisServer server = TestRedisServer.start("--maxmemory-policy", "noeviction")) {
            RedisClient client = RedisClient.create(server.uri());
            RedisJobStore store = open(RedisJobStore.builder(client));
            store.submit(List.of(job()), DueSink.NONE);
            RedisCommands<String, String> admin = client.connect().sync();
            long used = Long.parseLong(admin.info("memory").replaceAll("(?s).*used_memory:(\\d+).*", "$1"));
            admin.configSet("maxmemory", Long.toString(used + 1_000_000));
            List<NewJob> batch = IntStream.range(0, 5_000).mapToObj(i -> job()).toList();

            assertThatThrownBy(() -> store.submit(batch, DueSink.NONE))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            full -> assertThat(full.isTransient()).isTrue())
                    .hasMessageContaining("OOM")
                    .hasMessageContaining("Some of 5000 new jobs may have been written");

            assertThat(store.counts(NOW).in(JobState.READY)).isBetween(2L, 5_000L);
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @Test
    void scriptOfAnotherClient_thatHoldsTheServer_isATransientError_untilItIsKilled() {
        try (TestRedisServer server = TestRedisServer.start("--busy-reply-threshold", "50")) {
            RedisClient client = RedisClient.create(server.uri());
            RedisJobStore store = open(RedisJobStore.builder(client));
            NewJob job = job();
            store.submit(List.of(job), DueSink.NONE);
            RedisCommands<String, String> killer = client.connect().sync();
            RedisFuture<Object> endless = client.connect().async().eval("while true do end", ScriptOutputType.STATUS);
            await().until(() -> isBusy(store, job));

            assertThat(killer.scriptKill()).isEqualTo("OK");

            await().until(() -> !isBusy(store, job));
            assertThat(store.claim(List.of(job.toDueRow()), 1, 42, NOW)).hasSize(1);
            assertThatThrownBy(endless::get)
                    .cause()
                    .satisfies(killed -> assertThat(RedisErrors.translate("claiming jobs", killed)
                                    .isTransient())
                            .isTrue());
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @Test
    void fullServer_takesNewInstances_andPauses() {
        try (TestRedisServer server = TestRedisServer.start("--maxmemory-policy", "noeviction")) {
            RedisClient client = RedisClient.create(server.uri());
            String identity = open(RedisJobStore.builder(client)).identity("first");
            client.connect().sync().configSet("maxmemory", "1");
            Paused mail = new Paused(Set.of("mail"), Set.of());

            RedisJobStore restarted = open(RedisJobStore.builder(client));

            assertThat(restarted.identity("second")).isEqualTo(identity);
            long number = restarted.instances().register("shop", Set.of("default"), Set.of());
            assertThat(restarted.instances().beat(number, false, null)).isPresent();
            assertThat(restarted.pause(mail, new PauseNote(NOW, null, null), () -> {}))
                    .isTrue();
            assertThat(restarted.pause(mail, new PauseNote(NOW, null, null), () -> {}))
                    .isFalse();
            assertThat(restarted.paused()).isEqualTo(mail);
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    /** Rows of an instance that died would count as rows of the living instance with its number. */
    @Test
    void numberOfAnInstance_thatTheServerHasLost_isNotGivenAgain() {
        RedisJobStore store = open();
        long lost = store.instances().register("shop-1", Set.of("default"), Set.of());
        // A failover to a replica that lagged behind has this effect.
        commands()
                .eval(
                        "return redis.call('DEL', unpack(redis.call('KEYS', ARGV[1])))",
                        ScriptOutputType.INTEGER,
                        new String[0],
                        namespace + "{meta}:*");

        assertThat(store.instances().register("shop-2", Set.of("default"), Set.of()))
                .isGreaterThan(lost);
    }

    private static boolean isBusy(RedisJobStore store, NewJob job) {
        try {
            return store.find(job.id()).isEmpty();
        } catch (StoreException busy) {
            assertThat(busy.isTransient()).isTrue();
            assertThat(busy).hasMessageContaining("BUSY");
            return true;
        }
    }

    private static Vitals vitals() {
        return new Vitals(
                "1.0",
                NOW,
                Duration.ZERO,
                new Vitals.Memory(1, 2, 3),
                new Vitals.Rates(1, 2, List.of()),
                List.of(),
                null);
    }

    @Test
    @Timeout(10)
    void rowThatIsShorterThanItSays_isRefusedWithItsKey() {
        RedisJobStore store = open();
        NewJob job = job();
        store.submit(List.of(job), DueSink.NONE);
        String cutsOffAByte =
                "local key = redis.call('KEYS', ARGV[1])[1] return redis.call('SET', key, string.sub(redis.call('GET', key), 1, -2))";
        commands().eval(cutsOffAByte, ScriptOutputType.STATUS, new String[0], namespace + "{*j:*");

        assertThatThrownBy(() -> store.find(job.id()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("bytes");
    }

    @Test
    void serverThatIsGone_isATransientError_andServesAgainWithItsJobs() {
        try (TestRedisServer server = TestRedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            RedisClient client = RedisClient.create(server.uri());
            RedisJobStore store = open(RedisJobStore.builder(client).timeout(Duration.ofSeconds(2)));
            NewJob job = job();
            store.submit(List.of(job), DueSink.NONE);
            server.kill();

            assertThatThrownBy(() -> store.find(job.id()))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            gone -> assertThat(gone.isTransient()).isTrue());
            server.startAgain();

            await().ignoreExceptions().until(() -> store.find(job.id()).isPresent());
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
