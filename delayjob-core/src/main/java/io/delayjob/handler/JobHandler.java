package io.delayjob.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handler's body. Called on a worker thread, by several at a time. */
@FunctionalInterface
public interface JobHandler {

    /**
     * Makes one attempt.
     *
     * @param arguments the decoded payload, one element per {@link PayloadParameter}
     * @return {@code null}, a {@link Next}, or, unless it is {@linkplain Handler#atomic() atomic}, a
     *     {@link java.util.concurrent.CompletionStage} of either: the attempt is done when the stage completes
     * @throws Exception whatever it throws is a failure of the attempt
     */
    @Nullable
    Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception;
}
