package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.MemoryJobStore;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a stop may forget, and what not. */
class EngineStopTest {

    private final HandlerRegistry handlers = new HandlerRegistry();
    private final MemoryJobStore store = new MemoryJobStore(StoreClock::wallMicros);
    private final EngineThreads threads = new EngineThreads();
    private final CompletableFuture<Runnable> handedToWorkers = new CompletableFuture<>();
    private final DelayJobEngine engine = new DelayJobEngine(
            EngineSettings.defaults("test#1").toBuilder()
                    .stopAwait(Duration.ofMillis(20))
                    .build(),
            store,
            new DelayJobEngineTest.EveryLease(),
            handlers,
            new DelayJobEngineTest.NoPayloads(),
            StoreClock.ofThisMachine(),
            threads,
            handedToWorkers::complete,
            new EngineRandom(),
            new JobListeners(List.of()));

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
}
