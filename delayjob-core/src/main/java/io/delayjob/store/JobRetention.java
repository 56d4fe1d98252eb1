package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;

/** Deletes old history. Thread-safe; see {@link JobStore} for the rules of all roles. */
public interface JobRetention {

    /**
     * Deletes at most {@code limit} jobs of that state that ended before {@code before}, with their attempts, in any
     * order. Returns the number of deleted jobs. Keeps {@link JobState#CANCELLED} jobs with the key {@link
     * Job#DECLARED_KEY}, because without these rows the next start would schedule the same jobs again. Keeps {@link
     * JobState#FINISHED} jobs that {@linkplain io.delayjob.job.JobExtras#keepFor() have a time of their own}. However
     * many jobs are kept, the work depends only on the number of deleted jobs.
     */
    int purgeHistory(JobState state, Instant before, int limit);

    /**
     * Deletes at most {@code limit} {@link JobState#FINISHED} jobs whose {@linkplain io.delayjob.job.JobExtras#keepFor()
     * own time} was over before {@code now}, with their attempts, in any order. Returns the number of deleted jobs. The
     * row says how long its job is kept, so an instance that lacks the handler may call this, too.
     */
    int purgeKept(Instant now, int limit);
}
