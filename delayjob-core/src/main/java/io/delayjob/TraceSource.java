package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Returns the trace of a call that schedules jobs. The trace is stored with the jobs, so that their attempts can be
 * linked to it. The caller's thread calls this method, which must be thread-safe.
 */
@FunctionalInterface
public interface TraceSource {

    /** A source without a trace. */
    TraceSource NONE = () -> null;

    /** Returns the span of this thread as a W3C {@code traceparent}; {@code null} without a span. */
    @Nullable
    String current();
}
