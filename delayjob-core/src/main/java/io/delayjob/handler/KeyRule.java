package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which mutex, which key of a rate or which fair key a new job of a handler gets. Thread-safe. */
@FunctionalInterface
public interface KeyRule {

    /**
     * Returns the key of a job: any value whose {@code toString()} identifies the thing that only one job at a time may
     * use, the thing that has a rate of its own, or the tenant. If a mutex or the key of a rate is {@code null}, the
     * call that schedules the job fails. If a fair key is {@code null}, the job has none.
     *
     * @param arguments the arguments as the handler will get them, one element per {@link PayloadParameter}
     */
    @Nullable
    Object keyOf(List<@Nullable Object> arguments);
}
