package io.delayjob.status;

import io.delayjob.store.InstanceRow;
import java.time.Duration;

/**
 * An instance, as this instance has seen it.
 *
 * @param instance the instance
 * @param silence for how long its heartbeats were seen to make no progress, on this instance's own clock; what came
 *     before this one began to look is not in it
 * @param heart what this one knows of its heartbeats
 */
public record Sighting(InstanceRow instance, Duration silence, Heart heart) {

    /** What is known of the heartbeats of an instance. */
    public enum Heart {
        /** None was seen since this one began to look, and none is overdue: it may have died before. */
        UNHEARD,
        /** One was seen, and the next is not overdue. */
        BEATING,
        /** One is overdue. When none comes until the liveness is over, the instance is given up. */
        LATE
    }
}
