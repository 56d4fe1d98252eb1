package io.delayjob.store;

import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import java.util.List;

/**
 * Writes new jobs. Joins the caller's transaction if the store can; see {@link JobStore} for the rules of all roles.
 * Thread-safe.
 */
public interface JobSubmission {

    /**
     * Writes new jobs where they are {@linkplain JobPlacement#place placed}, and returns one result for each, in
     * order. The result for a taken key follows {@link NewJob#onExisting()}. The jobs may lie in several groups.
     *
     * @throws io.delayjob.job.JobExistsException for a taken key with {@code FAIL}; the number of affected rows
     *     shows it, so the caller's transaction stays usable. Nothing of the batch is then written.
     */
    List<Scheduled> submit(List<NewJob> jobs, DueSink committed);
}
