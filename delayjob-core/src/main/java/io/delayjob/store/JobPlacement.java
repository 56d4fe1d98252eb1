package io.delayjob.store;

import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;

/**
 * Decides which partition a new job gets, and which partitions can share a transaction. A placement only computes, and
 * sends no request to a server. The same call always has the same result, on every instance and after every restart.
 * Thread-safe.
 */
public interface JobPlacement {

    /**
     * A placement that leaves each job in the partition that the engine has proposed. All partitions are one group. A
     * store uses this placement if it can find a row by its id or key without knowing the row's partition.
     */
    JobPlacement AS_PROPOSED = new JobPlacement() {};

    /**
     * Decides the partition and the id of a new job. The engine proposes an id and a partition. In the proposed
     * partition, the job starts with the least delay. For a job that is due soon, the proposed partition is a partition
     * that this instance leads. For any other job, the hash of the id selects the proposed partition.
     *
     * <p>A store that cannot search for a row by its id writes the row's place into the first 64 bits of the id. Such a
     * store derives the partition of a job with a key from the job's name and key. For {@linkplain
     * io.delayjob.job.JobId#followers jobs that follow} in a chain, this method is not called, because their ids begin
     * with the first 64 bits of the first job's id. The result may differ from the proposal only in the id and the
     * partition's index. If the id differs, it has the same UUID version and the same {@linkplain
     * io.delayjob.job.JobId#madeAtMillis() time of creation} as the proposed id. A job without a key keeps the proposed
     * partition. If the argument is an earlier result of this method, it is returned unchanged.
     *
     * <p>A store with {@link StoreCapability#GIVEN_IDS} never changes the id of a job without a key. If the store
     * changes the ids of jobs with keys, different ids stay different: two changed ids are as unlikely to be equal as
     * two random ids. So a call with a given id finds the job of an earlier call with the same id, name and key.
     */
    default NewJob place(NewJob proposed) {
        return proposed;
    }

    /**
     * Returns the number of the group to which a partition belongs; the number may have any value. The rows of a group
     * belong together: one transaction can change all of them, or one server holds all of them. All rows in a call to
     * {@link JobTransitions} belong to the same group.
     */
    default int groupOf(Partition partition) {
        return 0;
    }
}
