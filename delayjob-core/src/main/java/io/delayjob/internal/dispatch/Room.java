package io.delayjob.internal.dispatch;

/**
 * How many due rows are kept in memory, and how lanes share it. A lane keeps no more rows of a kind than is still free, so
 * there is always room left for the others. It keeps no more overdue rows than can start before the next sweep. Guarded
 * by the lock of {@link Tickets}.
 */
final class Room {

    private final int max;
    private final long sweepIntervalNanos;

    /** Rows that wait to be claimed, of all lanes. */
    int ready;

    /** Jobs that are claimed, or being claimed, and have no slot, of all lanes. */
    int withoutSlot;

    Room(Bounds bounds) {
        this.max = bounds.maxReady();
        this.sweepIntervalNanos = bounds.sweepInterval().toNanos();
    }

    int left() {
        return max - ready;
    }

    /** How many more jobs may be claimed that have no slot. */
    int leftWithoutSlot() {
        return max - withoutSlot;
    }

    /** Whether there is room for this one; a lane without is full from now on. */
    boolean admits(Ticket offered) {
        Lane lane = offered.lane;
        int room = !offered.overdue
                ? left() - lane.onTime()
                : offered.isPassedOver() ? left() - lane.overdue() : overdueRows(lane);
        lane.full |= room <= 0;
        return room > 0;
    }

    /** How many more overdue rows this lane takes. */
    int overdueRows(Lane lane) {
        return lane.full ? 0 : Math.max(0, whenNotFull(lane));
    }

    private int whenNotFull(Lane lane) {
        // Each row that is kept is one more here and one less that is free.
        return Math.min((left() - lane.overdue() + 1) / 2, worthKeeping(lane) - lane.overdue());
    }

    /** Twice what can start before the next sweep. */
    private int worthKeeping(Lane lane) {
        return (int) Math.min(2 * lane.startableWithin(sweepIntervalNanos), Integer.MAX_VALUE / 2);
    }

    /** Whether its overdue rows last until more can be read: half of those worth keeping. */
    boolean hasEnough(Lane lane) {
        return lane.overdue() >= Math.min(worthKeeping(lane) / 2, Lane.MAX_CLAIM_AHEAD);
    }

    /** Whether a lane that was full has room again, or one that had enough no longer has: asked once, told once. */
    boolean wantsMore(Lane lane) {
        // By halves, so that a backlog is fetched in pages and not row by row.
        boolean roomAgain = lane.full && whenNotFull(lane) >= Math.max(1, lane.overdue());
        boolean enoughNoLonger = lane.sated && !hasEnough(lane);
        lane.full &= !roomAgain;
        lane.sated &= !enoughNoLonger;
        return roomAgain || enoughNoLonger;
    }
}
