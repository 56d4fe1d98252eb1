package io.delayjob.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** The worker slots of one queue on this instance. Guarded by the lock of {@link Lanes}. */
final class QueueSlots {

    final String name;
    final int limit;

    /** The lanes that compete for them. */
    final List<Lane> lanes = new ArrayList<>();

    /** Slots taken. */
    int running;

    QueueSlots(String name, int limit) {
        this.name = name;
        this.limit = limit;
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

    private int ofSlow(ToIntFunction<Lane> count) {
        int sum = 0;
        for (Lane lane : lanes) {
            sum += lane.isFast() ? 0 : count.applyAsInt(lane);
        }
        return sum;
    }
}
