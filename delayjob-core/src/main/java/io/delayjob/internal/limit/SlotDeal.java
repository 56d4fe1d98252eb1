package io.delayjob.internal.limit;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A handler may have a limit for the whole cluster. This class distributes the slots of such a limit evenly over the
 * partitions of the handler's queue. All instances compute the same distribution.
 *
 * <pre>
 *   partition    0   1   2   3   4   5   6   7
 *   3 slots      o   .   o   .   .   o   .   .
 *   10 slots     o   o   oo  o   o   oo  o   o        turned by the hash of the handler's name
 * </pre>
 *
 * <p>A higher limit never gives a partition fewer slots. So even if instances have different limits, all instances
 * together never own more slots than the highest limit.
 *
 * @param slots maximum number of attempts at a time on all instances
 * @param turn number of the partition that gets the first slot; depends on the handler, so that handlers with few slots
 *     use different partitions
 * @param partitions number of partitions of a queue
 */
public record SlotDeal(int slots, int turn, int partitions) {

    /** Points at this distance on a circle are well distributed, however many there are. */
    private static final double GOLDEN_SECTION = 0.618;

    public static @Nullable SlotDeal of(Handler handler, int partitions) {
        return handler.scope() == ConcurrencyScope.CLUSTER
                ? new SlotDeal(
                        handler.concurrency(), Math.floorMod(handler.name().hashCode(), partitions), partitions)
                : null;
    }

    /** A partition beyond the configured number has no slots. */
    public int slotsOf(int partition) {
        if (partition >= partitions) {
            return 0;
        }
        boolean hasOneMore =
                IntStream.range(0, slots % partitions).anyMatch(slot -> partitionOfSlot(slot) == partition);
        return slots / partitions + (hasOneMore ? 1 : 0);
    }

    public int partitionOf(int hash) {
        return partitionOfSlot(Math.floorMod(hash, slots));
    }

    private int partitionOfSlot(int slot) {
        return (int) (((long) slot % partitions * step() + turn) % partitions);
    }

    /** The step and the number of partitions have no common divisor. So consecutive slots reach all partitions. */
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
