package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;

/** Deletes old history. Thread-safe; see {@link JobStore} for the rules of all roles. */
public interface JobRetention {

    /**
     * Deletes at most {@code limit} jobs of that state that ended before {@code before}, with their attempts, in any
     * order. Returns the number of deleted jobs. Keeps {@link JobState#CANCELLED} jobs with the key {@link
     * Job#DECLARED_KEY}, because without these rows the next start would schedule the same jobs again.
     */
    int purgeHistory(JobState state, Instant before, int limit);
}
