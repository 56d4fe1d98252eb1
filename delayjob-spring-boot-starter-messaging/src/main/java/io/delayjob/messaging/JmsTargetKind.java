package io.delayjob.messaging;

import io.delayjob.handler.Handler;
import io.delayjob.target.TargetKind;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jms.core.JmsTemplate;

/**
 * Creates a handler from the properties {@code delayjob.targets.<name>.jms}. Each target has its own template, because
 * a template sends either to queues or to topics. This template has the settings of the application's template, but
 * sends persistent messages.
 */
final class JmsTargetKind implements TargetKind<JmsTargetProperties> {

    private final ObjectProvider<JmsTemplate> templates;
    private final CloudEvents events;

    JmsTargetKind(ObjectProvider<JmsTemplate> templates, CloudEvents events) {
        this.templates = templates;
        this.events = events;
    }

    @Override
    public String name() {
        return "jms";
    }

    @Override
    public Class<JmsTargetProperties> properties() {
        return JmsTargetProperties.class;
    }

    @Override
    public Handler handler(String target, JmsTargetProperties properties, Handler.Builder rules) {
        String destination = properties.destination();
        if (destination == null || destination.isBlank()) {
            throw new IllegalArgumentException(
                    "Invalid destination of target '%s': must be the name of a queue or topic.".formatted(target));
        }
        JmsTemplate application = templates.getIfUnique();
        if (application == null || application.getConnectionFactory() == null) {
            throw new IllegalArgumentException(
                    "Target '%s' cannot send: there is no bean of type JmsTemplate with a connection factory, or there are several and none is @Primary. Spring Boot makes one with spring-boot-starter-artemis or -activemq."
                            .formatted(target));
        }
        return rules.parameters(MessageTarget.PARAMETERS)
                .calls(new MessageTarget(
                        target,
                        events,
                        StatedHeaders.JMS,
                        new JmsSender(destination, persistent(application, properties.pubSub()))));
    }

    private static JmsTemplate persistent(JmsTemplate application, boolean pubSub) {
        JmsTemplate own = new JmsTemplate();
        own.setConnectionFactory(application.getConnectionFactory());
        own.setDestinationResolver(application.getDestinationResolver());
        own.setPubSubDomain(pubSub);
        own.setExplicitQosEnabled(true);
        own.setDeliveryPersistent(true);
        own.setPriority(application.getPriority());
        own.setTimeToLive(application.getTimeToLive());
        if (application.getObservationRegistry() != null) {
            own.setObservationRegistry(application.getObservationRegistry());
        }
        return own;
    }
}
