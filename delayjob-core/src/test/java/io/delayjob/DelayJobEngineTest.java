package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import io.delayjob.time.StoreClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the engine with the memory store on real threads: the behaviour that virtual time cannot show. */
class DelayJobEngineTest {

    private final HandlerRegistry handlers = new HandlerRegistry();
    private final Queue<Duration> lateness = new ConcurrentLinkedQueue<>();
    private final CountDownLatch done = new CountDownLatch(1_000);
    private final EngineThreads threads = new EngineThreads();
    private volatile Runnable beforeClaim = () -> {};
    private final MemoryJobStore store = new MemoryJobStore(StoreClock::wallMicros);
    private final DelayJobEngine engine = engine(true);

    private DelayJobEngine engine(boolean worker) {
        return DelayJobEngine.builder(
                        EngineSettings.defaults("test#1").toBuilder()
                                .worker(worker)
                                .retry(RetryPolicy.gaps(Duration.ofMillis(20)))
                                .stopAwait(Duration.ofSeconds(5))
                                .build(),
                        tellingOfClaims(store))
                .leases(new EveryLease())
                .handlers(handlers)
                .codec(new NoPayloads())
                .clock(StoreClock.ofThisMachine())
                .agents(threads)
                .workers(threads.workers())
                .random(new SecureRandom())
                .listeners(new JobListeners(List.of(new JobListener() {
                    @Override
                    public void started(Job job, Duration late) {
                        lateness.add(late);
                    }

                    @Override
                    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                        if (next instanceof Transition.Ended) {
                            done.countDown();
                        }
                    }
                })))
                .build();
    }

    @AfterEach
    void stop() {
        engine.stop();
        threads.close();
    }

    @Test
    void jobsRunOnceEachAndNeverEarly() throws Exception {
        handlers.register(Handler.named("noop").calls((arguments, job) -> null));
        engine.start();
        for (int i = 0; i < 1_000; i++) {
            engine.operations().schedule("noop").after(Duration.ofMillis(20 + i % 300));
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(lateness).hasSize(1_000).allSatisfy(late -> assertThat(late).isGreaterThanOrEqualTo(Duration.ZERO));
    }

    @Test
    void jobsThatFailAreRetried() throws Exception {
        handlers.register(Handler.named("flaky").calls((arguments, job) -> {
            // If a claim found no slot, the number of its attempt was skipped.
            if (job.failures() == 0) {
                throw new IllegalStateException("not yet");
            }
            return null;
        }));
        engine.start();
        for (int i = 0; i < 1_000; i++) {
            engine.operations().schedule("flaky").now();
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(lateness).hasSize(2_000);
    }

    @Test
    void instanceThatOnlySchedules_declaresNoJobs() {
        handlers.register(Handler.named("purge").calls((arguments, job) -> null));
        Repeat hourly = Repeat.every(Duration.ofHours(1));
        DelayJobEngine scheduling = engine(false);

        assertThat(scheduling.declare("purge", hourly)).isFalse();
        assertThat(store.find("purge", Job.DECLARED_KEY)).isEmpty();
        assertThat(engine.declare("purge", hourly)).isTrue();
        assertThat(engine.declare("purge", hourly)).isFalse();
    }

    @Test
    void atomicHandlersAreRefusedWhereTheStoreHasNoTransactions() {
        handlers.register(Handler.named("book").atomic(true).calls((arguments, job) -> null));

        assertThatThrownBy(engine::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Handler 'book' is atomic")
                .hasMessageContaining("delayjob.store=jdbc");
        assertThat(engine.status().running()).isFalse();
    }

    @Test
    void jobThatBecomesDueDuringAClaim_isClaimedAtOnce() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        CountDownLatch firstUnderWay = new CountDownLatch(1);
        CyclicBarrier bothUnderWay = new CyclicBarrier(2);
        beforeClaim = () -> {
            firstUnderWay.countDown();
            try {
                bothUnderWay.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
                throw new IllegalStateException(alone);
            }
        };
        handlers.register(Handler.named("noop").calls((arguments, job) -> {
            ended.countDown();
            return null;
        }));
        engine.start();
        engine.operations().schedule("noop").after(Duration.ofMillis(20));
        assertThat(firstUnderWay.await(30, TimeUnit.SECONDS)).isTrue();
        engine.operations().schedule("noop").after(Duration.ofMillis(20));
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(bothUnderWay.isBroken()).isFalse();
    }

    private JobStore tellingOfClaims(JobStore store) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("claim")) {
                        beforeClaim.run();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    static final class EveryLease implements LeaseProvider {
        @Override
        public Optional<Lease> acquire(String name, Duration duration) {
            return Optional.of(new Lease() {
                @Override
                public Optional<Lease> extend(Duration longer) {
                    return Optional.of(this);
                }

                @Override
                public void release() {}
            });
        }
    }

    static final class NoPayloads implements PayloadCodec {
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
