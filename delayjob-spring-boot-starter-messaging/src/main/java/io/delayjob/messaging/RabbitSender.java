package io.delayjob.messaging;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Sends messages to one exchange of RabbitMQ. No thread waits for the confirmation.
 *
 * @param exchange name of the exchange, or empty
 * @param routingKey routing key, or empty
 * @param template sends mandatory messages on channels with publisher confirms
 */
record RabbitSender(String exchange, String routingKey, RabbitTemplate template) implements BrokerSender {

    @Override
    public CompletionStage<?> send(BrokerMessage message) {
        CorrelationData correlation = new CorrelationData();
        try {
            template.send(exchange, routingKey, amqp(message), correlation);
        } catch (AmqpException failure) {
            throw notConfirmed(message, failure.getMessage(), failure);
        }
        return correlation.getFuture().thenApply(confirm -> {
            ReturnedMessage returned = correlation.getReturned();
            // If no queue accepts a message, RabbitMQ returns and acknowledges it, whereas the broker Qpid refuses it.
            if (returned != null) {
                throw notConfirmed(
                        message,
                        "the message was returned: %d %s".formatted(returned.getReplyCode(), returned.getReplyText()),
                        null);
            }
            if (!confirm.ack()) {
                throw notConfirmed(
                        message, "the message was refused, or the connection was lost: " + confirm.reason(), null);
            }
            return null;
        });
    }

    private static Message amqp(BrokerMessage message) {
        MessageProperties properties = new MessageProperties();
        properties.setDeliveryMode(MessageDeliveryMode.PERSISTENT);
        properties.setMessageId(message.id());
        message.headers().forEach(properties::setHeader);
        byte[] bytes = message.bytes();
        if (bytes == null) {
            return new Message(new byte[0], properties);
        }
        properties.setContentType(BrokerMessage.CONTENT_TYPE);
        properties.setContentEncoding(StandardCharsets.UTF_8.name());
        return new Message(bytes, properties);
    }

    private NotConfirmedException notConfirmed(BrokerMessage message, @Nullable String why, @Nullable Throwable cause) {
        return new NotConfirmedException(
                "RabbitMQ has not confirmed %s to exchange '%s' with routing key '%s': %s"
                        .formatted(message, exchange, routingKey, why),
                cause);
    }
}
