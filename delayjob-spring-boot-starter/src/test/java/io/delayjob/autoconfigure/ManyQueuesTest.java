package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A queue for each tenant, named by calls. */
class ManyQueuesTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory")
            .withBean(Tenants.class);

    @Test
    void queuesNamedByCalls_areBoundedAndSoAreThreads() {
        contexts.run(context -> {
            Tenants tenants = context.getBean(Tenants.class);
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            int before = workers();

            for (int tenant = 2; tenant <= 32; tenant++) {
                jobs.schedule(Tenants::serve).queue("tenant-" + tenant).now();
            }
            jobs.schedule(Tenants::serve).now();
            jobs.schedule(Tenants::serve).queue("tenant-32").now();

            assertThatThrownBy(() ->
                            jobs.schedule(Tenants::serve).queue("tenant-33").now())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "Invalid queue 'tenant-33': must be one of the 32 queues (delayjob.max-queues)");
            assertThat(tenants.busy.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(workers() - before).isLessThanOrEqualTo(33);
            assertThat(context.getBean(DelayJobEngine.class).status().led()).hasSizeLessThanOrEqualTo(32 * 8);
            tenants.go.countDown();
        });
    }

    private static int workers() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("delayjob-worker-"))
                .count();
    }

    static class Tenants {
        final CountDownLatch busy = new CountDownLatch(33);
        final CountDownLatch go = new CountDownLatch(1);

        @DelayedJob("serve-tenant")
        void serve() throws InterruptedException {
            busy.countDown();
            go.await();
        }
    }
}
