package io.delayjob.internal.limit;

import io.delayjob.job.Partition;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * The leases of this instance, by which limits of the cluster are kept.
 *
 * @param partitions number of partitions of a queue
 * @param led number of partitions of a queue that this instance leads at the moment
 * @param term number of the lease under which this instance leads a partition now; 0 if it does not lead the
 *     partition. A lease that was lost and taken again has another number
 * @param onRunningToRead called when a lease has begun under which the running rows must be read, or when tickets wait
 *     for rows that run elsewhere
 */
public record Leases(
        int partitions, ToIntFunction<String> led, ToLongFunction<Partition> term, Runnable onRunningToRead) {

    /** Returns the number of the lease under which this instance leads a partition now; 0 if it does not lead it. */
    public long termOf(Partition partition) {
        return term.applyAsLong(partition);
    }

    /** Returns the partition whose leader decides about this key. */
    public Partition homeOf(String queue, String key) {
        return Partition.ofKey(queue, key, partitions);
    }

    /** Returns the part of the partitions of a queue that this instance leads, 0 to 1. */
    double shareOf(String queue) {
        return (double) led.applyAsInt(queue) / partitions;
    }
}
