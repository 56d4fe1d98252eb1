package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;

/** Deletes old history. Thread-safe; see {@link JobStore} for the rules of all roles. */
public interface JobRetention {

    /**
     * Forgets ended jobs of that state that ended before {@code before}, and their attempts, at most {@code limit} of
     * them, whichever; answers how many. Keeps {@link JobState#CANCELLED} ones with the key {@link Job#DECLARED_KEY},
     * because only these rows stop the next start from scheduling the same jobs again.
     */
    int purgeHistory(JobState state, Instant before, int limit);
}
