package io.delayjob.store;

import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;

/**
 * Where the jobs of a store lie, and which of them share a transaction. Pure arithmetic: it asks no server, and the same
 * question always gets the same answer, on every instance and after every restart. Thread-safe.
 */
public interface JobPlacement {

    /** Jobs lie where the engine proposes, in one group: for stores that find a row by its id or key wherever it lies. */
    JobPlacement AS_PROPOSED = new JobPlacement() {};

    /**
     * Decides where a new job lies. The engine proposes an id and the partition in which the job runs soonest: one that
     * this instance leads if the job is due soon, otherwise one by the hash of the id.
     *
     * <p>A store that would have to search for a row writes the way to it into the id, and lets the partition of a keyed
     * job follow from its name and key. Nothing but the id and the partition's index may differ in the answer. The id
     * stays of version 7 and keeps its {@linkplain io.delayjob.job.JobId#madeAtMillis() time}. A job without a key keeps
     * the proposed partition. A job that is already placed is answered unchanged.
     */
    default NewJob place(NewJob proposed) {
        return proposed;
    }

    /**
     * The group of a partition, any number: rows of one group share a transaction or a node. Each call of {@link
     * JobTransitions} with rows holds rows of one group.
     */
    default int groupOf(Partition partition) {
        return 0;
    }
}
