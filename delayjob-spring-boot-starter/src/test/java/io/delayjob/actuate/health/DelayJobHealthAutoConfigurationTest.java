package io.delayjob.actuate.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobEngine;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.status.EngineStatus;
import io.delayjob.status.UnhandledName;
import io.delayjob.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DelayJobHealthAutoConfigurationTest {

    private static final JobStore STORE = new MemoryJobStore(() -> 0);

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DelayJobHealthAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory", "delayjob.instance-id=me");

    @Test
    void runningEngine_isUp() {
        contexts.run(context -> {
            Health health = context.getBean("delayJobsHealthIndicator", DelayJobsHealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsKeys("partitions", "instances", "waiting", "wheelLag");
            assertThat(health.getDetails().get("incarnation")).asString().startsWith("me#");
            assertThat(health.getDetails())
                    .containsEntry("store", STORE.toString())
                    .containsEntry("durability", "jobs are lost when this process ends");
        });
    }

    @Test
    void stoppedEngine_isOutOfService() {
        contexts.run(context -> {
            context.getBean(DelayJobEngine.class).stop();
            assertThat(context.getBean(DelayJobsHealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.OUT_OF_SERVICE);
        });
    }

    @Test
    void indicator_canBeSwitchedOff() {
        contexts.withPropertyValues("management.health.delayjobs.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(DelayJobsHealthIndicator.class));
    }

    @Test
    void troubleLongerThanALease_isDown() {
        DelayJobsHealthIndicator indicator =
                new DelayJobsHealthIndicator(() -> failing(Duration.ofSeconds(11)), STORE, Duration.ofSeconds(10));
        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(indicator.health().getDetails().get("troubles"))
                .isEqualTo(Map.of("sweep", "for PT11S: connection refused"));
    }

    @Test
    void troubleThatMayPass_isUpAndShown() {
        DelayJobsHealthIndicator indicator =
                new DelayJobsHealthIndicator(() -> failing(Duration.ofSeconds(10)), STORE, Duration.ofSeconds(10));
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
        assertThat(indicator.health().getDetails()).containsKey("troubles");
    }

    @Test
    void names_areCapped_andTheOthersAreCounted() {
        List<UnhandledName> unhandled = IntStream.range(0, 200)
                .mapToObj(i -> new UnhandledName("name-" + i, 1, false, Instant.EPOCH))
                .toList();
        Set<String> queuesLeft =
                IntStream.range(0, 60).mapToObj(i -> "queue-" + i).collect(Collectors.toSet());
        DelayJobsHealthIndicator indicator = new DelayJobsHealthIndicator(
                () -> status(unhandled, queuesLeft, List.of()), STORE, Duration.ofSeconds(10));

        Map<String, Object> details = indicator.health().getDetails();

        assertThat(details.get("unhandled"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .hasSize(51)
                .containsKey("name-0")
                .containsEntry("…", "150 more names");
        assertThat(details.get("queuesBeyondMaximum"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(51)
                .contains("queue-0")
                .endsWith("10 more");
    }

    private static EngineStatus failing(Duration lasting) {
        return status(List.of(), Set.of(), List.of(new EngineStatus.Trouble("sweep", lasting, "connection refused")));
    }

    private static EngineStatus status(
            List<UnhandledName> unhandled, Set<String> queuesLeft, List<EngineStatus.Trouble> troubles) {
        return new EngineStatus(
                true,
                "me",
                1,
                List.of(new Partition("default", 0)),
                List.of(),
                0,
                0,
                0,
                List.of(),
                Paused.NOTHING,
                unhandled,
                queuesLeft,
                0,
                Map.of(),
                Map.of(),
                0,
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                0,
                Duration.ZERO,
                troubles);
    }
}
