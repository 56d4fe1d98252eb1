package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SettingsWarningsTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    LifecycleAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory");

    @Test
    void livenessThatIsMeantToCoverHandlers_isWarnedOf(CapturedOutput output) {
        contexts.withPropertyValues("delayjob.liveness=30m")
                .run(context -> assertThat(output)
                        .contains("delayjob.liveness is PT30M, which is long: if an instance dies, other instances "
                                + "repeat its jobs only after this time. Long handlers do not need a long "
                                + "liveness. Set delayjob.liveness to the longest time that a healthy "
                                + "instance may stand still, such as 10s."));
    }

    @Test
    void graceOfHandlersBeyondThatOfTheApplication_isWarnedOf(CapturedOutput output) {
        contexts.withPropertyValues("delayjob.shutdown.await=30s")
                .run(context -> assertThat(output)
                        .contains("delayjob.shutdown.await is PT30S, but "
                                + "spring.lifecycle.timeout-per-shutdown-phase is PT30S, so the application "
                                + "may close the database while handlers still run. Set "
                                + "delayjob.shutdown.await to a shorter time than "
                                + "spring.lifecycle.timeout-per-shutdown-phase."));
    }

    @Test
    void defaults_areFine(CapturedOutput output) {
        contexts.run(context -> assertThat(output).doesNotContain("delayjob.liveness", "delayjob.shutdown.await"));
    }
}
