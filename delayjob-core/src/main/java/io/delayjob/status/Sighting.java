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
        /**
         * The observer has seen no heartbeat since its own start, and none is overdue. The instance may have died
         * before.
         */
        UNHEARD,
        /** A heartbeat was seen, and the next one is not overdue. */
        BEATING,
        /** One is overdue. If no heartbeat comes within the liveness, the instance is given up. */
        LATE
    }
}
