package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.job.Partition;

/** Proposes the partition of a new job to the store. Thread-safe. */
@FunctionalInterface
interface PartitionProposal {

    /** @param dueMillis the due time in store time, milliseconds since the epoch */
    Partition propose(Draft draft, JobId id, long dueMillis);
}
