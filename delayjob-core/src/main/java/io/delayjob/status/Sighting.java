package io.delayjob.status;

import io.delayjob.store.InstanceRow;
import java.time.Duration;

/**
 * An instance as this one has seen it.
 *
 * @param instance the instance
 * @param silence for how long its heartbeats were seen to make no progress, on this instance's own clock; what came
 *     before this one began to look is not in it
 * @param late whether a heartbeat of it is overdue; when none comes until its liveness is over, it is given up
 */
public record Sighting(InstanceRow instance, Duration silence, boolean late) {}
