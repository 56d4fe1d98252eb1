package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes the mutex, the rate key or the fair key of a new job of a handler. Thread-safe. */
@FunctionalInterface
public interface KeyRule {

    /**
     * Returns the key of a job: any value, identified by its {@code toString()}. If a mutex or a rate key is {@code
     * null}, the call that schedules the job fails. If a fair key is {@code null}, the job has no fair key.
     *
     * @param arguments the arguments as the handler will get them, one element for each {@link PayloadParameter}
     */
    @Nullable
    Object keyOf(List<@Nullable Object> arguments);
}
