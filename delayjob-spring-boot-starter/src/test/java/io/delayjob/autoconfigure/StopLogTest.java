package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an operator reads of a start and a stop. */
@ExtendWith(OutputCaptureExtension.class)
class StopLogTest {

    private static final String LOGGER = "io.delayjob.internal.engine";

    private final LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory", "delayjob.instance-id=shop-1");

    @BeforeEach
    void asByDefault() {
        logging.setLogLevel(LOGGER, LogLevel.INFO);
    }

    @AfterEach
    void asBefore() {
        logging.setLogLevel(LOGGER, null);
    }

    @Test
    void stop_tellsOnceThatItIsDone(CapturedOutput output) {
        contexts.run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains(" stopped in "))
                .singleElement()
                .asString()
                .containsPattern("INFO .* Instance shop-1\\S* stopped in \\S+ m?s. Attempts that ended in time: 0. "
                        + "Interrupted attempts: 0. Released jobs: 0. Leases handed back: \\d+\\.$");
    }

    @Test
    void stop_tellsFirstWhatItWaitsFor(CapturedOutput output) {
        contexts.withBean(Patient.class)
                .withPropertyValues("delayjob.shutdown.await=100ms")
                .run(context -> {
                    context.getBean(DelayJobOperations.class).schedule("wait").now();
                    assertThat(context.getBean(Patient.class).started.await(30, TimeUnit.SECONDS))
                            .isTrue();
                    assertThat(output).doesNotContain("is stopping");
                });

        assertThat(output.getOut())
                .containsOnlyOnce(" is stopping. ")
                .containsPattern(
                        "INFO .* Instance shop-1\\S* is stopping\\. Running attempts: 1\\. The instance waits up to "
                                + "100 ms for them to end\\.\\R(?s:.*) stopped in ");
    }

    @Test
    void stop_tellsWhatBecameOfAttempts(CapturedOutput output) {
        // An interrupted attempt has as much time to end as the stop waits, but at most a second.
        contexts.withBean(Patient.class)
                .withPropertyValues("delayjob.shutdown.await=1s")
                .run(context -> {
                    context.getBean(DelayJobOperations.class).schedule("wait").now();
                    assertThat(context.getBean(Patient.class).started.await(30, TimeUnit.SECONDS))
                            .isTrue();
                });

        assertThat(output)
                .contains("Attempts that ended in time: 0. Interrupted attempts: 1. Released jobs: 1. Leases");
    }

    @Test
    void stop_namesTheAttemptsThatItInterrupts(CapturedOutput output) {
        AtomicReference<JobId> id = new AtomicReference<>();
        contexts.withBean(Patient.class)
                .withPropertyValues("delayjob.shutdown.await=100ms")
                .run(context -> {
                    id.set(context.getBean(DelayJobOperations.class)
                            .schedule("wait")
                            .now()
                            .id());
                    assertThat(context.getBean(Patient.class).started.await(30, TimeUnit.SECONDS))
                            .isTrue();
                });

        assertThat(output)
                .contains(("This instance is stopping, and now interrupts 1 attempts that did not end within 100 ms: "
                                + "wait (%s), run 1, attempt 1")
                        .formatted(id.get()));
    }

    @Test
    void start_isOneLineThatTellsWhatStarts(CapturedOutput output) {
        contexts.withBean(Patient.class)
                .withPropertyValues("delayjob.queues.bulk.concurrency=4")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("delayjob ") && line.contains(" starts as instance "))
                .singleElement()
                .asString()
                .containsPattern(
                        "INFO .* delayjob (\\(version unknown\\)|\\d\\S*) starts as instance shop-1\\S* on job store"
                                + " memory \\(jobs are lost when this process ends; .*\\)\\. Handlers: wait\\. Queues: bulk"
                                + " \\(4 slots\\), default \\(16 slots\\)\\.$");
    }

    @Test
    void stop_countsAttemptsThatEndBeforeItWaitsForThem(CapturedOutput output) {
        contexts.withBean(EndsWithTheLeases.class).run(context -> {
            context.getBean(DelayJobOperations.class).schedule("wait").now();
            assertThat(context.getBean(EndsWithTheLeases.class).started.await(30, TimeUnit.SECONDS))
                    .isTrue();
        });

        assertThat(output)
                .contains("Running attempts: 1.")
                .contains("Attempts that ended in time: 1. Interrupted attempts: 0. Released jobs: 0. Leases");
    }

    /** Its attempt ends, and is written, while leases are being handed back. */
    static class EndsWithTheLeases implements JobListener {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch stopping = new CountDownLatch(1);
        private final CountDownLatch completed = new CountDownLatch(1);

        @DelayedJob("wait")
        void await() throws InterruptedException {
            started.countDown();
            stopping.await();
        }

        @Override
        public void leaseEnded(Partition partition, String reason) {
            stopping.countDown();
            try {
                assertThat(completed.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            completed.countDown();
        }
    }

    static class Patient {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch never = new CountDownLatch(1);

        @DelayedJob("wait")
        void await() throws InterruptedException {
            started.countDown();
            never.await();
        }
    }
}
