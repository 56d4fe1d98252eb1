package io.delayjob.internal.dispatch;

import io.delayjob.status.SlotUse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The worker slots of one queue on this instance, and the lanes that compete for them. The sums are kept by the lanes.
 * Guarded by the lock of {@link Tickets}.
 */
final class Slots {

    final String queue;
    final int limit;
    final Turns<Lane> claimTurns = new Turns<>();
    final Turns<Lane> startTurns = new Turns<>();

    /** Slots taken. */
    final Tally running = new Tally();

    /** Slots taken by slow handlers: nobody knows when they come free. */
    int takenBySlow;

    /** Slots taken by slow handlers, and claims of theirs that wait for one. */
    int heldBySlow;

    /** Fast handlers that have anything to be started, now or soon. */
    int busyFastLanes;

    private final List<Lane> lanes = new ArrayList<>();

    Slots(String queue, int limit) {
        this.queue = queue;
        this.limit = limit;
    }

    void add(Lane lane) {
        lanes.add(lane);
    }

    SlotUse use() {
        int claimed = lanes.stream()
                .mapToInt(lane -> lane.claimed.size() + lane.coming.size())
                .sum();
        return new SlotUse(running.count, claimed, limit);
    }

    int free() {
        return limit - running.count;
    }

    /** Gives a free slot to the claimed job whose turn it is, if there are both. */
    @Nullable
    Ticket start() {
        Ticket next = free() > 0 ? startTurns.next(Lane::nextToStart) : null;
        if (next != null) {
            next.lane.running.add(next);
        }
        return next;
    }

    /** Claimed jobs have found no slot for that long: what has one takes at least as long. */
    void waitedInVain(long nanos) {
        for (Lane lane : lanes) {
            if (!lane.running.isEmpty()) {
                lane.measured(nanos);
            }
        }
    }
}
