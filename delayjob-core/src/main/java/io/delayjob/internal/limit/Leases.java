package io.delayjob.internal.limit;

import io.delayjob.job.Partition;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Tells which leases this instance has. The limits of the cluster are enforced by these leases.
 *
 * @param partitions number of partitions of a queue
 * @param led returns how many partitions of a queue this instance leads at present
 * @param term returns the number of the lease that makes this instance the leader of a partition at present; 0 if this
 *     instance is not the leader. A lease that was lost and acquired again has another number
 * @param onRunningToRead is called when running rows must be read. There are two reasons: a lease has begun, or tickets
 *     wait for rows that run on other instances
 */
public record Leases(
        int partitions, ToIntFunction<String> led, ToLongFunction<Partition> term, Runnable onRunningToRead) {

    /**
     * Returns the number of the lease that makes this instance the leader of the partition at present; 0 if this
     * instance is not the leader.
     */
    public long termOf(Partition partition) {
        return term.applyAsLong(partition);
    }

    /** Returns the home partition of this key. The leader of this partition decides about the key. */
    public Partition homeOf(String queue, String key) {
        return Partition.ofKey(queue, key, partitions);
    }

    double shareOf(String queue) {
        return (double) led.applyAsInt(queue) / partitions;
    }
}
