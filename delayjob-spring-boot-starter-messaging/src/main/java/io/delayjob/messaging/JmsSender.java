package io.delayjob.messaging;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.JmsException;
import org.springframework.jms.core.JmsTemplate;

/**
 * Sends messages to one JMS queue or topic. The worker's thread waits for the confirmation, because a send in JMS
 * blocks.
 *
 * @param template sends persistent messages
 */
record JmsSender(String destination, JmsTemplate template) implements BrokerSender {

    /**
     * Of two messages with the same value of this property, Artemis delivers only the first. Other brokers deliver
     * both.
     */
    private static final String DUPLICATE_ID = "_AMQ_DUPL_ID";

    @Override
    public @Nullable CompletionStage<?> send(BrokerMessage message) {
        try {
            template.send(destination, session -> text(session, message));
        } catch (JmsException failure) {
            throw new NotConfirmedException(
                    "The JMS broker has not confirmed %s to '%s': %s"
                            .formatted(message, destination, failure.getMessage()),
                    failure);
        }
        return null;
    }

    private static TextMessage text(Session session, BrokerMessage message) throws JMSException {
        TextMessage text = session.createTextMessage(message.body());
        text.setJMSCorrelationID(message.id());
        text.setStringProperty(DUPLICATE_ID, message.id());
        for (Map.Entry<String, String> header : message.headers().entrySet()) {
            text.setStringProperty(header.getKey(), header.getValue());
        }
        if (message.body() != null) {
            text.setStringProperty(CloudEvents.AMQP + "datacontenttype", BrokerMessage.CONTENT_TYPE);
        }
        return text;
    }
}
