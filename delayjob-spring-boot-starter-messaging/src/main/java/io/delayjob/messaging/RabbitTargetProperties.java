package io.delayjob.messaging;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A target on RabbitMQ.
 *
 * @param exchange Exchange of the messages of this target. Default: the exchange without a name. This exchange routes
 *     each message to the queue whose name is the routing key.
 * @param routingKey Routing key of the messages of this target. Default: none.
 */
record RabbitTargetProperties(
        @DefaultValue("") String exchange, @DefaultValue("") String routingKey) {}
