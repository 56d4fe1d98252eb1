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
     * Writes new jobs, as {@linkplain JobPlacement#place placed}, and returns one result for each, in order. The
     * outcome of a taken key follows {@link NewJob#onExisting()}. A key is taken by an unfinished job, including a job
     * that comes earlier in the same call. The jobs may lie in several groups.
     *
     * <p>If the job of a taken key is running, {@code REPLACE} and {@code POSTPONE} take its key away, request its
     * cancellation without a notice, and write the new job as {@code CREATED}. If a row is kept, replaced or postponed,
     * the result has the id of that row, not the new id. If the call throws, it has written nothing,
     * unless the message says that this is unknown.
     *
     * @param jobs the new jobs, each with an id that no job has had. Ids of ended jobs need not be looked up
     * @param committed gets all rows that were created, replaced or postponed
     * @throws StoreException not transient, if an unfinished job has one of the ids, or if a text cannot be stored
     * @throws io.delayjob.job.JobExistsException for a taken key with {@code FAIL}; the number of affected rows
     *     shows it, so the caller's transaction stays usable. In that case no job of the batch is written.
     */
    List<Scheduled> submit(List<NewJob> jobs, DueSink committed);

    /**
     * Writes a new job like {@link #submit}, unless an unfinished or ended job already has its id. In that case nothing
     * is written, and the result is that of {@link JobRules#kept}, even if the content of that job differs. The id
     * comes before the key: an existing job with this id is kept even if another job has the key.
     *
     * <p>If several calls have the same new id, even at the same time, only one of them writes the job. The caller's
     * transaction stays usable. If the job with this id has begun and ended between two calls, it is kept as well.
     *
     * @throws StoreException not transient, if the store lacks {@link StoreCapability#GIVEN_IDS}, which is the default
     * @throws io.delayjob.job.JobExistsException as by {@link #submit}
     */
    default Scheduled submitOnce(NewJob job, DueSink committed) {
        throw StoreException.lacking(this, StoreCapability.GIVEN_IDS);
    }
}
