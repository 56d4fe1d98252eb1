package io.delayjob.actuate.tracing;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A span in the text form of W3C's {@code traceparent}. Jobs always store this form, because another application may
 * run the jobs.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 */
record TraceParent(String traceId, String spanId, boolean sampled) {

    private static final int TRACE_ID_LENGTH = 32;

    private static final Pattern TEXT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private static final int SAMPLED_FLAG = 1;

    /** The result is empty for a no-op span, because such a span has no id. */
    static Optional<TraceParent> of(TraceContext span) {
        String traceId = "0".repeat(Math.max(0, TRACE_ID_LENGTH - span.traceId().length())) + span.traceId();
        return parse(
                "00-%s-%s-%s".formatted(traceId, span.spanId(), Boolean.TRUE.equals(span.sampled()) ? "01" : "00"));
    }

    static Optional<TraceParent> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        boolean sampled = (Integer.parseInt(parts.group(3), 16) & SAMPLED_FLAG) != 0;
        return Optional.of(new TraceParent(parts.group(1), parts.group(2), sampled));
    }

    TraceContext toContext(Tracer tracer) {
        return tracer.traceContextBuilder()
                .traceId(traceId)
                .spanId(spanId)
                .sampled(sampled)
                .build();
    }

    @Override
    public String toString() {
        return "00-%s-%s-%s".formatted(traceId, spanId, sampled ? "01" : "00");
    }
}
