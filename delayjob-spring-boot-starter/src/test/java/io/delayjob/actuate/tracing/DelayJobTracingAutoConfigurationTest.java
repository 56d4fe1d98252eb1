package io.delayjob.actuate.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.TraceSource;
import io.delayjob.actuate.metrics.DelayJobObservationAutoConfiguration;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobJdbcAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.event.JobListener;
import io.delayjob.handler.JobContext;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.exporter.FinishedSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DelayJobTracingAutoConfigurationTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobObservationAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DelayJobTracingAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    MicrometerTracingAutoConfiguration.class,
                    ObservationAutoConfiguration.class))
            .withUserConfiguration(Work.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    private ApplicationContextRunner traced() {
        return contexts.withBean(Tracer.class, SimpleTracer::new);
    }

    @Test
    void attempts_areLinkedToTheSpanThatScheduledThem_andNoChildrenOfIt() {
        traced().run(context -> {
            Span scheduling = schedule(context);
            List<FinishedSpan> attempts = attempts(context);

            assertThat(attempts).hasSize(2).allSatisfy(attempt -> {
                assertThat(attempt.getName()).isEqualTo("delayjob work");
                assertThat(attempt.getKind()).isEqualTo(Span.Kind.CONSUMER);
                assertThat(attempt.getTags()).containsEntry("handler", "work");
                assertThat(attempt.getParentId()).isNullOrEmpty();
                assertThat(attempt.getTraceId())
                        .isNotEqualTo(scheduling.context().traceId());
                assertThat(attempt.getLinks())
                        .extracting(Link::getTraceContext)
                        .extracting(TraceContext::spanId)
                        .containsExactly(scheduling.context().spanId());
            });
            assertThat(attempts.get(0).getError()).hasMessage("again");
            assertThat(attempts.get(1).getError()).isNull();
        });
    }

    /** Schedules a job within a span, and waits for its end. */
    private static Span schedule(AssertableApplicationContext context) throws InterruptedException {
        Tracer tracer = context.getBean(Tracer.class);
        Span scheduling = tracer.nextSpan().name("POST /orders").start();
        try (Tracer.SpanInScope scope = tracer.withSpan(scheduling)) {
            context.getBean(DelayJobOperations.class).schedule(Work::work).now();
        }
        context.getBean(Work.class).await();
        return scheduling;
    }

    private static List<FinishedSpan> attempts(AssertableApplicationContext context) {
        return context.getBean(SimpleTracer.class).getSpans().stream()
                .filter(span -> !"POST /orders".equals(span.getName()))
                .<FinishedSpan>map(span -> span)
                .toList();
    }

    @Test
    void handler_worksWithinTheAttemptsSpan_andKnowsTheOther() {
        traced().run(context -> {
            Span scheduling = schedule(context);
            Work work = context.getBean(Work.class);
            assertThat(work.within)
                    .isIn(attempts(context).stream()
                            .map(FinishedSpan::getSpanId)
                            .toList());
            assertThat(work.trace).contains(scheduling.context().spanId());
        });
    }

    @Test
    void jobsScheduledOutsideOfAnySpan_haveTracesWithoutLinks() {
        traced().run(context -> {
            context.getBean(DelayJobOperations.class).schedule(Work::work).now();
            context.getBean(Work.class).await();
            assertThat(attempts(context))
                    .hasSize(2)
                    .allSatisfy(span -> assertThat(span.getLinks()).isEmpty());
        });
    }

    @Test
    void tracerThatDoesNothing_leavesNoTraceInTheRow() {
        contexts.withConfiguration(AutoConfigurations.of(NoopTracerAutoConfiguration.class))
                .run(context ->
                        assertThat(context.getBean(TraceSource.class).current()).isNull());
    }

    @Test
    void withoutTracer_thereIsNothing() {
        contexts.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(TraceSource.class)
                .doesNotHaveBean(JobTracingObservationHandler.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"4bf92f3577b34da6", "0af7651916cd43dd8448eb211c80319c"})
    void traceParent_survivesItsTextForm(String traceId) {
        SimpleTracer tracer = new SimpleTracer();
        for (boolean sampled : new boolean[] {true, false}) {
            TraceContext span = tracer.traceContextBuilder()
                    .traceId(traceId)
                    .spanId("b7ad6b7169203331")
                    .sampled(sampled)
                    .build();
            TraceParent stored = TraceParent.of(span).orElseThrow();
            assertThat(stored.toString()).matches("00-[0-9a-f]{32}-b7ad6b7169203331-0[01]");
            assertThat(TraceParent.parse(stored.toString())).contains(stored);
            TraceContext read = stored.toContext(tracer);
            assertThat(read.traceId()).endsWith(traceId).hasSize(32);
            assertThat(read.spanId()).isEqualTo("b7ad6b7169203331");
            assertThat(read.sampled()).isEqualTo(sampled);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "00-1-2-01", "b7ad6b7169203331", "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"})
    void textsThatAreNoTraceParents_areNone(String text) {
        assertThat(TraceParent.parse(text)).isEmpty();
    }

    /** Fails once. */
    static class Work implements JobListener {
        private final Tracer tracer;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile String within;
        private volatile String trace;

        Work(@Nullable Tracer tracer) {
            this.tracer = tracer;
        }

        @DelayedJob(name = "work", retry = @Retry(gaps = "1ms"))
        void work(JobContext job) {
            if (job.failures() == 0) {
                throw new IllegalStateException("again");
            }
            within = tracer.currentSpan().context().spanId();
            trace = job.trace();
        }

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            if (next instanceof Transition.Ended) {
                ended.countDown();
            }
        }

        void await() throws InterruptedException {
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
