package io.delayjob.messaging;

import io.delayjob.handler.Handler;
import io.delayjob.target.TargetKind;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ObjectProvider;

/** Creates a handler from the properties {@code delayjob.targets.<name>.rabbit}. */
final class RabbitTargetKind implements TargetKind<RabbitTargetProperties> {

    private static final String CONFIRMS = "spring.rabbitmq.publisher-confirm-type=correlated";
    private static final String RETURNS = "spring.rabbitmq.publisher-returns=true";

    private final ObjectProvider<RabbitTemplate> templates;
    private final CloudEvents events;

    RabbitTargetKind(ObjectProvider<RabbitTemplate> templates, CloudEvents events) {
        this.templates = templates;
        this.events = events;
    }

    @Override
    public String name() {
        return "rabbit";
    }

    @Override
    public Class<RabbitTargetProperties> properties() {
        return RabbitTargetProperties.class;
    }

    @Override
    public Handler handler(String target, RabbitTargetProperties properties, Handler.Builder rules) {
        if (properties.exchange().isBlank() && properties.routingKey().isBlank()) {
            throw new IllegalArgumentException(
                    "Invalid exchange and routing-key of target '%s': at least one of the two must be given; a routing-key alone is the name of a queue."
                            .formatted(target));
        }
        RabbitTemplate template = templates.getIfUnique();
        if (template == null) {
            throw new IllegalArgumentException(
                    "Target '%s' cannot send: there is no bean of type RabbitTemplate, or there are several and none is @Primary. Spring Boot makes one with its starter for RabbitMQ."
                            .formatted(target));
        }
        checkConfirms(target, template);
        return rules.parameters(MessageTarget.PARAMETERS)
                .calls(new MessageTarget(
                        target,
                        events,
                        StatedHeaders.ANY,
                        new RabbitSender(properties.exchange(), properties.routingKey(), template)));
    }

    /**
     * Without confirms, a lost message would seem to have arrived. Without returns, a message that no queue accepts
     * would also seem to have arrived.
     */
    private static void checkConfirms(String target, RabbitTemplate template) {
        ConnectionFactory connections = template.getConnectionFactory();
        if (!connections.isPublisherConfirms()) {
            throw new IllegalArgumentException(
                    "Target '%s' needs publisher confirms, because otherwise lost messages would go unnoticed. Set %s."
                            .formatted(target, CONFIRMS));
        }
        if (!connections.isPublisherReturns() || !isMandatory(template)) {
            throw new IllegalArgumentException(
                    ("Target '%s' needs returns and mandatory messages, because RabbitMQ also confirms messages "
                                    + "that no queue takes. Set %s, and do not set spring.rabbitmq.template.mandatory=false.")
                            .formatted(target, RETURNS));
        }
        if (template.isChannelTransacted()) {
            throw new IllegalArgumentException(
                    ("Target '%s' needs a RabbitTemplate without transactions, because RabbitMQ does not confirm "
                                    + "messages on a channel with transactions. Do not set its channelTransacted, or "
                                    + "make another RabbitTemplate @Primary.")
                            .formatted(target));
        }
    }

    private static boolean isMandatory(RabbitTemplate template) {
        return Boolean.TRUE.equals(template.isMandatoryFor(new Message(new byte[0])));
    }
}
