package io.delayjob.internal.limit;

import io.delayjob.job.Partition;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Tells which leases this instance has.
 *
 * @param led returns how many partitions of a queue this instance leads
 * @param term returns the number of this instance's lease; 0 if it has none. A lease that was lost and acquired again
 *     has another number
 * @param onRunningToRead is called when a lease has begun, or when tickets wait for rows that run on other instances
 */
public record Leases(
        int partitions, ToIntFunction<String> led, ToLongFunction<Partition> term, Runnable onRunningToRead) {

    public long termOf(Partition partition) {
        return term.applyAsLong(partition);
    }

    /** Returns the partition that decides about this key. */
    public Partition homeOf(String queue, String key) {
        return Partition.ofKey(queue, key, partitions);
    }

    public boolean leadsAny(String queue) {
        return led.applyAsInt(queue) > 0;
    }

    double shareOf(String queue) {
        return (double) led.applyAsInt(queue) / partitions;
    }
}
