package io.delayjob.messaging;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to one queue, topic or exchange of a broker. The sender is called on several worker threads at a time.
 */
interface BrokerSender {

    /**
     * @return a stage that completes when the broker has confirmed the message; {@code null} if the broker has already
     *     confirmed it
     * @throws Exception if the broker has not confirmed the message. Then the attempt is retried, except after a {@link
     *     io.delayjob.target.RefusedByTargetException}
     */
    @Nullable
    CompletionStage<?> send(BrokerMessage message) throws Exception;
}
