package io.delayjob.internal.lane;

/**
 * The room for due rows in memory, which lanes and gates share. {@link LaneRoom} is the part of a lane. Guarded by the
 * lock of {@link Tickets}.
 */
public final class Room {

    private final int max;

    /** Number of rows that wait to be claimed, over all lanes. */
    int ready;

    /** Number of rows that wait beside the lanes at gates. */
    int waitingAtGates;

    /** Number of jobs without a slot that are claimed or being claimed, over all lanes. */
    int withoutSlot;

    /** @param max maximum number of rows that wait to be claimed, and of claimed jobs without a slot */
    public Room(int max) {
        this.max = max;
    }

    /** Returns the number of rows that wait to be claimed, over all lanes. */
    public int ready() {
        return ready;
    }

    /** Returns how many more rows may wait to be claimed. */
    public int left() {
        return max - ready - waitingAtGates;
    }

    /** Returns how many more rows may wait at gates. At least half of the room is left to lanes. */
    int leftForGates() {
        return left() - waitingAtGates;
    }

    /** Returns how many more jobs without a slot may be claimed. */
    public int leftWithoutSlot() {
        return max - withoutSlot;
    }
}
