package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The code of a handler. Called on several worker threads at a time. */
@FunctionalInterface
public interface JobHandler {

    /**
     * Makes one attempt.
     *
     * @param arguments the decoded payload, one element per {@link PayloadParameter}
     * @return {@code null}, a {@link Next}, or, unless the handler is {@linkplain Handler#atomic() atomic}, a
     *     {@link java.util.concurrent.CompletionStage} of either: the attempt is done when the stage completes
     * @throws Exception any exception is a failure of the attempt
     */
    @Nullable
    Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception;

    /**
     * Refuses arguments that every attempt would refuse, so that the call fails at once. This is called with the
     * decoded payload when a job is scheduled by name in an application that has this handler. Jobs that were scheduled
     * elsewhere are not checked, so {@link #handle} must refuse such arguments as well. Default: accepts all.
     *
     * @throws IllegalArgumentException if the arguments are refused; the message must not hold their values
     */
    default void check(List<@Nullable Object> arguments) {}
}
