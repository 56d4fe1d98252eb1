package io.delayjob.internal.dispatch;

import io.delayjob.status.SlotUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The worker slots of one queue on this instance, and the lanes that compete for them. The lanes keep the sums. Guarded
 * by the lock of {@link Lanes}.
 */
final class Slots {

    final String queue;
    final int limit;
    final Turns<Lane> claimTurns = new Turns<>();
    final Turns<Lane> startTurns = new Turns<>();
    final List<Lane> lanes = new ArrayList<>();

    /** Number of slots taken. */
    int taken;

    /** Number of slots taken by slow handlers. It is unknown when they become free. */
    int takenBySlow;

    /** Number of slots taken by slow handlers, and of their claims that wait for a slot. */
    int heldBySlow;

    /** Number of fast handlers that have anything to start, now or soon. */
    int busyFastLanes;

    Slots(String queue, int limit) {
        this.queue = queue;
        this.limit = limit;
    }

    SlotUse use() {
        return new SlotUse(taken, lanes.stream().mapToInt(Lane::waitingForSlot).sum(), limit);
    }

    /** Gives a free slot to the next claimed job; {@code null} if there is no free slot or no such job. */
    @Nullable
    Ticket start() {
        return taken < limit ? startTurns.next(Lane::start) : null;
    }

    /** Takes out the claimed jobs that have waited for a slot since before that time. */
    List<Ticket> dropOverstayed(Instant before) {
        List<Ticket> dropped = new ArrayList<>(0);
        lanes.forEach(lane -> dropped.addAll(lane.dropClaimed(before)));
        return dropped;
    }

    /** Notes that claimed jobs found no slot for that long, so each job in a slot takes at least as long. */
    void waitedInVain(long nanos) {
        lanes.stream().filter(Lane::isRunning).forEach(lane -> lane.measured(nanos));
    }
}
