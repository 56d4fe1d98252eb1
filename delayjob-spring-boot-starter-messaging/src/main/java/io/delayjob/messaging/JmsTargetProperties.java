package io.delayjob.messaging;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A target on a JMS broker.
 *
 * @param destination Name of the queue or topic to which the messages are sent.
 * @param pubSub Whether the destination is a topic. Default: false, a queue.
 */
record JmsTargetProperties(
        @Nullable String destination, @DefaultValue("false") boolean pubSub) {}
