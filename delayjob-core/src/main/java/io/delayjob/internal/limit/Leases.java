package io.delayjob.internal.limit;

import io.delayjob.job.Partition;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Tells which leases this instance has. The limits of the cluster are enforced by these leases.
 *
 * @param partitions number of partitions of a queue
 * @param led returns the number of partitions of a queue that this instance leads at present
 * @param term returns a number for the lease by which this instance leads a partition at present; 0 if this instance
 *     does not lead the partition. A lease that was lost and acquired again has another number
 * @param onRunningToRead is called when running rows must be read, because a lease has begun, or because tickets wait
 *     for rows that run on other instances
 */
public record Leases(
        int partitions, ToIntFunction<String> led, ToLongFunction<Partition> term, Runnable onRunningToRead) {

    /**
     * Returns a number for the lease by which this instance leads a partition at present; 0 if this instance does not
     * lead the partition.
     */
    public long termOf(Partition partition) {
        return term.applyAsLong(partition);
    }

    /** Returns the partition whose leader decides about this key. */
    public Partition homeOf(String queue, String key) {
        return Partition.ofKey(queue, key, partitions);
    }

    double shareOf(String queue) {
        return (double) led.applyAsInt(queue) / partitions;
    }
}
