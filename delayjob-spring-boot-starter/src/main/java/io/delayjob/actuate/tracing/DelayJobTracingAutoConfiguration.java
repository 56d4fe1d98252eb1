package io.delayjob.actuate.tracing;

import io.delayjob.DelayJobEngine;
import io.delayjob.TraceSource;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** Links attempts to the calls that scheduled their jobs, if the application has a {@link Tracer}. */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
        })
@ConditionalOnClass(Tracer.class)
@ConditionalOnBean({DelayJobEngine.class, Tracer.class})
public final class DelayJobTracingAutoConfiguration {

    /**
     * This handler comes before Spring Boot's handlers, because the last of Spring Boot's handlers supports all
     * contexts.
     */
    private static final int HANDLER_ORDER = 500;

    @Bean
    @ConditionalOnMissingBean
    TraceSource delayJobTraceSource(ObjectProvider<Tracer> tracer) {
        return () -> Optional.ofNullable(tracer.getObject().currentSpan())
                .map(Span::context)
                .flatMap(TraceParent::of)
                .map(TraceParent::toString)
                .orElse(null);
    }

    @Bean
    @ConditionalOnMissingBean
    @Order(HANDLER_ORDER)
    JobTracingObservationHandler delayJobTracingObservationHandler(Tracer tracer) {
        return new JobTracingObservationHandler(tracer);
    }
}
