package io.delayjob.internal.dispatch;

import io.delayjob.internal.limit.Leases;
import io.delayjob.job.Partition;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Questions that the lanes ask other components, and calls that tell these components of a change.
 *
 * @param expectsRows whether rows wait in memory for their time
 * @param led number of partitions of a queue that this instance leads at the moment
 * @param term see {@link Leases}
 * @param onRunningToRead called when running rows of other instances must be read, because they may hold a mutex or use
 *     a slot of a limit in the cluster
 * @param onRoom called when a lane that had refused rows has much room again, or no longer has enough rows
 * @param onWork called when there may be something to claim or to release
 */
public record Neighbours(
        BooleanSupplier expectsRows,
        ToIntFunction<String> led,
        ToLongFunction<Partition> term,
        Runnable onRunningToRead,
        Runnable onRoom,
        Runnable onWork) {

    Leases leases(int partitions) {
        return new Leases(partitions, led, term, onRunningToRead);
    }
}
