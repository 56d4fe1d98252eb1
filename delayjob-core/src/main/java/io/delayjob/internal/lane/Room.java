package io.delayjob.internal.lane;

/**
 * Counts the places in memory for due rows. All lanes and gates share these places. The lock of {@link Tickets} guards
 * this object.
 */
public final class Room {

    private final int max;

    int ready;

    int waitingAtGates;

    int withoutSlot;

    /**
     * @param max maximum number of rows that wait to be claimed; also the maximum number of claimed jobs without a slot
     */
    public Room(int max) {
        this.max = max;
    }

    public int ready() {
        return ready;
    }

    public int left() {
        return max - ready - waitingAtGates;
    }

    /** Rows at gates may use at most half of the places. */
    int leftForGates() {
        return left() - waitingAtGates;
    }

    public int leftWithoutSlot() {
        return max - withoutSlot;
    }
}
