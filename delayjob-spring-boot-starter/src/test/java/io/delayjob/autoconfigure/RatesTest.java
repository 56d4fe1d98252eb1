package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Rates by annotation and by property, with the clock of the machine. */
class RatesTest {

    private static final int JOBS = 30;

    /** At a rate of 20/s with a burst of 5, all but six starts have to wait for their token. */
    private static final Duration SHORTEST = Duration.ofMillis((JOBS - 6) * 1_000L / 20);

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withUserConfiguration(Handlers.class)
            .withPropertyValues(
                    "delayjob.store=memory", "delayjob.queues.mail.rate=20/s", "delayjob.queues.mail.burst=5");

    @ParameterizedTest
    @ValueSource(strings = {"of-annotation", "of-queue"})
    void allJobsStart_andNoMoreThanTheRate(String handler) {
        contexts.run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            Handlers handlers = context.getBean(Handlers.class);
            long scheduled = System.nanoTime();
            for (int i = 0; i < JOBS; i++) {
                jobs.schedule(handler).now();
            }
            assertThat(handlers.calls.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - scheduled)).isGreaterThan(SHORTEST);
        });
    }

    static class Handlers {

        final CountDownLatch calls = new CountDownLatch(JOBS);

        @DelayedJob(name = "of-annotation", rate = "${sms.rate:20/s}", burst = 5)
        void ofAnnotation() {
            calls.countDown();
        }

        @DelayedJob(name = "of-queue", queue = "mail")
        void ofQueue() {
            calls.countDown();
        }
    }
}
