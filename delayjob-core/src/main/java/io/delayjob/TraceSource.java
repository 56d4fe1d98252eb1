package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Tells the trace of a call that schedules jobs. The trace is stored with the jobs, so that their attempts, minutes
 * or months later, can be linked to it. Called on the caller's thread; thread-safe.
 */
@FunctionalInterface
public interface TraceSource {

    /** The source of an application that traces nothing. */
    TraceSource NONE = () -> null;

    /** Returns the present span of this thread as a W3C {@code traceparent}, or {@code null} if there is none. */
    @Nullable
    String current();
}
