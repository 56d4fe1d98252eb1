package io.delayjob.status;

import io.delayjob.store.InstanceRow;
import java.time.Duration;

/**
 * An instance, as this instance has seen it.
 *
 * @param instance the instance
 * @param silence time without a new heartbeat, by the clock of the observing instance. Time before the observer started
 * does not count
 * @param heart what this instance knows about its heartbeats
 */
public record Sighting(InstanceRow instance, Duration silence, Heart heart) {

    /** Tells what the observer knows about the heartbeats of an instance. */
    public enum Heart {
        /** None was seen since this one began to look, and none is overdue: it may have died before. */
        UNHEARD,
        /** One was seen, and the next is not overdue. */
        BEATING,
        /** One is overdue. When none comes until the liveness is over, the instance is given up. */
        LATE
    }
}
