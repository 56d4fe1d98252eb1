package io.delayjob.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** The worker slots of one queue on this instance. Guarded by the lock of {@link Lanes}. */
final class QueueSlots {

    final String name;
    final int limit;

    /** The lanes that compete for them, and in which order: to be claimed for one, and to be given one. */
    private final List<Lane> lanes = new ArrayList<>();

    final Turns<Lane> claimTurns = new Turns<>();
    final Turns<Lane> startTurns = new Turns<>();

    /** Slots taken. */
    int running;

    QueueSlots(String name, int limit) {
        this.name = name;
        this.limit = limit;
    }

    void add(Lane lane) {
        lanes.add(lane);
        claimTurns.add(lane, lane.handler.priority());
        startTurns.add(lane, lane.handler.priority());
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
        for (Lane lane : lanes) {
            sum += lane.claimed.size() + lane.coming.size();
        }
        return sum;
    }

    /** Fast handlers that share the slots now; at least one. */
    int busyFastLanes() {
        int busy = 0;
        for (Lane lane : lanes) {
            busy += lane.isFast() && lane.isBusy() ? 1 : 0;
        }
        return Math.max(1, busy);
    }

    /** Claimed jobs found no slot for so long: whatever has one takes at least as long. */
    void waitedInVain(long nanos) {
        for (Lane lane : lanes) {
            if (lane.running > 0) {
                lane.measured(nanos);
            }
        }
    }

    private int ofSlow(ToIntFunction<Lane> count) {
        int sum = 0;
        for (Lane lane : lanes) {
            sum += lane.isFast() ? 0 : count.applyAsInt(lane);
        }
        return sum;
    }
}
