package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.job.Partition;

/** Proposes the partition of a new job to the store. Thread-safe. */
@FunctionalInterface
interface PartitionProposal {

    /**
     * If the job has a mutex or a rate key, the leader of the returned partition decides about that key.
     *
     * @param dueMillis the due time in store time, milliseconds since the epoch
     * @throws IllegalArgumentException if the queue is new and the instance already has the maximum number of queues
     */
    Partition propose(Draft draft, JobId id, long dueMillis);
}
