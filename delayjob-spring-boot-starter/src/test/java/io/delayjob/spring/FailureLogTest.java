package io.delayjob.spring;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import io.delayjob.handler.Handler;
import io.delayjob.job.JobId;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.test.DelayJobTester;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class FailureLogTest {

    private static final String ERROR = "java.io.IOException: nobody there";
    private static final String THROWN_AT = "\tat " + FailureLogTest.class.getName() + ".nobodyThere(";

    private final DelayJobTester tester = DelayJobTester.builder()
            .startingAt(Instant.parse("2030-01-01T00:00:00Z"))
            .listener(new FailureLog())
            .build();

    @Test
    void failures_areLoggedWithWhatComesNext(CapturedOutput output) {
        register(RetryPolicy.gaps(ofSeconds(10), ofMinutes(1)));
        JobId id = tester.operations().schedule("send").now().id();

        tester.advance(ofMinutes(2));

        String job = "Job " + id + " (send) failed in run 1 (attempt ";
        List<String> lines = output.getOut().lines().toList();
        assertThat(lines)
                .filteredOn(line -> line.contains(job))
                .satisfiesExactly(
                        first -> assertThat(first)
                                .endsWith(job + "1). The run is tried again at 2030-01-01T00:00:10Z. The failure: "
                                        + ERROR),
                        second -> assertThat(second)
                                .endsWith(job + "2). The run is tried again at 2030-01-01T00:01:10Z. The failure: "
                                        + ERROR),
                        third -> assertThat(third)
                                .endsWith(job
                                        + "3). The job has FAILED, and can be retried by hand. The failure: "
                                        + ERROR));
        assertThat(lines)
                .as("the first and the last failure with their stack traces")
                .filteredOn(line -> line.startsWith(THROWN_AT))
                .hasSize(2);
    }

    @Test
    void failedRun_ofARepeatSaysWhenTheNextOneComes(CapturedOutput output) {
        register(RetryPolicy.none());
        tester.operations().schedule("send").repeat(Repeat.every(ofMinutes(1)));

        tester.advance(ofSeconds(90));

        assertThat(output)
                .contains(
                        "failed in run 1 (attempt 1). The run is given up, and the next run is due at 2030-01-01T00:02:00Z. The failure: "
                                + ERROR);
    }

    @Test
    void lastFailure_ofACancelledJobPromisesNoDeadLetter(CapturedOutput output) {
        tester.register(Handler.named("send").retry(RetryPolicy.none()).calls((payload, job) -> {
            tester.operations().cancel(job.id());
            return nobodyThere();
        }));
        tester.operations().schedule("send").now();

        tester.advance(ofSeconds(1));

        assertThat(output)
                .contains("failed in run 1 (attempt 1). The job was cancelled meanwhile. The failure: " + ERROR);
    }

    /** What is stored is cut; what is logged need not be. */
    @Test
    void longFailure_isLoggedToItsEndAsAnException() {
        Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        events.start();
        logger.addAppender(events);
        try {
            IOException thrown = new IOException("x".repeat(20_000), new IOException("nobody there"));
            tester.register(Handler.named("send").retry(RetryPolicy.none()).calls((payload, job) -> {
                throw thrown;
            }));
            tester.operations().schedule("send").now();
            tester.advance(ofSeconds(1));

            assertThat(events.list).singleElement().satisfies(event -> {
                assertThat(event.getThrowableProxy()).isInstanceOf(ThrowableProxy.class);
                assertThat(((ThrowableProxy) event.getThrowableProxy()).getThrowable())
                        .isSameAs(thrown);
            });
        } finally {
            logger.detachAppender(events);
        }
    }

    @Test
    void exceptionThatCannotDescribeItself_isLoggedAllTheSame(CapturedOutput output) {
        tester.register(Handler.named("send").retry(RetryPolicy.none()).calls((payload, job) -> {
            throw new RuntimeException() {
                private static final long serialVersionUID = 1;

                @Override
                public String getMessage() {
                    throw new IllegalStateException();
                }
            };
        }));
        tester.operations().schedule("send").now();
        tester.advance(ofSeconds(1));

        assertThat(output).contains("failed in run 1 (attempt 1)", "(the exception cannot describe itself)");
    }

    private void register(RetryPolicy retry) {
        tester.register(Handler.named("send").retry(retry).calls((payload, job) -> nobodyThere()));
    }

    private static Object nobodyThere() throws IOException {
        throw new IOException("nobody there");
    }
}
