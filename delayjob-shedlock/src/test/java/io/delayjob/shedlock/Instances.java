package io.delayjob.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobEngine;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.job.JobId;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.javacrumbs.shedlock.core.LockProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Instances that share a store in memory, each with its own connection to a lock service. A lease lasts a second. Jobs
 * are due after the window, so that a leader must read them.
 */
final class Instances implements AutoCloseable {

    static final int PARTITIONS = 8;

    private static final Logger log = LoggerFactory.getLogger(Instances.class);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final MemoryJobStore store = new MemoryJobStore(StoreClock::wallMicros);
    private final Duration adoptAfter;
    private final List<Instance> joined = new ArrayList<>();
    private final List<JobId> scheduled = new ArrayList<>();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    /** @param adoptAfter the time after which a job that no leader has read is run */
    Instances(Duration adoptAfter) {
        this.adoptAfter = adoptAfter;
    }

    private record Call(JobId id, long lateMillis) {}

    Instance join(String name, LockProvider locks) {
        Instance instance = new Instance(name, locks);
        joined.add(instance);
        instance.engine.start();
        return instance;
    }

    /** Waits until each of two instances leads half of the partitions. */
    void awaitHalves() {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(joined).extracting(Instance::led).containsExactly(4, 4));
    }

    /** Schedules 200 jobs. They are due one by one, from one second from now, over this span. */
    void scheduleFor(Duration span) {
        for (int number = 0; number < 200; number++) {
            Duration delay =
                    Duration.ofSeconds(1).plus(span.multipliedBy(number).dividedBy(200));
            scheduled.add(joined.get(number % joined.size())
                    .engine
                    .operations()
                    .schedule("job")
                    .after(delay)
                    .id());
        }
    }

    /** Waits until {@code more} further jobs have run. */
    void awaitCalls(int more) {
        int sooner = calls.size();
        await().atMost(PATIENCE).until(() -> calls.size() >= sooner + more);
    }

    /** Waits until all jobs have run. Checks that each has run once, and none early. */
    void awaitEachJobOnce() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(calls).extracting(Call::id).containsAll(scheduled));
        assertThat(calls).extracting(Call::id).containsExactlyInAnyOrderElementsOf(scheduled);
        assertThat(calls).allSatisfy(call -> assertThat(call.lateMillis).isNotNegative());
        log.warn(
                "{} jobs, the latest {} ms after its time.",
                calls.size(),
                calls.stream().mapToLong(Call::lateMillis).max().orElseThrow());
    }

    @Override
    public void close() {
        joined.forEach(Instance::close);
    }

    final class Instance {

        private final EngineThreads threads = new EngineThreads();
        final DelayJobEngine engine;

        private Instance(String name, LockProvider locks) {
            StoreClock clock = StoreClock.ofThisMachine();
            HandlerRegistry handlers = new HandlerRegistry();
            handlers.register(Handler.named("job").calls((arguments, job) -> {
                calls.add(new Call(
                        job.id(), StoreClock.wallMicros() / 1_000 - job.dueAt().toEpochMilli()));
                return null;
            }));
            engine = DelayJobEngine.builder(
                            EngineSettings.defaults(name + "#1").toBuilder()
                                    .partitions(PARTITIONS)
                                    .leaseDuration(Duration.ofSeconds(1))
                                    .heartbeat(Duration.ofMillis(200))
                                    .liveness(Duration.ofSeconds(10))
                                    .window(Duration.ofMillis(500))
                                    .sweepInterval(Duration.ofMillis(200))
                                    .adoptAfter(adoptAfter)
                                    .stopAwait(Duration.ofSeconds(1))
                                    .build(),
                            store)
                    .leases(new ShedLockLeaseProvider(locks, clock))
                    .handlers(handlers)
                    .codec(new NoPayloads())
                    .clock(clock)
                    .agents(threads)
                    .workers(threads.workers())
                    .random(new EngineRandom())
                    .build();
        }

        int led() {
            return engine.status().led().size();
        }

        void awaitLed(int partitions) {
            await().atMost(PATIENCE).until(() -> led() == partitions);
        }

        private void close() {
            engine.stop();
            threads.close();
        }
    }

    private static final class NoPayloads implements PayloadCodec {
        @Override
        public String encode(List<PayloadParameter> parameters, List<?> arguments) {
            return null;
        }

        @Override
        public String encodeNamed(Map<String, ?> arguments) {
            return null;
        }

        @Override
        public List<Object> decode(List<PayloadParameter> parameters, String payload) {
            return List.of();
        }
    }
}
