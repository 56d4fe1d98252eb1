package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.http.Receiver.Received;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import io.delayjob.test.DelayJobTester;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.restclient.autoconfigure.RestClientObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** The client of a target is Spring Boot's own: customized, filtered and traced as the application's others are. */
class ClientOfATargetTest {

    private static final String FILTER = "org.springframework.boot.http.client.InetAddressFilter";

    private final Receiver receiver = new Receiver();

    @AfterEach
    void close() {
        receiver.close();
    }

    private ApplicationContextRunner contexts() {
        return VirtualEngine.contexts()
                .withPropertyValues(
                        "delayjob.targets.billing.http.url=" + receiver.url(),
                        "delayjob.targets.billing.http.insecure=true",
                        "delayjob.targets.billing.retry.max-retries=0");
    }

    private static JobState called(DelayJobTester tester) {
        tester.tolerateFailures();
        var id = tester.operations().schedule("billing").now().id();
        tester.runDue();
        return tester.operations().find(id).orElseThrow().state();
    }

    @Test
    void customizer_changesTheClientOfEachTarget() {
        contexts()
                .withBean(
                        TargetCustomizer.class,
                        () -> (target, client) -> client.defaultHeader("X-Caller", "shop-" + target)
                                .defaultHeader("webhook-id", "forged"))
                .run(context -> {
                    called(context.getBean(DelayJobTester.class));
                    Received received = receiver.next();
                    assertThat(received.header("X-Caller")).isEqualTo("shop-billing");
                    assertThat(received.header("webhook-id")).doesNotContain("forged");
                });
    }

    @Test
    void withoutSpringBootsClient_aPlainClientIsUsed() {
        new ApplicationContextRunner()
                .withUserConfiguration(VirtualEngine.class)
                .withConfiguration(AutoConfigurations.of(
                        io.delayjob.autoconfigure.DelayJobAutoConfiguration.class,
                        io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration.class,
                        io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration.class,
                        DelayJobHttpAutoConfiguration.class))
                .withPropertyValues(
                        "delayjob.store=memory",
                        "delayjob.targets.billing.http.url=" + receiver.url(),
                        "delayjob.targets.billing.http.insecure=true")
                .run(context -> assertThat(called(context.getBean(DelayJobTester.class)))
                        .isEqualTo(JobState.FINISHED));
    }

    static boolean hasAddressFilter() {
        return ClassUtils.isPresent(FILTER, null);
    }

    private ApplicationContextRunner filtered() throws ReflectiveOperationException {
        Object external = Class.forName(FILTER).getMethod("externalAddresses").invoke(null);
        return contexts().withInitializer(context -> context.getBeanFactory().registerSingleton("filter", external));
    }

    @Test
    @EnabledIf("hasAddressFilter")
    void filterOfAddresses_appliesToTargets() throws Exception {
        filtered().run(context -> {
            assertThat(called(context.getBean(DelayJobTester.class))).isEqualTo(JobState.FAILED);
            assertThat(receiver.waiting()).isZero();
        });
    }

    @ParameterizedTest
    @EnabledIf("hasAddressFilter")
    @ValueSource(
            strings = {
                "127.0.0.1",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "0.0.0.0",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "[fd00::1]",
                "[fe80::1]"
            })
    void privateAddress_isRefusedByTheFilter_withoutAConnection(String address) throws Exception {
        filtered()
                .withPropertyValues("delayjob.targets.billing.http.url=http://" + address + ":9")
                .run(context -> {
                    DelayJobTester tester = context.getBean(DelayJobTester.class);
                    assertThat(called(tester)).isEqualTo(JobState.FAILED);
                    assertThat(tester.operations().stream(JobQuery.state(JobState.FAILED))
                                    .map(job -> job.failure().message()))
                            .containsExactly("Target 'billing' could not be called: FilteredHostException");
                    assertThat(tester.operations().stream(JobQuery.state(JobState.FAILED))
                                    .map(job -> job.failure().stackTrace()))
                            .noneMatch(trace -> trace.contains(address));
                });
    }

    @Test
    void classesOfLaterSpringBootVersions_areNotNeeded() {
        contexts()
                .withClassLoader(new FilteredClassLoader(FILTER))
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** The trace of the attempt goes on at the receiver. */
    @Test
    void traceparent_belongsToTheAttempt() throws Exception {
        SimpleTracer tracer = new SimpleTracer();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig()
                .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
                        new PropagatingSenderTracingObservationHandler<>(tracer, new TraceParents()),
                        new DefaultTracingObservationHandler(tracer)));
        contexts()
                .withConfiguration(AutoConfigurations.of(
                        RestClientObservationAutoConfiguration.class,
                        Class.forName("io.delayjob.actuate.metrics.DelayJobObservationAutoConfiguration")))
                .withBean(ObservationRegistry.class, () -> registry)
                .withBean(Tracer.class, () -> tracer)
                .run(context -> {
                    assertThat(called(context.getBean(DelayJobTester.class))).isEqualTo(JobState.FINISHED);
                    String traceparent = receiver.next().header("traceparent");
                    assertThat(tracer.getSpans()).hasSize(2);
                    TraceContext attempt = tracer.getSpans().stream()
                            .filter(span -> span.getName().equals("delayjob billing"))
                            .findFirst()
                            .orElseThrow()
                            .context();
                    assertThat(traceparent).startsWith("00-" + attempt.traceId() + "-");
                });
    }

    /** W3C's header, as the bridges to Brave and OpenTelemetry write it. */
    private static final class TraceParents implements Propagator {

        @Override
        public List<String> fields() {
            return List.of("traceparent");
        }

        @Override
        public <C> void inject(TraceContext context, C carrier, Setter<C> setter) {
            setter.set(carrier, "traceparent", "00-" + context.traceId() + "-" + context.spanId() + "-01");
        }

        @Override
        public <C> io.micrometer.tracing.Span.Builder extract(C carrier, Getter<C> getter) {
            throw new UnsupportedOperationException();
        }
    }
}
