package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Returns the trace of a call that schedules jobs. The trace is stored with the jobs, so that their attempts can be
 * linked to the trace, even months later. The caller's thread calls this method, which must be thread-safe.
 */
@FunctionalInterface
public interface TraceSource {

    /** A source for an application without tracing; it returns no trace. */
    TraceSource NONE = () -> null;

    /** Returns the span of this thread as a W3C {@code traceparent}, or {@code null} if the thread has no span. */
    @Nullable
    String current();
}
