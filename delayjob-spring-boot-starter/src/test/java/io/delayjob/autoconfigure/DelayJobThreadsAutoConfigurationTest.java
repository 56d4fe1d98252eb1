package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.spring.DelayJobThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DelayJobThreadsAutoConfigurationTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DelayJobThreadsAutoConfiguration.class));

    private static Thread workerOf(DelayJobThreads threads) throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        threads.workers().execute(() -> worker.complete(Thread.currentThread()));
        return worker.get(30, TimeUnit.SECONDS);
    }

    @Test
    void workers_arePlatformThreads() {
        contexts.run(context -> {
            assertThat(context).hasSingleBean(EngineThreads.class);
            Thread worker = workerOf(context.getBean(DelayJobThreads.class));
            assertThat(worker.getName()).startsWith("delayjob-worker-");
            assertThat(worker.toString()).startsWith("Thread[");
        });
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void workers_areVirtualWhereTheApplicationsThreadsAre() {
        contexts.withPropertyValues("spring.threads.virtual.enabled=true").run(context -> {
            Thread worker = workerOf(context.getBean(DelayJobThreads.class));
            assertThat(worker.getName()).startsWith("delayjob-worker-");
            assertThat(worker.toString()).startsWith("VirtualThread[");
        });
    }

    @Test
    void threadsOfTheApplication_takeTheirPlace() {
        Executor own = Runnable::run;
        contexts.withBean(
                        DelayJobThreads.class,
                        () -> new DelayJobThreads(
                                agent -> {
                                    throw new UnsupportedOperationException();
                                },
                                own,
                                own))
                .run(context -> assertThat(context).doesNotHaveBean(EngineThreads.class));
    }
}
