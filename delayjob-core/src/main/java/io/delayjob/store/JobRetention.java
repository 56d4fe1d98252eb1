package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;

/** Deletes old jobs from the history. This interface is thread-safe; {@link JobStore} states the rules of all roles. */
public interface JobRetention {

    /**
     * Deletes at most {@code limit} jobs of that state that ended before {@code before}, in any order. The attempts of
     * these jobs are deleted, too. Returns the number of deleted jobs. The method keeps {@link JobState#CANCELLED} jobs
     * with the key {@link Job#DECLARED_KEY}, because otherwise the next start would schedule these jobs again. The
     * method also keeps {@link JobState#FINISHED} jobs that {@linkplain io.delayjob.job.JobExtras#keepFor() have a
     * retention time of their own}. The work depends only on the number of deleted jobs, even if very many jobs are
     * kept.
     */
    int purgeHistory(JobState state, Instant before, int limit);

    /**
     * Deletes at most {@code limit} {@link JobState#FINISHED} jobs that {@linkplain io.delayjob.job.JobExtras#keepFor()
     * state for how long they are kept}, and whose stated time has ended before {@code now}. The attempts of these jobs
     * are deleted, too. Returns the number of deleted jobs. The row says how long its job is kept, so an instance that
     * does not have the handler may call this method, too.
     */
    int purgeKept(Instant now, int limit);
}
