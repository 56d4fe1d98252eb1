package io.delayjob.internal.dispatch;

import io.delayjob.internal.limit.Leases;
import io.delayjob.job.Partition;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Connects the lanes with other components.
 *
 * @param expectsRows tells whether rows in memory are waiting for their due time
 * @param term see {@link Leases}
 * @param onRunningToRead is called when the rows of jobs that run on other instances must be read
 * @param onRoom is called when a full lane can take many rows again, or a lane no longer has enough rows
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
