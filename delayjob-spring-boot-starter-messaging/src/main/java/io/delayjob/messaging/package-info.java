/**
 * Targets that are messages: {@code KafkaTargets}, {@code RabbitTargets} and {@code JmsTargets} make handlers that send
 * the body of a job to a broker. The run ends when the broker has confirmed the message. {@code DelayedMessages} sends
 * a received message once more, later.
 */
@NullMarked
package io.delayjob.messaging;

import org.jspecify.annotations.NullMarked;
