package io.delayjob.internal.limit;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Says to which partitions of a handler's queue the slots of its limit in the cluster belong. They are spread as evenly
 * as possible. All instances deal alike.
 *
 * <pre>
 *   partition    0   1   2   3   4   5   6   7
 *   3 slots      o   .   o   .   .   o   .   .
 *   10 slots     o   o   oo  o   o   oo  o   o        turned by the hash of the handler's name
 * </pre>
 *
 * A partition never gets fewer slots if the limit is raised. So while instances with two limits run, the slots that
 * all of them own together are never more than the higher limit.
 *
 * @param slots maximum number of attempts at a time on all instances
 * @param turn number of partitions by which the slots are turned, so that handlers with few slots use different
 *     partitions
 * @param partitions number of partitions of a queue
 */
public record SlotDeal(int slots, int turn, int partitions) {

    /** Steps of this part of a circle spread any number of points well over it. */
    private static final double GOLDEN_SECTION = 0.618;

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
        boolean hasOneMore =
                IntStream.range(0, slots % partitions).anyMatch(slot -> partitionOfSlot(slot) == partition);
        return slots / partitions + (hasOneMore ? 1 : 0);
    }

    /** Returns the partition to which a slot belongs. A hash selects the slot. */
    public int partitionOf(int hash) {
        return partitionOfSlot(Math.floorMod(hash, slots));
    }

    private int partitionOfSlot(int slot) {
        return (int) (((long) slot % partitions * step() + turn) % partitions);
    }

    /** Returns the distance between the partitions of two consecutive slots. It leads through all partitions. */
    private int step() {
        int step = Math.max(1, (int) (partitions * GOLDEN_SECTION));
        while (greatestCommonDivisor(step, partitions) > 1) {
            step--;
        }
        return step;
    }

    private static int greatestCommonDivisor(int one, int other) {
        return other == 0 ? one : greatestCommonDivisor(other, one % other);
    }
}
