package io.delayjob.actuate.tracing;

import io.delayjob.actuate.metrics.JobObservationContext;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import java.util.Optional;

/**
 * Gives each attempt a trace of its own, with a link to the span that scheduled the job. A job may repeat for years, so
 * a child span would make an endless trace.
 */
final class JobTracingObservationHandler implements TracingObservationHandler<JobObservationContext> {

    private final Tracer tracer;

    JobTracingObservationHandler(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void onStart(JobObservationContext context) {
        Span.Builder span = tracer.spanBuilder().setNoParent().kind(Span.Kind.CONSUMER);
        Optional.ofNullable(context.getJob().trace())
                .flatMap(TraceParent::parse)
                .ifPresent(scheduling -> span.addLink(new Link(scheduling.toContext(tracer))));
        getTracingContext(context).setSpan(span.start());
    }

    @Override
    public void onStop(JobObservationContext context) {
        Span span = getRequiredSpan(context);
        span.name(getSpanName(context));
        tagSpan(context, span);
        endSpan(context, span);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof JobObservationContext;
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }
}
