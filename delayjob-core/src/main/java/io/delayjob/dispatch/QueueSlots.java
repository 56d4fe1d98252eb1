package io.delayjob.dispatch;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.ToIntFunction;

/** The worker slots of one queue on this instance. Guarded by the lock of {@link Lanes}. */
final class QueueSlots {

    final String name;
    final int limit;

    /** The lanes that compete for them now. All others have nothing to be looked at. */
    private final Set<Lane> busy = new LinkedHashSet<>();

    /** In which order they compete: to be claimed for a slot, and to be given one. */
    final Turns<Lane> claimTurns = new Turns<>(lane -> lane.readyCount() == 0);

    final Turns<Lane> startTurns = new Turns<>(lane -> lane.claimed.isEmpty());

    /** Slots taken. */
    int running;

    QueueSlots(String name, int limit) {
        this.name = name;
        this.limit = limit;
    }

    void add(Lane lane) {
        claimTurns.add(lane, lane.handler.priority());
        startTurns.add(lane, lane.handler.priority());
    }

    /** The lanes that have anything to be started, now or soon, or that room is to be announced for. */
    Set<Lane> busy() {
        return busy;
    }

    int free() {
        return limit - running;
    }

    /** Slots that attempts of slow handlers have taken: nobody knows when they come free. */
    int takenBySlow() {
        return ofSlow(lane -> lane.running);
    }

    /** Slots taken by slow handlers, and claims of theirs that wait for one. */
    int heldBySlow() {
        return ofSlow(Lane::held);
    }

    /** Claimed jobs without a slot. */
    int claimed() {
        int sum = 0;
        for (Lane lane : busy) {
            sum += lane.claimed.size() + lane.coming.size();
        }
        return sum;
    }

    /** Fast handlers that share the slots now; at least one. */
    int busyFastLanes() {
        int fast = 0;
        for (Lane lane : busy) {
            fast += lane.isFast() && lane.isBusy() ? 1 : 0;
        }
        return Math.max(1, fast);
    }

    /** Claimed jobs found no slot for so long: whatever has one takes at least as long. */
    void waitedInVain(long nanos) {
        for (Lane lane : busy) {
            if (lane.running > 0) {
                lane.measured(nanos);
            }
        }
    }

    private int ofSlow(ToIntFunction<Lane> count) {
        int sum = 0;
        for (Lane lane : busy) {
            sum += lane.isFast() ? 0 : count.applyAsInt(lane);
        }
        return sum;
    }
}
