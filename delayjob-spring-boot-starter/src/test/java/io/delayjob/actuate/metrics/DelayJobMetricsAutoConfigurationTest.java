package io.delayjob.actuate.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Next;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.spring.DelayJobThreads;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DelayJobMetricsAutoConfigurationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DelayJobMetricsAutoConfiguration.class,
                    DelayJobObservationAutoConfiguration.class))
            .withUserConfiguration(Work.class)
            .withPropertyValues("delayjob.store=memory", "delayjob.queues.default.concurrency=5");

    private ApplicationContextRunner measured() {
        return contexts.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }

    @Test
    void withoutRegistries_thereAreNoMeters() {
        contexts.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(JobMeters.class)
                .doesNotHaveBean(EngineMeters.class)
                .doesNotHaveBean(ObservedHandlers.class));
    }

    @Test
    void attempts_areMeasured() {
        measured().run(context -> {
            Work work = context.getBean(Work.class);
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            jobs.schedule(Work::succeed).now();
            work.await();
            jobs.schedule(Work::failTwice).now();
            work.await();
            jobs.schedule("foreign").after(Duration.ofHours(1));
            jobs.cancel("foreign", "nobody");

            Timer lateness =
                    registry.get("delayjob.lateness").tag("handler", "succeed").timer();
            assertThat(lateness.count()).isOne();
            assertThat(lateness.takeSnapshot().histogramCounts()).isNotEmpty();
            assertThat(count(registry, "delayjob.scheduled", "handler", "succeed"))
                    .isOne();
            assertThat(count(registry, "delayjob.scheduled", "handler", "UNKNOWN"))
                    .isOne();
            assertThat(count(registry, "delayjob.retries", "handler", "fail-twice"))
                    .isOne();
            // The meters may hear of the end after the handlers' own listener, which was waited for.
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(count(registry, "delayjob.failed", "handler", "fail-twice"))
                            .isOne());
            assertThat(count(registry, "delayjob.cancelled", "result", "NOT_FOUND"))
                    .isOne();
            // Other threads take leases and read jobs.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(count(registry, "delayjob.lease.changes", "reason", "acquired"))
                            .isPositive());
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(registry.find("delayjob.preload").timers())
                                    .isNotEmpty());
        });
    }

    @Test
    void counters_areThereAtZero_beforeTheirFirstEvent() {
        measured().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            for (String job : List.of("succeed", "fail-twice", "stop-later", "stop-soon")) {
                for (String name :
                        List.of("scheduled", "followers", "retries", "failed", "snoozed", "expired", "fenced")) {
                    assertThat(count(registry, "delayjob." + name, "handler", job))
                            .as("%s of %s", name, job)
                            .isZero();
                }
            }
            for (String name : List.of("scheduled", "followers")) {
                assertThat(count(registry, "delayjob." + name, "handler", "UNKNOWN"))
                        .isZero();
            }
            for (CancelResult result : CancelResult.values()) {
                assertThat(count(registry, "delayjob.cancelled", "result", result.name()))
                        .isZero();
            }
            for (String outcome : List.of("FINISHED", "FAILED", "CANCELLED")) {
                assertThat(count(registry, "delayjob.groups.ended", "outcome", outcome))
                        .isZero();
            }
            assertThat(count(registry, "delayjob.adopted")).isZero();
            assertThat(count(registry, "delayjob.rescued")).isZero();
            for (String reason : List.of("expired", "lost", "surplus", "unused", "stopping")) {
                assertThat(count(registry, "delayjob.lease.changes", "reason", reason))
                        .isZero();
            }
            assertThat(count(registry, "delayjob.lease.changes", "reason", "acquired"))
                    .isNotNegative();
            for (String read : List.of("window", "sweep", "adopt", "scout")) {
                assertThat(count(registry, "delayjob.preload.rows", "read", read))
                        .isZero();
            }
        });
    }

    @Test
    void errorsOfEachRole_areThereAtZero() {
        RolesOnly started = new RolesOnly();
        measured()
                .withBean(DelayJobThreads.class, () -> new DelayJobThreads(started, Runnable::run, Runnable::run))
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .get("delayjob.store.errors")
                                .counters())
                        .allMatch(counter -> counter.count() == 0)
                        .extracting(counter -> counter.getId().getTag("role"))
                        .containsExactlyInAnyOrderElementsOf(started.roles));
    }

    /** Notes whom it should run, and runs nobody. */
    private static final class RolesOnly implements AgentRunner {
        private final Set<String> roles = new HashSet<>();

        @Override
        public AgentHandle start(Agent agent) {
            // That one logs its own failures, and the engine does not know it.
            if (!agent.roleName().equals("declared-schedules")) {
                roles.add(agent.roleName());
            }
            return new AgentHandle() {
                @Override
                public void wake() {}

                @Override
                public void stop() {}
            };
        }
    }

    @Test
    void trouble_isCounted() {
        measured().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            JobListeners listeners = context.getBean(JobListeners.class);
            listeners.tell(listener -> listener.adopted(2));
            listeners.tell(listener -> listener.rescued(List.of(new JobId(new UUID(1, 2)))));
            listeners.tell(listener -> listener.leaseEnded(new Partition("default", 0), "expired"));
            listeners.tell(listener -> listener.agentFailed("sweep", new IllegalStateException()));
            assertThat(registry.get("delayjob.adopted").counter().count()).isEqualTo(2);
            assertThat(registry.get("delayjob.rescued").counter().count()).isOne();
            assertThat(count(registry, "delayjob.lease.changes", "reason", "expired"))
                    .isOne();
            assertThat(count(registry, "delayjob.store.errors", "role", "sweep"))
                    .isOne();
        });
    }

    @Test
    void followersOfChains_areCounted() {
        measured().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            jobs.schedule(Work::succeed).then("foreign").now();
            jobs.schedule(Work::failTwice).then(Work::succeed).now();
            jobs.schedule(Work::failTwice).thenAlways(Work::succeed).now();
            await().untilAsserted(() -> {
                assertThat(count(registry, "delayjob.followers", "handler", "UNKNOWN"))
                        .isOne();
                assertThat(count(registry, "delayjob.followers", "handler", "succeed"))
                        .isOne();
                assertThat(count(registry, "delayjob.failed", "handler", "fail-twice"))
                        .isEqualTo(2);
            });
            assertThat(count(registry, "delayjob.followers", "handler", "succeed"))
                    .isOne();
        });
    }

    @Test
    void groups_areCountedWhenTheyEnd_byOutcome() {
        measured().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            jobs.schedule(Work::succeed).group("succeeding").now();
            jobs.schedule(Work::succeed).group("failing").now();
            jobs.schedule(Work::failTwice).group("failing").now();
            jobs.schedule(Work::succeed).group("cancelled").now();
            for (String group : List.of("succeeding", "failing")) {
                jobs.group(group).close();
            }
            jobs.group("cancelled").cancel();
            jobs.schedule(Work::succeed).group("open").now();

            await().untilAsserted(() -> {
                for (String outcome : List.of("FINISHED", "FAILED", "CANCELLED")) {
                    assertThat(count(registry, "delayjob.groups.ended", "outcome", outcome))
                            .as(outcome)
                            .isOne();
                }
            });
        });
    }

    @Test
    void slotsInTheCluster_areShown_byHandlerThatHasThem() {
        measured().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            await().ignoreExceptions().untilAsserted(() -> {
                for (String name : List.of("owned", "max")) {
                    assertThat(registry.get("delayjob.cluster.slots." + name).gauges())
                            .singleElement()
                            .satisfies(gauge -> {
                                assertThat(gauge.getId().getTag("handler")).isEqualTo("limited");
                                assertThat(gauge.value()).isEqualTo(3);
                            });
                }
                assertThat(gauge(registry, "delayjob.cluster.slots.blocked")).isZero();
            });
            assertThat(gauge(registry, "delayjob.cluster.slots.active")).isZero();
        });
    }

    @Test
    void engine_isShown() {
        measured().run(context -> {
            SimpleMeterRegistry registry = context.getBean(SimpleMeterRegistry.class);
            context.getBean(EngineMeters.class).bindTo(registry);
            context.getBean(DelayJobOperations.class).schedule(Work::succeed).now();
            context.getBean(Work.class).await();
            assertThat(gauge(registry, "delayjob.wheel.size")).isNotNegative();
            assertThat(registry.get("delayjob.wheel.occupancy").gauges()).hasSize(8);
            assertThat(registry.get("delayjob.wheel.cascades").functionCounter().count())
                    .isNotNegative();
            assertThat(registry.get("delayjob.wheel.lag").timeGauge().value()).isNotNegative();
            // A job that was handed over runs without a lease, and its end may not be written yet.
            await().untilAsserted(() ->
                    assertThat(gauge(registry, "delayjob.lease.held")).isPositive());

            await().untilAsserted(() ->
                    assertThat(gauge(registry, "delayjob.unwritten")).isZero());
            assertThat(gauge(registry, "delayjob.ready")).isZero();
            assertThat(gauge(registry, "delayjob.mutex.waiting")).isZero();
            context.getBean(StoreMeters.class).bindTo(registry);
            assertThat(registry.get("delayjob.oldest.due.age").timeGauge().value())
                    .isZero();
            assertThat(registry.get("delayjob.clock.skew").timeGauge().value(TimeUnit.SECONDS))
                    .as("memory's store time is this machine's")
                    .isBetween(-5.0, 5.0);
            assertThat(gauge(registry, "delayjob.workers.max")).isEqualTo(5);
            assertThat(gauge(registry, "delayjob.workers.active")).isNotNegative();
        });
    }

    @Test
    void store_isTimedByOperation() {
        measured().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean(DelayJobOperations.class).schedule(Work::succeed).now();
            context.getBean(Work.class).await();
            assertThat(store(registry, "submit", "none").count()).isOne();
            assertThat(store(registry, "claim", "none").count()).isPositive();
            // Other roles than the one that has called the handler may still be on their way.
            await().untilAsserted(() -> assertThat(
                            registry.get("delayjob.store").timers())
                    .extracting(timer -> timer.getId().getTag("operation"))
                    .contains("register", "beat", "complete", "partitionsInUse")
                    .doesNotContain("instances", "capabilities", "maxPayloadBytes", "toString", "hashCode"));
        });
    }

    @Test
    void statistics_areTimed() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        MeasuredStore.of(mock(JobStore.class), registry, Tags.empty()).recordMinutes(1, List.of());

        assertThat(store(registry, "recordMinutes", "none").count()).isOne();
    }

    @Test
    void failuresOfTheStore_areTimedApart_andArriveAsTheyWere() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        StoreException away = StoreException.unavailable("away", new IllegalStateException());
        JobStore store = mock(JobStore.class);
        when(store.partitionsInUse()).thenThrow(away);
        assertThatThrownBy(() -> MeasuredStore.of(store, registry, Tags.empty()).partitionsInUse())
                .isSameAs(away);
        assertThat(store(registry, "partitionsInUse", "StoreException").count()).isOne();
    }

    private static Timer store(MeterRegistry registry, String operation, String exception) {
        return registry.get("delayjob.store")
                .tags("operation", operation, "exception", exception)
                .timer();
    }

    private static double count(MeterRegistry registry, String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private static double gauge(MeterRegistry registry, String name) {
        return registry.get(name).gauge().value();
    }

    @Test
    void attempts_areObserved() {
        TestObservationRegistry registry = TestObservationRegistry.create();
        contexts.withBean(ObservationRegistry.class, () -> registry).run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            Work work = context.getBean(Work.class);
            jobs.schedule(Work::succeed).now();
            work.await();
            TestObservationRegistryAssert.assertThat(registry)
                    .hasSingleObservationThat()
                    .hasNameEqualTo("delayjob.execution")
                    .hasContextualNameEqualTo("delayjob succeed")
                    .hasLowCardinalityKeyValue("handler", "succeed")
                    .hasLowCardinalityKeyValue("queue", "default")
                    .hasLowCardinalityKeyValue("outcome", "SUCCEEDED")
                    .hasHighCardinalityKeyValueWithKey("job.id")
                    .hasBeenStarted()
                    .hasBeenStopped();
        });
    }

    @Test
    void failuresAndStages_areObserved() {
        TestObservationRegistry registry = TestObservationRegistry.create();
        contexts.withBean(ObservationRegistry.class, () -> registry).run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            Work work = context.getBean(Work.class);
            jobs.schedule(Work::failTwice).now();
            work.await();
            jobs.schedule(Work::stopLater).now();
            work.stage.complete(Next.stop());
            work.await();
            TestObservationRegistryAssert.assertThat(registry)
                    .hasAnObservation(observation -> observation
                            .hasLowCardinalityKeyValue("outcome", "FAILED")
                            .hasError())
                    .hasAnObservation(observation -> observation
                            .hasLowCardinalityKeyValue("handler", "stop-later")
                            .hasLowCardinalityKeyValue("outcome", "STOPPED"));
        });
    }

    /** Handlers, and a latch for the end of each job. */
    static class Work implements JobListener {
        private final CompletableFuture<Next> stage = new CompletableFuture<>();
        private volatile CountDownLatch ended = new CountDownLatch(1);

        @DelayedJob("succeed")
        void succeed() {}

        @DelayedJob(name = "limited", concurrency = 3, scope = ConcurrencyScope.CLUSTER)
        void limited() {}

        @DelayedJob(name = "fail-twice", retry = @Retry(gaps = "1ms"))
        void failTwice() {
            throw new IllegalStateException("again");
        }

        @DelayedJob(name = "stop-later", formerNames = "stop-soon")
        CompletionStage<Next> stopLater() {
            return stage;
        }

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            if (next instanceof Transition.Ended) {
                ended.countDown();
            }
        }

        void await() throws InterruptedException {
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            ended = new CountDownLatch(1);
        }
    }
}
