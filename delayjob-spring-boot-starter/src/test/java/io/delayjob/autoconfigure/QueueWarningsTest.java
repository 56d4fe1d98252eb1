package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.annotation.DelayedJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Names of queues that differ between handlers and configuration. */
@ExtendWith(OutputCaptureExtension.class)
class QueueWarningsTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory")
            .withBean(Reports.class);

    @Test
    void queueThatIsNotConfiguredWhileOthersAre_isWarnedOfWithTheMostAlike(CapturedOutput output) {
        contexts.withPropertyValues("delayjob.queues.report.concurrency=2")
                .run(context -> assertThat(output)
                        .contains("Queue 'reports' of handler 'monthly-report' is not configured, although "
                                + "other queues are configured. It gets the default of 16 slots. The most similar "
                                + "configured queue is 'report'.")
                        .contains("Queue 'report' is configured, but no handler of this instance uses it. Its "
                                + "2 slots serve only jobs that callers send to it. The most similar "
                                + "declared queue is 'reports'."));
    }

    @Test
    void queuesThatMatch_areFine(CapturedOutput output) {
        contexts.withPropertyValues("delayjob.queues.reports.concurrency=2", "delayjob.queues.default.concurrency=4")
                .run(context -> assertThat(output).doesNotContain("WARN"));
    }

    @Test
    void defaultQueueAlone_mayBeConfigured(CapturedOutput output) {
        contexts.withPropertyValues("delayjob.queues.default.concurrency=4")
                .run(context -> assertThat(output).doesNotContain("WARN"));
    }

    @Test
    void instanceThatOnlySchedules_warnsOfNoQueue(CapturedOutput output) {
        contexts.withPropertyValues("delayjob.queues.report.concurrency=2", "delayjob.worker.enabled=false")
                .run(context -> assertThat(output).doesNotContain("WARN"));
    }

    static class Reports {
        @DelayedJob(name = "monthly-report", queue = "reports")
        void monthly() {}
    }
}
