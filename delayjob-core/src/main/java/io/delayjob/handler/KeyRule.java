package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which mutex, or which key of a rate, a new job of a handler gets. Thread-safe. */
@FunctionalInterface
public interface KeyRule {

    /**
     * Returns the key of a job: any value whose {@code toString()} identifies what only one job at a time may use, or
     * what has a rate of its own. If it is {@code null}, the call that schedules the job fails.
     *
     * @param arguments the arguments as the handler will get them, one element per {@link PayloadParameter}
     */
    @Nullable
    Object keyOf(List<@Nullable Object> arguments);
}
