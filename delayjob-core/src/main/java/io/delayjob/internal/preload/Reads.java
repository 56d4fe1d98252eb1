package io.delayjob.internal.preload;

import io.delayjob.event.JobListeners;
import io.delayjob.store.DueJobs;
import io.delayjob.time.EngineClock;
import java.time.Duration;

public record Reads(DueJobs store, Outlook outlook, EngineClock clock, JobListeners listeners, int batchSize) {

    void tell(String role, int rows, long startedNanos) {
        listeners.tell(l -> l.preloaded(role, rows, Duration.ofNanos(clock.nanoTime() - startedNanos)));
    }
}
