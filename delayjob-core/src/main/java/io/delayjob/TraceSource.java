package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Returns the trace of a call that schedules jobs. The trace is stored with the jobs, so that their attempts can be
 * linked to it, even months later. Called on the caller's thread; thread-safe.
 */
@FunctionalInterface
public interface TraceSource {

    /** The source of an application without tracing. */
    TraceSource NONE = () -> null;

    /** Returns the present span of this thread as a W3C {@code traceparent}, or {@code null} if there is none. */
    @Nullable
    String current();
}
