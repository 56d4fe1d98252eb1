package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;

/** Deletes old jobs from the history. Thread-safe; see {@link JobStore} for the rules of all roles of a store. */
public interface JobRetention {

    /**
     * Deletes jobs of the given state that ended earlier than {@code before}, in any order. The attempts of these jobs
     * are deleted, too. Returns the number of deleted jobs. This number never exceeds {@code limit}. The method keeps
     * {@link JobState#CANCELLED} jobs with the key {@link Job#DECLARED_KEY}. Otherwise, the next start of an instance
     * would schedule such a job again. The method also keeps {@link JobState#FINISHED} jobs that
     * {@linkplain io.delayjob.job.JobExtras#keepFor() have a retention time of their own}. The work depends only on the
     * number of deleted jobs, not on the number of kept jobs.
     */
    int purgeHistory(JobState state, Instant before, int limit);

    /**
     * Deletes {@link JobState#FINISHED} jobs whose {@linkplain io.delayjob.job.JobExtras#keepFor() own retention time}
     * ended earlier than {@code now}. The attempts of these jobs are deleted, too. Returns the number of deleted jobs.
     * This number never exceeds {@code limit}. An instance may call this method even if it does not have the handlers
     * of these jobs.
     */
    int purgeKept(Instant now, int limit);
}
