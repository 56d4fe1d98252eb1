package io.delayjob.messaging;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A target on RabbitMQ.
 *
 * @param exchange Exchange of the messages of this target. Default: the exchange without a name, which routes to the
 *     queue that routing-key names.
 * @param routingKey Routing key of the messages of this target. Default: none.
 */
record RabbitTargetProperties(
        @DefaultValue("") String exchange, @DefaultValue("") String routingKey) {}
