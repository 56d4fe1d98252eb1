package io.delayjob.messaging;

import io.delayjob.target.RefusedByTargetException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * Sends messages to one topic of Kafka. No thread waits for the confirmation.
 *
 * @param template sends with acks=all
 */
record KafkaSender(String topic, KafkaTemplate<String, byte[]> template) implements BrokerSender {

    @Override
    public CompletionStage<?> send(BrokerMessage message) {
        ProducerRecord<String, byte[]> sent = new ProducerRecord<>(topic, message.key(), message.bytes());
        message.headers().forEach((name, value) -> sent.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        if (message.body() != null) {
            sent.headers().add("content-type", BrokerMessage.CONTENT_TYPE.getBytes(StandardCharsets.UTF_8));
        }
        try {
            return template.send(sent).handle((confirmed, failure) -> {
                if (failure != null) {
                    throw failed(message, failure);
                }
                return null;
            });
        } catch (KafkaException failure) {
            throw failed(message, failure);
        }
    }

    private RuntimeException failed(BrokerMessage message, Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof RecordTooLargeException) {
            return new RefusedByTargetException(
                    "Kafka refuses %s for topic '%s': it is too large.".formatted(message, topic), cause);
        }
        return new NotConfirmedException(
                "Kafka has not confirmed %s on topic '%s': %s: %s"
                        .formatted(message, topic, cause.getClass().getSimpleName(), cause.getMessage()),
                cause);
    }

    /** Unwraps Kafka's own exception, because the messages of the exceptions around it contain the whole record. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof KafkaException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
