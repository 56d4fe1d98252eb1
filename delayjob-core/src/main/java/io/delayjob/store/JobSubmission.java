package io.delayjob.store;

import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import java.util.List;

/**
 * Writes new jobs. The methods join the caller's transaction if the store can do so. Thread-safe; see {@link JobStore}
 * for the rules of all roles of a store.
 */
public interface JobSubmission {

    /**
     * Writes new jobs, and returns one result for each job, in the order of the jobs. {@link NewJob#onExisting()} says
     * what happens if a key is taken. A key is taken if an unfinished job has this key. Earlier jobs of the same call
     * also count as unfinished jobs. The jobs may be in different groups of partitions.
     *
     * <p>If the job with the key is running, {@code REPLACE} and {@code POSTPONE} have the same effect. The store
     * removes the key of the running job, and requests the cancellation of this job. Then the store writes the new job,
     * with the outcome {@code CREATED}. The instance that runs the old job is not notified. If a row is kept, replaced
     * or postponed, the result has the id of that row, not the new id. If the call throws an exception, nothing is
     * written, unless the message says that the outcome is unknown.
     *
     * @param jobs the new jobs, with the ids and partitions from {@link JobPlacement#place}. Each id must be new: no
     *     earlier job had this id. The store need not check this for ended jobs
     * @param committed receives all rows that were created, replaced or postponed
     * @throws StoreException if an unfinished job already has one of the ids, or if a text cannot be stored. This
     *     exception is not transient
     * @throws io.delayjob.job.JobExistsException if the key of a job is taken, and {@link NewJob#onExisting()} of this
     *     job is {@code FAIL}. Then no job of the call is written. A taken key must not cause an error of the database,
     *     so that the caller's transaction stays usable
     */
    List<Scheduled> submit(List<NewJob> jobs, DueSink committed);

    /**
     * Writes a new job in the same way as {@link #submit}. If an unfinished or ended job already has the id of the new
     * job, nothing is written. The result is then {@link JobRules#kept}, even if the existing job differs. The store
     * checks the id before the key.
     *
     * <p>If several calls use the same new id at the same time, only one of them writes the job. The caller's
     * transaction stays usable.
     *
     * @throws StoreException if the store lacks {@link StoreCapability#GIVEN_IDS}. This exception is not transient. The
     *     default implementation always throws it
     * @throws io.delayjob.job.JobExistsException as in {@link #submit}
     */
    default Scheduled submitOnce(NewJob job, DueSink committed) {
        throw StoreException.lacking(this, StoreCapability.GIVEN_IDS);
    }
}
