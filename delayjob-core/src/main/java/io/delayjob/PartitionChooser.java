package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.job.Partition;

/** Says in which partition of its queue a new job is laid. Thread-safe. */
@FunctionalInterface
interface PartitionChooser {

    /**
     * The partition of the job.
     *
     * @param dueMillis when it is due in store time, milliseconds since the epoch
     * @throws IllegalArgumentException when the queue is new, and one too many
     */
    Partition choose(String queue, JobId id, long dueMillis);
}
