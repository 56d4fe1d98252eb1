package io.delayjob.status;

import io.delayjob.store.InstanceRow;
import java.time.Duration;

/**
 * A registered instance, and what another instance (the observer) knows about its heartbeats.
 *
 * @param silence time since the last heartbeat, by the observer's clock; time before the observer's start is not
 *     counted
 */
public record Sighting(InstanceRow instance, Duration silence, Heart heart) {

    /** What the observer knows about the heartbeats of an instance. */
    public enum Heart {
        /** The observer has seen no heartbeat since its own start, but none is overdue yet. */
        UNHEARD,
        /** The observer has seen a heartbeat, and the next heartbeat is not overdue. */
        BEATING,
        /**
         * A heartbeat is overdue. If none follows within the liveness period, the instance is removed from the
         * register.
         */
        LATE
    }
}
