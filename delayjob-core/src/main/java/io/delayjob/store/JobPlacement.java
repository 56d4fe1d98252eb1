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
     * A placement that leaves each job in the partition that the engine has proposed. All partitions belong to the same
     * group. This placement suits a store that can find a row by id or key alone, without the row's partition.
     */
    JobPlacement AS_PROPOSED = new JobPlacement() {};

    /**
     * Decides the partition and the id of a new job. The engine proposes an id, and the partition in which the job
     * starts soonest.
     *
     * <p>Some stores cannot search for a row by id. Such a store writes the location of the row into the first 64 bits
     * of the id. If a job has a key, such a store derives the job's partition from the job's name and key. In a chain,
     * the {@linkplain io.delayjob.job.JobId#followers later jobs} have ids with the same first 64 bits as the first
     * job's id. This method is not called for the later jobs.
     *
     * <p>The result may differ from the proposal only in the id and the partition's index. A changed id has the same
     * UUID version and the same {@linkplain io.delayjob.job.JobId#madeAtMillis() time of creation} as the proposed id.
     * A job without a key keeps the proposed partition. If the argument is an earlier result of this method, the method
     * returns the argument unchanged.
     *
     * <p>If a job has no key, a store with {@link StoreCapability#GIVEN_IDS} keeps the job's id. The store may change
     * the ids of jobs with keys. In rare cases, two different proposed ids become the same id. This is about as
     * unlikely as two equal random ids. If a call is repeated with the same id, name and key, the method returns the
     * same id again. Therefore, the repeated call finds the job of the earlier call.
     */
    default NewJob place(NewJob proposed) {
        return proposed;
    }

    /**
     * Returns the number of the partition's group. Any number is allowed. All rows in a call to {@link JobTransitions}
     * belong to the same group. Return different numbers for two partitions if one call cannot change rows of both. For
     * example, the partitions can be in different databases.
     */
    default int groupOf(Partition partition) {
        return 0;
    }
}
