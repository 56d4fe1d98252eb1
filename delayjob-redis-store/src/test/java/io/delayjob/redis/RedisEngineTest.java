package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobEngine;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.job.CancelResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.test.MemoryLeaseProvider;
import io.delayjob.time.StoreClock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Engines on real threads, with a Redis between them. */
class RedisEngineTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryLeaseProvider leases = new MemoryLeaseProvider(StoreClock.ofThisMachine());
    private final String namespace = TestRedis.namespace();
    private final Queue<JobId> calls = new ConcurrentLinkedQueue<>();
    private final List<Runnable> endings = new ArrayList<>();

    @AfterEach
    void end() {
        for (int i = endings.size() - 1; i >= 0; i--) {
            endings.get(i).run();
        }
    }

    /** Nothing is kept of arguments, because the handler has none. */
    private static final class NoPayloads implements PayloadCodec {

        @Override
        public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
            return List.of();
        }
    }

    private RedisJobStore store(RedisClient client) {
        RedisJobStore store = RedisJobStore.builder(client)
                .namespace(namespace)
                .slots(16)
                .timeout(Duration.ofSeconds(2))
                .build();
        endings.add(store::close);
        return store;
    }

    private DelayJobEngine start(String incarnation, JobStore store) {
        HandlerRegistry handlers = new HandlerRegistry();
        handlers.register(Handler.named("note").calls((arguments, job) -> {
            calls.add(job.id());
            return null;
        }));
        EngineThreads threads = new EngineThreads();
        DelayJobEngine engine = DelayJobEngine.builder(EngineSettings.defaults(incarnation), store)
                .leases(leases)
                .handlers(handlers)
                .codec(new NoPayloads())
                .clock(new StoreClock(store::clockMicros))
                .agents(threads)
                .workers(threads.workers())
                .random(new EngineRandom())
                .build();
        endings.add(threads::close);
        endings.add(engine::stop);
        engine.start();
        return engine;
    }

    /** Returns a store whose claims wait for the latch. */
    private static JobStore claimingAfter(CountDownLatch latch, JobStore store) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("claim")) {
                        assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                                .isTrue();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void awaitEnded(RedisJobStore store, int count) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            JobCounts counts = store.counts(Instant.ofEpochMilli(store.clockMicros() / 1_000));
            return counts.in(JobState.FINISHED) == count;
        });
    }

    @Test
    void twoEngines_runEachJobOnce_andNoCancelledOne() {
        RedisJobStore store = store(TestRedis.client());
        DelayJobEngine one = start("one", store);
        DelayJobEngine two = start("two", store(TestRedis.client()));
        List<JobId> wanted = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            DelayJobEngine engine = i % 2 == 0 ? one : two;
            wanted.add(engine.operations()
                    .schedule("note")
                    .key("key-" + i)
                    .after(Duration.ofMillis(i))
                    .id());
            wanted.add(engine.operations().schedule("note").now().id());
        }
        Scheduled cancelled = one.operations().schedule("note").key("no").after(Duration.ofHours(1));
        assertThat(two.operations().cancel("note", "no")).isEqualTo(CancelResult.CANCELLED);

        awaitEnded(store, wanted.size());

        assertThat(calls).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(store.find(cancelled.id()))
                .hasValueSatisfying(job -> assertThat(job.state()).isEqualTo(JobState.CANCELLED));
    }

    @Test
    void jobWhoseRowWasCut_delaysNoOtherJob_andRunsWhenItsRowIsWholeAgain() {
        RedisJobStore store = store(TestRedis.client());
        CountDownLatch cut = new CountDownLatch(1);
        DelayJobEngine engine = start("one", claimingAfter(cut, store));
        List<JobId> wanted = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            wanted.add(engine.operations()
                    .schedule("note")
                    .after(Duration.ofSeconds(1))
                    .id());
        }
        JobId bad = wanted.remove(20);
        RedisCommands<byte[], byte[]> admin =
                TestRedis.client().connect(ByteArrayCodec.INSTANCE).sync();
        byte[] key = Bytes.of(new Keyspace(namespace, 16).row(bad));
        byte[] row = admin.get(key);
        int cutAt = row.length - 10;
        admin.set(key, Arrays.copyOf(row, cutAt));
        cut.countDown();

        awaitEnded(store, wanted.size());
        for (int i = 0; i < 50; i++) {
            wanted.add(engine.operations().schedule("note").now().id());
        }
        awaitEnded(store, wanted.size());
        assertThat(calls).containsExactlyInAnyOrderElementsOf(wanted);

        admin.append(key, Arrays.copyOfRange(row, cutAt, row.length));
        awaitEnded(store, wanted.size() + 1);
        assertThat(calls).contains(bad);
    }

    @Test
    void serverThatCrashes_losesNothingThatItHasOnDisk() {
        TestRedisServer server = TestRedisServer.start("--appendonly", "yes", "--appendfsync", "always");
        endings.add(server::close);
        RedisClient client = RedisClient.create(server.uri());
        endings.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        RedisJobStore store = store(client);
        DelayJobEngine engine = start("one", store);
        List<JobId> wanted = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            wanted.add(engine.operations()
                    .schedule("note")
                    .after(Duration.ofMillis(5L * i))
                    .id());
        }
        await().atMost(PATIENCE).until(() -> calls.size() > 20);

        server.kill();
        server.startAgain();

        awaitEnded(store, wanted.size());
        assertThat(calls).containsAll(wanted);
    }

    @Test
    void serverWhoseMemoryIsFull_endsTheJobsThatItHas_andTakesNewOnesWhenItHasRoomAgain() {
        TestRedisServer server = TestRedisServer.start("--maxmemory-policy", "noeviction");
        endings.add(server::close);
        RedisClient client = RedisClient.create(server.uri());
        endings.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        RedisCommands<String, String> admin = client.connect().sync();
        RedisJobStore store = store(client);
        DelayJobEngine engine = start("one", store);
        List<JobId> wanted = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            wanted.add(engine.operations()
                    .schedule("note")
                    .after(Duration.ofMillis(300 + 2L * i))
                    .id());
        }
        admin.configSet("maxmemory", "1");

        assertThatThrownBy(() -> engine.operations().schedule("note").now())
                .isInstanceOfSatisfying(
                        StoreException.class,
                        full -> assertThat(full.isTransient()).isTrue())
                .hasMessageContaining("OOM");
        awaitEnded(store, wanted.size());
        assertThat(calls).containsExactlyInAnyOrderElementsOf(wanted);
        admin.configSet("maxmemory", "0");
        JobId later = engine.operations().schedule("note").now().id();

        awaitEnded(store, wanted.size() + 1);
        assertThat(calls).contains(later);
    }
}
