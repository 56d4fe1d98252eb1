package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.event.JobListener;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.settings.QueueSettings;
import io.delayjob.spring.DelayJobTemplate;
import io.delayjob.spring.DelayJobThreads;
import io.delayjob.spring.InvalidHandlerException;
import io.delayjob.spring.JacksonPayloadCodec;
import io.delayjob.store.JobStore;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class DelayJobAutoConfigurationTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAbsenceAutoConfiguration.class,
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory");

    @Test
    void memoryStore_isEnough() {
        contexts.run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(MemoryJobStore.class)
                .hasSingleBean(DelayJobEngine.class)
                .hasSingleBean(DelayJobTemplate.class)
                .hasSingleBean(DelayJobOperations.class)
                .hasSingleBean(HandlerRegistry.class)
                .hasSingleBean(JacksonPayloadCodec.class)
                .hasSingleBean(LeaseProvider.class)
                .doesNotHaveBean(Executor.class));
    }

    @Test
    void withoutStore_thereIsNothing() {
        contexts.withPropertyValues("delayjob.store=jdbc")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayJobOperations.class));
    }

    @Test
    void withoutStore_handlersAreRefused() {
        contexts.withPropertyValues("delayjob.store=jdbc")
                .withBean(Unserved.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidHandlerException.class)
                        .hasMessageContaining("Unserved.run would never run: there is no job store."));
    }

    @Test
    void withoutStore_handlersOfLazyBeansAreRefused() {
        contexts.withPropertyValues("delayjob.store=jdbc")
                .withBean(Unserved.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context).getFailure().isInstanceOf(InvalidHandlerException.class));
    }

    @Test
    void withoutLeases_handlersAreRefused() {
        contexts.withPropertyValues("delayjob.store=jdbc")
                .withBean(JobStore.class, () -> new MemoryJobStore(() -> 0))
                .withBean(Unserved.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("there is a job store, but no engine")
                        .hasMessageContaining("LeaseProvider"));
    }

    @Test
    void storeThatDoesNotExist_isRefusedEvenWithoutHandlers() {
        contexts.withPropertyValues("delayjob.store=mongo")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Invalid delayjob.store 'mongo'")
                        .hasStackTraceContaining("class path"));
    }

    @Test
    void disabled_handlersAreLeftAlone() {
        contexts.withPropertyValues("delayjob.enabled=false", "delayjob.store=mongo")
                .withBean(Unserved.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayJobEngine.class));
    }

    @Test
    void disabled_thereIsNothing() {
        contexts.withPropertyValues("delayjob.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DelayJobOperations.class)
                        .doesNotHaveBean(JobStore.class)
                        .doesNotHaveBean(DelayJobThreads.class));
    }

    @Test
    void defaults_areTheEngines() {
        contexts.withPropertyValues("delayjob.instance-id=me").run(context -> {
            EngineSettings settings = context.getBean(EngineSettings.class);
            assertThat(settings).isEqualTo(EngineSettings.defaults(settings.incarnation()));
            assertThat(settings.incarnation()).matches("me#[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        });
    }

    @Test
    void instanceId_isUniqueToEachStart() {
        contexts.run(one -> contexts.run(
                other -> assertThat(one.getBean(EngineSettings.class).incarnation())
                        .contains("-" + ProcessHandle.current().pid() + "#")
                        .isNotEqualTo(other.getBean(EngineSettings.class).incarnation())));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        delayjob.worker.enabled=false               | instance.worker
        delayjob.partitions=3                       | queues.partitions
        delayjob.lease.duration=21s                 | cluster.leaseDuration
        delayjob.liveness=31s                       | cluster.liveness
        delayjob.heartbeat=1s                       | cluster.heartbeat
        delayjob.wheel.tick=1ms                     | preload.wheelTick
        delayjob.wheel.max-jobs=1000                | preload.maxJobs
        delayjob.preload.window=20s                 | preload.window
        delayjob.preload.batch-size=50              | preload.batchSize
        delayjob.sweep.interval=2s                  | sweep.interval
        delayjob.sweep.grace=300ms                  | sweep.grace
        delayjob.sweep.adopt-after=7s               | sweep.adoptAfter
        delayjob.claim-lead=50ms                    | preload.claimLead
        delayjob.timeout=5m                         | attempts.timeout
        delayjob.interrupt-grace=1s                 | attempts.interruptGrace
        delayjob.attempts.mode=all                  | attempts.log
        delayjob.payload.max-size=100               | attempts.payloadMaxSize
        delayjob.unreadable-payload-after=2d        | attempts.unreadablePayloadAfter
        delayjob.shutdown.await=1s                  | instance.stopAwait
        delayjob.history.finished=1d                | history.finished
        delayjob.history.cancelled=2d               | history.cancelled
        delayjob.history.failed=3d                  | history.failed
        delayjob.retry.max-retries=2                | attempts.retry
        delayjob.retry.delay=1s                     | attempts.retry
        delayjob.retry.multiplier=3                 | attempts.retry
        delayjob.retry.max-delay=9m                 | attempts.retry
        delayjob.retry.jitter=1s                    | attempts.retry
        delayjob.queues.mail.concurrency=4          | queues.named
        delayjob.queues.mail.enabled=false          | queues.named
        delayjob.queues.mail.rate=30/min            | queues.named
        """)
    void property_reachesItsSettingAndNoOther(String property, String setting) {
        contexts.withPropertyValues("delayjob.instance-id=me", property).run(context -> {
            EngineSettings settings = context.getBean(EngineSettings.class);
            EngineSettings defaults = EngineSettings.defaults(settings.incarnation());
            assertThat(settings)
                    .usingRecursiveComparison()
                    .ignoringFields(setting)
                    .isEqualTo(defaults);
            assertThat(settings).extracting(setting).isNotEqualTo(defaultOf(defaults, setting));
        });
    }

    private static Object defaultOf(EngineSettings defaults, String setting) throws ReflectiveOperationException {
        Object value = defaults;
        for (String name : setting.split("\\.")) {
            value = value.getClass().getMethod(name).invoke(value);
        }
        return value;
    }

    @Test
    void valuesOfProperties_areTakenOver() {
        contexts.withPropertyValues(
                        "delayjob.queues.mail.concurrency=4",
                        "delayjob.queues.mail.enabled=false",
                        "delayjob.queues.mail.rate=30/min",
                        "delayjob.queues.mail.burst=5",
                        "delayjob.retry.max-retries=2",
                        "delayjob.retry.delay=1s",
                        "delayjob.retry.multiplier=3",
                        "delayjob.retry.max-delay=9m",
                        "delayjob.retry.jitter=1s",
                        "delayjob.history.finished=0",
                        "delayjob.history.cancelled=1d",
                        "delayjob.history.failed=2d",
                        "delayjob.statistics.retention=5h",
                        "delayjob.attempts.mode=none",
                        "delayjob.timeout=5m")
                .run(context -> {
                    EngineSettings settings = context.getBean(EngineSettings.class);
                    assertThat(settings.queue("mail"))
                            .isEqualTo(new QueueSettings(
                                    4, false, RateLimit.of("30/min").burst(5)));
                    assertThat(settings.attempts().retry())
                            .isEqualTo(RetryPolicy.defaults()
                                    .maxRetries(2)
                                    .delay(Duration.ofSeconds(1))
                                    .multiplier(3)
                                    .maxDelay(Duration.ofMinutes(9))
                                    .jitter(Duration.ofSeconds(1)));
                    assertThat(settings.history())
                            .isEqualTo(new HistorySettings(
                                    Duration.ZERO, Duration.ofDays(1), Duration.ofDays(2), Duration.ofHours(5)));
                    assertThat(settings.attempts().log()).isEqualTo(AttemptLog.NONE);
                    assertThat(settings.attempts().timeout()).isEqualTo(Duration.ofMinutes(5));
                });
    }

    @Test
    void badValue_isRefusedByName() {
        contexts.withPropertyValues("delayjob.partitions=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Invalid delayjob.partitions 0"));
        contexts.withPropertyValues("delayjob.instance-id=" + "x".repeat(201))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Invalid delayjob.instance-id"));
    }

    @Test
    void beansOfTheApplication_takeTheirPlace() {
        contexts.withUserConfiguration(OwnBeans.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(PayloadCodec.class).hasSingleBean(JobStore.class);
            assertThat(context).doesNotHaveBean(JacksonPayloadCodec.class);
            assertThat(context).getBean(JobStore.class).isSameAs(context.getBean("ownStore"));
        });
    }

    @Test
    void jobs_run() {
        contexts.withUserConfiguration(Greeter.class).run(context -> {
            Greeter greeter = context.getBean(Greeter.class);
            greeter.greet("Ann");
            assertThat(greeter.greeted.get(30, TimeUnit.SECONDS)).isEqualTo("Ann");
            assertThat(greeter.ended.get(30, TimeUnit.SECONDS)).isEqualTo("greet");
        });
    }

    @Test
    void jobs_runWhereBeansAreLazy() {
        contexts.withUserConfiguration(Greeter.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    Greeter greeter = context.getBean(Greeter.class);
                    greeter.greet("Ann");
                    assertThat(greeter.greeted.get(30, TimeUnit.SECONDS)).isEqualTo("Ann");
                });
    }

    @Test
    void jobsThatStartByThemselves_start() {
        contexts.withUserConfiguration(Ticker.class)
                .run(context -> assertThat(context.getBean(Ticker.class).ticked.get(30, TimeUnit.SECONDS))
                        .isEqualTo("ticked"));
    }

    @Test
    void stop_waitsForHandlersAndRunsNothingMore() {
        contexts.withUserConfiguration(Greeter.class).run(context -> {
            DelayJobEngine engine = context.getBean(DelayJobEngine.class);
            assertThat(engine.status().running()).isTrue();
            context.getSourceApplicationContext().stop();
            assertThat(engine.status().running()).isFalse();
            context.getSourceApplicationContext().start();
            assertThat(engine.status().running()).isTrue();
        });
    }

    @Test
    void volatileTimers_haveTheirOwnWheel() {
        contexts.run(context -> {
            CompletableFuture<String> fired = new CompletableFuture<>();
            TimingWheel wheel = context.getBean(TimingWheel.class);
            wheel.schedule(() -> fired.complete("fired"), Duration.ofMillis(1));
            assertThat(fired.get(30, TimeUnit.SECONDS)).isEqualTo("fired");
            assertThat(wheel.toString()).contains("open");
            context.close();
            assertThat(wheel.toString()).contains("closed");
        });
    }

    @Test
    void volatileTimers_costNothingUnused() {
        contexts.run(context -> assertThat(context.getBeanFactory().containsSingleton("timingWheel"))
                .isFalse());
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {

        @Bean
        PayloadCodec ownCodec() {
            return mock(PayloadCodec.class);
        }

        @Bean
        JobStore ownStore() {
            return new MemoryJobStore(() -> 0);
        }
    }

    static class Greeter implements JobListener {
        private final DelayJobOperations jobs;
        private final CompletableFuture<String> greeted = new CompletableFuture<>();
        private final CompletableFuture<String> ended = new CompletableFuture<>();

        Greeter(DelayJobOperations jobs) {
            this.jobs = jobs;
        }

        void greet(String name) {
            jobs.schedule(Greeter::hello).with(name).key(name).now();
        }

        @DelayedJob("greet")
        void hello(String name) {
            greeted.complete(name);
        }

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            ended.complete(job.name());
        }
    }

    static class Unserved {
        @DelayedJob("unserved")
        void run() {}
    }

    static class Ticker {
        private final CompletableFuture<String> ticked = new CompletableFuture<>();

        @DelayedJob(name = "tick", every = "${tick.every:10ms}")
        void tick() {
            ticked.complete("ticked");
        }
    }
}
