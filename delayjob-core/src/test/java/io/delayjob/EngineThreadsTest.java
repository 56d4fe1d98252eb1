package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.time.Agent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Threads that outlive what their agents throw. */
class EngineThreadsTest {

    @Test
    void agentWhoseErrorNobodyCouldReport_isCalledAgain() throws Exception {
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
}
