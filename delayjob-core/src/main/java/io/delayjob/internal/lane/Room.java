package io.delayjob.internal.lane;

/**
 * Counts the places in memory for due rows. All lanes and gates share these places. {@link LaneRoom} computes the
 * places of one lane. The lock of {@link Tickets} guards this object.
 */
public final class Room {

    private final int max;

    int ready;

    int waitingAtGates;

    /** Number of jobs in all lanes that are claimed or being claimed, and have no slot. */
    int withoutSlot;

    /**
     * @param max maximum number of rows that wait to be claimed; it is also the maximum number of claimed jobs without
     *     a slot
     */
    public Room(int max) {
        this.max = max;
    }

    /** Returns the number of rows that wait to be claimed, in all lanes. */
    public int ready() {
        return ready;
    }

    /** Returns how many more rows may wait to be claimed. */
    public int left() {
        return max - ready - waitingAtGates;
    }

    /**
     * Returns how many more rows may wait at gates. Rows at gates may use at most half of the places; the other half is
     * for the lanes.
     */
    int leftForGates() {
        return left() - waitingAtGates;
    }

    /** Returns how many more jobs without a slot may be claimed. */
    public int leftWithoutSlot() {
        return max - withoutSlot;
    }
}
