package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.health.DelayJobHealthAutoConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Jobs whose handler was renamed, and nobody noticed. */
@ExtendWith(OutputCaptureExtension.class)
class UnhandledJobsTest {

    @Test
    void jobsThatNoInstanceHandles_areWarnedOfAndShownByHealth(CapturedOutput output) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DelayJobAutoConfiguration.class,
                        DelayJobMemoryAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class,
                        DelayJobHealthAutoConfiguration.class))
                .withUserConfiguration(Leftovers.class)
                .withPropertyValues("delayjob.store=memory", "delayjob.heartbeat=50ms", "delayjob.liveness=150ms")
                .run(context -> await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                    Health shown = context.getBean(HealthIndicator.class).health();
                    assertThat(shown.getStatus()).isEqualTo(Status.UP);
                    assertThat(shown.getDetails()).containsKey("unhandled");
                    assertThat(shown.getDetails().get("unhandled"))
                            .asString()
                            .startsWith("{send-invoice=2 jobs, the earliest due at ");
                    assertThat(output.getOut().lines())
                            .filteredOn(line -> line.contains("'send-invoice' (2 jobs, the earliest due at "))
                            .singleElement()
                            .asString()
                            .contains("WARN", "no instance has a handler", "formerNames");
                }));
    }

    @Configuration(proxyBeanMethods = false)
    static class Leftovers {

        @Bean
        SmartInitializingSingleton leftovers(DelayJobOperations jobs) {
            return () -> {
                jobs.schedule("send-invoice").after(Duration.ofDays(30));
                jobs.schedule("send-invoice").after(Duration.ofDays(31));
            };
        }
    }
}
