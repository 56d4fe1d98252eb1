package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Tells which trace a call that schedules jobs belongs to. It is stored with the jobs, so that their attempts, minutes
 * or months later, can be linked to it. Asked on the caller's thread; thread-safe.
 */
@FunctionalInterface
public interface TraceSource {

    /** Where nothing is traced. */
    TraceSource NONE = () -> null;

    /** The present span of this thread as a W3C {@code traceparent}; {@code null}: there is none. */
    @Nullable
    String current();
}
