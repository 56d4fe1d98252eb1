package io.delayjob.messaging;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Sends messages to one queue, topic or exchange of a broker. Several worker threads may call a sender in parallel. */
interface BrokerSender {

    /**
     * @return a stage that completes when the broker has confirmed the message; {@code null} if it has confirmed
     *     already
     * @throws Exception if the broker has not confirmed the message; the attempt is then retried, except after a
     *     {@link io.delayjob.target.RefusedByTargetException}
     */
    @Nullable
    CompletionStage<?> send(BrokerMessage message) throws Exception;
}
