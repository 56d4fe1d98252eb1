/**
 * Targets that are messages: {@code KafkaTargets}, {@code RabbitTargets} and {@code JmsTargets} make handlers that send
 * the body of a job to a broker, and end its run when the broker has confirmed. {@code DelayedMessages} sends a message
 * that was received once more, later.
 */
@NullMarked
package io.delayjob.messaging;

import org.jspecify.annotations.NullMarked;
