package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which mutex, which rate key or which fair key a new job of a handler gets. Thread-safe. */
@FunctionalInterface
public interface KeyRule {

    /**
     * Returns the key of a job. The key may be any value. Its {@code toString()} identifies the thing that the key
     * stands for. A mutex stands for a thing that only one job at a time may use. A rate key stands for a thing with a
     * rate of its own, and a fair key stands for a tenant. If this method returns {@code null} for a mutex or a rate
     * key, the call that schedules the job fails. If it returns {@code null} for a fair key, the job has none.
     *
     * @param arguments the arguments as the handler will get them, one element for each {@link PayloadParameter}
     */
    @Nullable
    Object keyOf(List<@Nullable Object> arguments);
}
