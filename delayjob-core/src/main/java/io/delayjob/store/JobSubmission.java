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
     * Writes new jobs with the ids and partitions from {@link JobPlacement#place}, and returns one result for each job,
     * in order. {@link NewJob#onExisting()} says what to do if a key is taken. A key is taken if an unfinished job has
     * it, including a job that comes earlier in the same call. The jobs need not be in the same group.
     *
     * <p>If the job that has the key is running, {@code REPLACE} and {@code POSTPONE} remove its key, request its
     * cancellation without a notice, and write the new job as {@code CREATED}. If a row is kept, replaced or postponed,
     * the result has the id of that row, not the new id. If the call throws an exception, it has written nothing,
     * unless the message says that this is unknown.
     *
     * @param jobs the new jobs, each with an id that no job has had. A store need not check the ids of ended jobs
     * @param committed receives all rows that were created, replaced or postponed
     * @throws StoreException not transient, if an unfinished job has one of the ids, or if a text cannot be stored
     * @throws io.delayjob.job.JobExistsException for a taken key with {@code FAIL}. In that case no job of the call is
     *     written. The store must find out that the key is taken without an error of the database, so that the caller's
     *     transaction stays usable
     */
    List<Scheduled> submit(List<NewJob> jobs, DueSink committed);

    /**
     * Writes a new job like {@link #submit}, unless an unfinished or ended job already has its id. In that case nothing
     * is written, and the result is {@link JobRules#kept}, even if the content of the existing job differs. The store
     * checks the id before the key. So an existing job with this id is kept even if another job has the key.
     *
     * <p>If several calls have the same new id, even at the same time, only one call writes the job. The caller's
     * transaction stays usable. Even if the job of the first call has already ended when the second call comes, the
     * second call writes nothing.
     *
     * @throws StoreException not transient, if the store lacks {@link StoreCapability#GIVEN_IDS}, which is the default
     * @throws io.delayjob.job.JobExistsException as by {@link #submit}
     */
    default Scheduled submitOnce(NewJob job, DueSink committed) {
        throw StoreException.lacking(this, StoreCapability.GIVEN_IDS);
    }
}
