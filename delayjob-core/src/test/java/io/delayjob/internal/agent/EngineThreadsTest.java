package io.delayjob.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.CapturedLog;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests that threads survive the exceptions of their agents. */
class EngineThreadsTest {

    @Test
    void agentWhoseErrorCannotBeLogged_isCalledAgain() throws Exception {
        CountDownLatch calls = new CountDownLatch(2);
        try (EngineThreads threads = new EngineThreads()) {
            var handle = threads.start(new Agent() {
                @Override
                public String roleName() {
                    return "unlucky";
                }

                @Override
                public long doWork() {
                    calls.countDown();
                    if (calls.getCount() > 0) {
                        throw new OutOfMemoryError("pretended");
                    }
                    return UNTIL_WOKEN;
                }
            });

            assertThat(calls.await(30, TimeUnit.SECONDS)).isTrue();
            handle.stop();
        }
    }

    @Test
    void agentThatKeepsFailing_isReportedOnceWithItsStack() throws Exception {
        CountDownLatch calls = new CountDownLatch(4);
        try (CapturedLog log = new CapturedLog();
                EngineThreads threads = new EngineThreads()) {
            var handle = threads.start(new Agent() {
                @Override
                public String roleName() {
                    return "unlucky";
                }

                @Override
                public long doWork() {
                    calls.countDown();
                    throw new IllegalStateException("pretended");
                }
            });
            assertThat(calls.await(30, TimeUnit.SECONDS)).isTrue();
            handle.stop();

            assertThat(log.lines("delayjob's background task 'unlucky' failed")).hasSize(1);
            assertThat(log.lines("at io.delayjob.internal.agent.EngineThreadsTest"))
                    .isNotEmpty();
        }
    }

    @Test
    void agentThatFails_isNotCalledEarlierByWakeUps() throws Exception {
        CountDownLatch called = new CountDownLatch(3);
        try (CapturedLog log = new CapturedLog();
                EngineThreads threads = new EngineThreads()) {
            AtomicReference<AgentHandle> handle = new AtomicReference<>();
            CountDownLatch started = new CountDownLatch(1);
            handle.set(threads.start(new Agent() {
                @Override
                public String roleName() {
                    return "unlucky";
                }

                @Override
                public long doWork() {
                    called.countDown();
                    awaited(started);
                    handle.get().wake();
                    throw new IllegalStateException("pretended");
                }
            }));
            long began = System.nanoTime();
            started.countDown();
            assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
            handle.get().stop();

            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("two pauses, although it was woken during each call")
                    .isGreaterThanOrEqualTo(Duration.ofMillis(150));
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
