package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.MemoryJobStore;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a stop, and a want of threads, may forget, and what not. */
class EngineStopTest {

    private final HandlerRegistry handlers = new HandlerRegistry();
    private final MemoryJobStore store = new MemoryJobStore(StoreClock::wallMicros);
    private final EngineThreads threads = new EngineThreads();
    private final CompletableFuture<Runnable> handedToWorkers = new CompletableFuture<>();
    private final DelayJobEngine engine = engine(handedToWorkers::complete);

    private DelayJobEngine engine(Executor workers) {
        return new DelayJobEngine(
                EngineSettings.defaults("test#1").toBuilder()
                        .stopAwait(Duration.ofMillis(500))
                        .build(),
                store,
                new DelayJobEngineTest.EveryLease(),
                handlers,
                new DelayJobEngineTest.NoPayloads(),
                StoreClock.ofThisMachine(),
                threads,
                workers,
                new EngineRandom(),
                new JobListeners(List.of()));
    }

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void jobThatHasItsSlotButNotYetItsThread_keepsItsInstanceInTheRegister() throws Exception {
        handlers.register(Handler.named("job").calls((arguments, job) -> null));
        engine.start();
        JobId id = engine.operations().schedule("job").now().id();
        handedToWorkers.get(30, TimeUnit.SECONDS);

        engine.stop();

        assertThat(store.find(id))
                .get()
                .satisfies(job -> assertThat(job.state())
                        .as("claimed, and about to be called")
                        .isEqualTo(JobState.RUNNING));
        assertThat(store.instances().list())
                .as("else the others would repeat it at once, while it may still begin here")
                .hasSize(1);
    }

    @Test
    void interruptedAttemptThatMayStartOnceOnly_isNotStartedAgain() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<JobId> started = new CompletableFuture<>();
        handlers.register(
                Handler.named("charge").delivery(Delivery.AT_MOST_ONCE).calls((arguments, job) -> {
                    started.complete(job.id());
                    never.await();
                    return null;
                }));
        DelayJobEngine real = engine(threads.workers());
        real.start();
        JobId id = real.operations().schedule("charge").now().id();
        started.get(30, TimeUnit.SECONDS);

        real.stop();

        assertThat(store.find(id))
                .get()
                .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.FAILED));
    }

    @Test
    void jobForWhichTheMachineHasNoThread_isReleasedAndMadeLater() throws Exception {
        CompletableFuture<JobId> made = new CompletableFuture<>();
        handlers.register(Handler.named("job").calls((arguments, job) -> made.complete(job.id())));
        AtomicBoolean exhausted = new AtomicBoolean(true);
        DelayJobEngine real = engine(task -> {
            if (exhausted.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            threads.workers().execute(task);
        });
        real.start();
        JobId id = real.operations().schedule("job").now().id();

        assertThat(made.get(30, TimeUnit.SECONDS)).isEqualTo(id);
        real.stop();
    }
}
