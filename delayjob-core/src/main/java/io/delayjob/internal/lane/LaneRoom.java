package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.time.Duration;

/**
 * The room that one lane may use. A lane keeps at most as many rows of a kind as are still free, so there is always room
 * left for other lanes. A lane keeps no more rows of a sweep than last until more are read. In a lane with fair keys, all
 * other rows of a key may use a part of the room that is still free. So there is always room left for the first rows of
 * other keys. Guarded by the lock of {@link Tickets}.
 */
public final class LaneRoom {

    /**
     * Maximum number of rows of a sweep in a lane that are worth keeping, and of rows of a scout with one key. Half of
     * them last until more are read, because a lane that has room again asks for more at once. More rows would only
     * fill memory.
     */
    private static final int MOST_WORTH_KEEPING = 5 * LaneSlots.MAX_CLAIM_AHEAD;

    /** The rows of one fair key may use at most 1/n of the free room. This is n. */
    private static final int KEYS_IN_FREE_ROOM = 10;

    /**
     * A key that has one in this number of the rows that are worth keeping needs no scout, because the sweep brings
     * enough of its rows.
     */
    private static final int PART_OF_THE_SWEEP = 4;

    private final Lane lane;
    private final Room room;
    private final FairRows rows;
    private final long sweepIntervalNanos;

    /**
     * Whether this lane has refused rows since it last had room. If so, it takes no rows of a sweep until half of its
     * room is free.
     */
    private boolean full;

    /** Whether this lane was reported to have enough overdue rows. When it no longer has enough, it reports that. */
    private boolean sated;

    /** Whether rows were refused since a scout last asked, although fair keys take turns. */
    private boolean hides;

    LaneRoom(Lane lane, Room room, Duration sweepInterval) {
        this.lane = lane;
        this.room = room;
        this.rows = lane.rows.inTurns;
        this.sweepIntervalNanos = sweepInterval.toNanos();
    }

    /**
     * Tells whether there is room for this ticket. If not, the lane takes no more rows of a sweep for a while, unless only
     * the part of the room for its fair key was too small.
     */
    boolean admits(Ticket offered) {
        boolean admitted = lane.limits.haveSlots() && roomFor(offered) > 0;
        if (!admitted && offered.kind != Kind.SCOUTED) {
            full |= offered.kind == Kind.OVERDUE || !rows.isFair(offered);
            leavesInTable(offered);
        }
        return admitted;
    }

    /** Notes that a row stays in the table, so that a scout must look for the rows of other fair keys behind it. */
    void leavesInTable(Ticket offered) {
        hides |= rows.isFair(offered);
    }

    private int roomFor(Ticket offered) {
        return switch (offered.kind) {
            case ON_TIME -> rows.isFair(offered) ? forKey(rows.ofKey(offered)) : room.left() - lane.rows.onTime();
            case OVERDUE -> offered.isPassedOver() ? room.left() - rows.swept() : forOverdue();
            case SCOUTED -> isBroughtBySweep(offered) ? 0 : forScouted(rows.ofKey(offered, Kind.SCOUTED));
        };
    }

    /** Returns a positive number if one more row of a fair key that has this number of rows may wait. */
    private int forKey(int ofKey) {
        return room.left() - lane.rows.size() - KEYS_IN_FREE_ROOM * ofKey;
    }

    private int forScouted(int ofKey) {
        return Math.min(forKey(ofKey), MOST_WORTH_KEEPING - ofKey);
    }

    private boolean isBroughtBySweep(Ticket offered) {
        return PART_OF_THE_SWEEP * rows.ofKey(offered, Kind.OVERDUE) > worthKeeping();
    }

    /** Returns how many more rows of a sweep this lane takes. */
    public int forOverdue() {
        return full ? 0 : Math.max(0, whenNotFull());
    }

    private int whenNotFull() {
        // The rows of few keys must not fill the half that a lane may use.
        int leaves = rows.areFair() ? 3 : 1;
        // Each row that is kept raises one number by one and lowers the free room by one.
        int free = (room.left() - leaves * rows.swept() + leaves) / (leaves + 1);
        return Math.min(free, worthKeeping() - rows.swept());
    }

    /** Returns twice the number of jobs that can start before the next sweep, up to a limit. */
    private int worthKeeping() {
        return (int) Math.min(2 * lane.use.startableWithin(sweepIntervalNanos), MOST_WORTH_KEEPING);
    }

    /** Tells whether the overdue rows last until more can be read. Half of the maximum lasts that long. */
    public boolean hasEnough() {
        return rows.swept() >= Math.min(worthKeeping() / 2, LaneSlots.MAX_CLAIM_AHEAD);
    }

    /** Notes that a reader was told that there are enough overdue rows. It {@link #wantsMore} when that changes. */
    public void reportedEnough() {
        sated = true;
    }

    /** Tells whether a full lane has room again, or a lane no longer has enough. Says so only once for each change. */
    public boolean wantsMore() {
        // The limit is a half, so that a backlog is fetched in pages and not row by row.
        boolean roomAgain = full && whenNotFull() >= Math.max(1, rows.swept());
        boolean enoughNoLonger = sated && !hasEnough();
        full &= !roomAgain;
        sated &= !enoughNoLonger;
        return roomAgain || enoughNoLonger;
    }

    /**
     * Tells whether rows of other fair keys may lie behind rows that have found no room here, now or since the last call.
     */
    public boolean takeScoutWish() {
        boolean hidden = hides || rows.areFair() && forOverdue() == 0;
        hides = false;
        return hidden && lane.limits.haveSlots() && !lane.isPaused();
    }

    /** Notes that the lane has forgotten its rows. */
    void emptied() {
        full = false;
    }
}
