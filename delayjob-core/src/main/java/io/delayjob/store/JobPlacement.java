package io.delayjob.store;

import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;

/**
 * Decides where the jobs of a store lie, and which jobs share a transaction. Pure arithmetic: it asks no server. The
 * same call always gives the same result, on every instance and after every restart. Thread-safe.
 */
public interface JobPlacement {

    /**
     * Places jobs where the engine proposes, in one group. This suits stores that find a row by its id or key in every
     * partition.
     */
    JobPlacement AS_PROPOSED = new JobPlacement() {};

    /**
     * Decides where a new job lies. The engine proposes an id and the partition in which the job runs soonest. For a
     * job that is due soon, this instance leads that partition; otherwise the hash of the id selects it.
     *
     * <p>A store that cannot search for a row writes the way to the row into the first 64 bits of the id. Such a store
     * derives the partition of a keyed job from its name and key. {@linkplain io.delayjob.job.JobId#followers
     * Followers} of a chain are not placed. They have the first 64 bits of the first job's id. The result may differ
     * from the proposal only in the id and the partition's index. The id stays of version 7 and keeps its {@linkplain
     * io.delayjob.job.JobId#madeAtMillis() time}. A job without a key keeps the proposed partition. A job that is
     * already placed is returned unchanged. A store with {@link StoreCapability#GIVEN_IDS} never changes the id.
     */
    default NewJob place(NewJob proposed) {
        return proposed;
    }

    /**
     * Returns the group of a partition, which may be any number: rows of one group share a transaction or a node.
     * Each call of {@link JobTransitions} gets rows of one group only.
     */
    default int groupOf(Partition partition) {
        return 0;
    }
}
