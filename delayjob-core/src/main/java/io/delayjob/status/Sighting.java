package io.delayjob.status;

import io.delayjob.store.InstanceRow;
import java.time.Duration;

/**
 * An instance, as this instance has seen it.
 *
 * @param instance the instance
 * @param silence the time for which its heartbeats have made no progress, on this instance's own clock; it does
 *     not include time before this instance began to look
 * @param late whether one of its heartbeats is overdue; if none comes until its liveness is over, the instance is
 *     removed
 */
public record Sighting(InstanceRow instance, Duration silence, boolean late) {}
