package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Handlers whose jobs would be stranded by a refactoring. */
@ExtendWith(OutputCaptureExtension.class)
class UnnamedHandlersTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory");

    @Test
    void handlersWithoutAName_areWarnedOfOnceWithWhatToWrite(CapturedOutput output) {
        contexts.withBean(Unnamed.class)
                .run(context -> assertThat(output.getOut().lines())
                        .filteredOn(line -> line.contains("WARN"))
                        .singleElement()
                        .asString()
                        .contains(
                                "These handlers have no name of their own: Unnamed.bill, Unnamed.remind.",
                                "@DelayedJob(name = \"Unnamed.bill\")"));
    }

    @Test
    void namedHandlers_areFine(CapturedOutput output) {
        contexts.withBean(Named.class).run(context -> assertThat(output).doesNotContain("no name of their own"));
    }

    static class Unnamed {
        @DelayedJob
        void bill(long orderId) {}

        @DelayedJob
        void remind(long orderId) {}
    }

    static class Named {
        @DelayedJob("bill")
        void bill(long orderId) {}
    }
}
