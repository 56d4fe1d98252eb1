package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@ExtendWith(OutputCaptureExtension.class)
class UnknownSettingsTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory");

    @ParameterizedTest
    @CsvSource({
        "delayjob.queues.default.concurency, delayjob.queues.default.concurrency",
        "delayjob.wroker.enabled, delayjob.worker.enabled",
        "delayjob.lease.duratoin, delayjob.lease.duration",
        "delayjob.queues.a.b.enabled, delayjob.queues.a.enabled"
    })
    void mistypedKey_isWarnedOfOnce(String key, String similar, CapturedOutput output) {
        contexts.withPropertyValues(key + "=1")
                .run(context -> assertThat(output)
                        .containsOnlyOnce("Unknown property " + key + " is ignored. The most similar known property is "
                                + similar + ". Correct or remove the unknown property."));
    }

    @Test
    void mistypedVariable_isWarnedOf(CapturedOutput output) {
        withVariables(Map.of("DELAYJOB_CLAIM_LAED", "1ms"))
                .run(context -> assertThat(output).contains("Unknown property delayjob.claim.laed is ignored."));
    }

    @Test
    void relaxedKeys_areKnown(CapturedOutput output) {
        withVariables(Map.of(
                        "DELAYJOB_CLAIM_LEAD", "1ms",
                        "DELAYJOB_MAXQUEUES", "8",
                        "DELAYJOB_ENDPOINT_ROLES_0", "ADMIN",
                        "DELAYJOB_QUEUES_MAIL_CONCURRENCY", "3"))
                .withPropertyValues(
                        "delayjob.maxSnooze=2d",
                        "delayjob.interrupt_grace=4s",
                        "delayjob.queues[a.b].enabled=true",
                        "delayjob.endpoint.roles[1]=OPS",
                        "delayjob.jdbc.table-prefix=x_",
                        "delayjob.test.starting-at=2030-01-01T00:00:00Z")
                .run(context -> assertThat(output).doesNotContain("Unknown property"));
    }

    @Test
    void keysThatTheApplicationBinds_areKnown(CapturedOutput output) {
        contexts.withUserConfiguration(Own.class)
                .withPropertyValues("delayjob.shop.colour=red")
                .run(context -> assertThat(output).doesNotContain("Unknown property"));
    }

    private ApplicationContextRunner withVariables(Map<String, Object> variables) {
        return contexts.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
    }

    @EnableConfigurationProperties(Shop.class)
    static class Own {}

    @ConfigurationProperties("delayjob.shop")
    record Shop(String colour) {}
}
