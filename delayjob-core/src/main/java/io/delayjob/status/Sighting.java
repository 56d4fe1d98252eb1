package io.delayjob.status;

import io.delayjob.store.InstanceRow;
import java.time.Duration;

/**
 * A registered instance, and what another instance (the observer) knows about its heartbeats.
 *
 * @param instance the instance
 * @param silence time since its last heartbeat, by the clock of the observing instance. Time before the observer's
 *     start does not count
 * @param heart what the observer knows about its heartbeats
 */
public record Sighting(InstanceRow instance, Duration silence, Heart heart) {

    /** What the observer knows about the heartbeats of an instance. */
    public enum Heart {
        /**
         * The observer has seen no heartbeat since its own start, but none is overdue yet. The instance may have died
         * before that start.
         */
        UNHEARD,
        /** The observer has seen a heartbeat, and the next heartbeat is not overdue. */
        BEATING,
        /**
         * A heartbeat is overdue. If no heartbeat follows within the liveness, the instance is removed from the
         * register.
         */
        LATE
    }
}
