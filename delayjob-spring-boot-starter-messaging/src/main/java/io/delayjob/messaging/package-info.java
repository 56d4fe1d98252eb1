/**
 * Targets that send messages. {@code KafkaTargetKind}, {@code RabbitTargetKind} and {@code JmsTargetKind} create
 * handlers that send the body of a job to a broker. {@code DelayedMessages} sends a received message again after a
 * delay.
 */
@NullMarked
package io.delayjob.messaging;

import org.jspecify.annotations.NullMarked;
