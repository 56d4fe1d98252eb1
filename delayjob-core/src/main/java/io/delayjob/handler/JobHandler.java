package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Contains the code of a handler. Several worker threads may call this code at the same time. */
@FunctionalInterface
public interface JobHandler {

    /**
     * Makes one attempt.
     *
     * @param arguments the decoded payload, one element for each {@link PayloadParameter}
     * @return {@code null}, a {@link Next}, or a {@link java.util.concurrent.CompletionStage}. The result of the stage
     *     must be {@code null} or a {@link Next}. If a stage is returned, the attempt ends when the stage completes. An
     *     {@linkplain Handler#atomic() atomic} handler must not return a stage
     * @throws Exception any exception is a failure of the attempt
     */
    @Nullable
    Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception;

    /**
     * Checks the arguments of a job that this application schedules by name. An application without this handler checks
     * nothing, so {@link #handle} must refuse wrong arguments, too. The default implementation accepts all arguments.
     *
     * @throws IllegalArgumentException if the arguments are refused; the message must not contain their values
     */
    default void check(List<@Nullable Object> arguments) {}
}
