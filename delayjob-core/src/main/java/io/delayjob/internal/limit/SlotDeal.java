package io.delayjob.internal.limit;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import org.jspecify.annotations.Nullable;

/**
 * Says to which partitions of a handler's queue the slots of its limit in the cluster belong. They are spread as evenly
 * as possible. All instances deal alike.
 *
 * <pre>
 *   partition    0   1   2   3   4   5   6   7
 *   3 slots      .   .   o   .   .   o   .   o
 *   10 slots     o   o   o   oo  o   o   o   oo       turned by the hash of the handler's name
 * </pre>
 *
 * @param slots maximum number of attempts at a time on all instances
 * @param turn number of partitions by which the slots are turned, so that handlers with few slots use different
 *     partitions
 * @param partitions number of partitions of a queue
 */
public record SlotDeal(int slots, int turn, int partitions) {

    /** Returns the deal of a handler; {@code null} if it has no limit in the cluster. */
    public static @Nullable SlotDeal of(Handler handler, int partitions) {
        return handler.scope() == ConcurrencyScope.CLUSTER
                ? new SlotDeal(
                        handler.concurrency(), Math.floorMod(handler.name().hashCode(), partitions), partitions)
                : null;
    }

    /** Returns the number of slots that belong to a partition. A partition beyond the configured number has none. */
    public int slotsOf(int partition) {
        if (partition >= partitions) {
            return 0;
        }
        long place = Math.floorMod(partition - turn, partitions);
        return (int) ((place + 1) * slots / partitions - place * slots / partitions);
    }

    /** Returns the partition to which a slot belongs. A hash selects the slot. */
    public int partitionOf(int hash) {
        long slot = Math.floorMod(hash, slots);
        long place = ((slot + 1) * partitions + slots - 1) / slots - 1;
        return (int) ((place + turn) % partitions);
    }
}
