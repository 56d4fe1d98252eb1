package io.delayjob.internal.dispatch;

import io.delayjob.internal.limit.Leases;
import io.delayjob.job.Partition;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Connects the lanes with other components. Through this object, the lanes ask the other components for facts. The
 * lanes also tell the other components of changes.
 *
 * @param expectsRows tells whether rows in memory are waiting for their due time
 * @param led returns how many partitions of a queue this instance leads at present
 * @param term see {@link Leases}
 * @param onRunningToRead is called when running rows of other instances must be read. Such rows may hold a mutex, or
 *     use a slot of a limit in the cluster
 * @param onRoom is called in two cases: after a lane has refused rows, it can take many rows again; or a lane no longer
 *     has enough rows
 * @param onWork is called when there may be jobs that must be claimed or released
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
