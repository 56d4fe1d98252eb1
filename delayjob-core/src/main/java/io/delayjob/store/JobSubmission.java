package io.delayjob.store;

import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import java.util.List;

/**
 * New jobs. Joins the caller's transaction where the store can; see {@link JobStore} for the rules of all roles.
 * Thread-safe.
 */
public interface JobSubmission {

    /**
     * Writes new jobs, as {@linkplain JobPlacement#place placed}; answers one result for each, in order. The outcome of
     * a taken key follows {@link NewJob#onExisting()}. The jobs may lie in several groups.
     *
     * @throws io.delayjob.job.JobExistsException for a taken key with {@code FAIL}; found by affected rows, so that the
     *     caller's transaction stays usable. Nothing of the batch is then written.
     */
    List<Scheduled> submit(List<NewJob> jobs, DueSink committed);
}
