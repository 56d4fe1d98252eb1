package io.delayjob.actuate.endpoint;

import io.delayjob.job.Paused;
import java.util.Set;

/** Paused handlers and queues; the fields are those of {@link Paused}. */
record PausedDescriptor(Set<String> handlers, Set<String> queues) {

    static PausedDescriptor of(Paused paused) {
        return new PausedDescriptor(paused.handlers(), paused.queues());
    }
}
