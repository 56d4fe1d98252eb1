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
     * Writes new jobs, as {@linkplain JobPlacement#place placed}; answers one result for each, in order. The outcome of
     * a taken key follows {@link NewJob#onExisting()}: a key is taken by an unfinished job, also by one that comes
     * earlier in this very call. The jobs may lie in several groups.
     *
     * <p>If the job of a taken key is running, {@code REPLACE} and {@code POSTPONE} take its key away, request its
     * cancellation without a notice, and write the new job as {@code CREATED}. Where a row is kept, replaced or
     * postponed, the answer has its id, not the new one. Nothing of the call is written if it throws.
     *
     * @param committed gets all rows that were created, replaced or postponed
     * @throws StoreException not transient, if an id exists already, or if a text cannot be stored
     * @throws io.delayjob.job.JobExistsException for a taken key with {@code FAIL}; the number of affected rows
     *     shows it, so the caller's transaction stays usable. Nothing of the batch is then written.
     */
    List<Scheduled> submit(List<NewJob> jobs, DueSink committed);
}
