package io.delayjob.messaging;

import org.jspecify.annotations.Nullable;

/**
 * A target on Kafka.
 *
 * @param topic Topic of its messages.
 */
record KafkaTargetProperties(@Nullable String topic) {}
