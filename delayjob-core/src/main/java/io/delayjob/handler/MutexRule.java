package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which mutex a new job of a handler gets. Thread-safe. */
@FunctionalInterface
public interface MutexRule {

    /**
     * Returns the mutex of a job: any value whose {@code toString()} identifies what only one job at a time may use. A
     * {@code null} makes the call that schedules the job fail.
     *
     * @param arguments the arguments as the handler will get them, one element per {@link PayloadParameter}
     */
    @Nullable
    Object mutexOf(List<@Nullable Object> arguments);
}
