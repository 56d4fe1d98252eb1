package io.delayjob.internal.preload;

import io.delayjob.event.JobListeners;
import io.delayjob.store.DueJobs;
import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * Contains the objects that all regular reads of the store use.
 *
 * @param batchSize the maximum number of rows of one read
 */
public record Reads(DueJobs store, Outlook outlook, EngineClock clock, JobListeners listeners, int batchSize) {

    void tell(String role, int rows, long startedNanos) {
        listeners.tell(l -> l.preloaded(role, rows, Duration.ofNanos(clock.nanoTime() - startedNanos)));
    }
}
