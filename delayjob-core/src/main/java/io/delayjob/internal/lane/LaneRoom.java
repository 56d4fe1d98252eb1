package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.time.Duration;

/**
 * Limits how many rows of one lane are kept in memory. A lane keeps several kinds of rows. It takes a row only if it
 * keeps fewer rows of the same kind than there are free places. So other lanes always find a free place. The lock of
 * {@link Tickets} guards this object.
 */
public final class LaneRoom {

    /**
     * Maximum number of swept rows that a lane keeps. Also the maximum number of scouted rows of one fair key. Half of
     * this number is enough until the next read.
     */
    private static final int MOST_WORTH_KEEPING = 5 * LaneSlots.MAX_CLAIM_AHEAD;

    /**
     * The number of free places is divided by this number. The result is the maximum number of rows of one fair key.
     */
    private static final int KEYS_IN_FREE_ROOM = 10;

    /** If swept rows of one key fill a quarter of the rows worth keeping, a scout need not bring rows of this key. */
    private static final int PART_OF_THE_SWEEP = 4;

    private final Lane lane;
    private final Room room;
    private final FairRows rows;
    private final long sweepIntervalNanos;

    /** If true, the lane takes no swept rows until half of its places are free. */
    private boolean full;

    private boolean sated;

    private boolean hides;

    LaneRoom(Lane lane, Room room, Duration sweepInterval) {
        this.lane = lane;
        this.room = room;
        this.rows = lane.rows.inTurns;
        this.sweepIntervalNanos = sweepInterval.toNanos();
    }

    /** If only the places of the ticket's fair key are used up, the lane is not full. */
    boolean admits(Ticket offered) {
        boolean admitted = lane.limits.haveSlots() && roomFor(offered) > 0;
        if (!admitted && offered.kind != Kind.SCOUTED) {
            full |= offered.kind == Kind.OVERDUE || !rows.isFair(offered);
            leavesInTable(offered);
        }
        return admitted;
    }

    /** A row that is not taken stays only in the store. So a scout must search later rows for other fair keys. */
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

    private int forKey(int ofKey) {
        return room.left() - lane.rows.size() - KEYS_IN_FREE_ROOM * ofKey;
    }

    private int forScouted(int ofKey) {
        return Math.min(forKey(ofKey), MOST_WORTH_KEEPING - ofKey);
    }

    private boolean isBroughtBySweep(Ticket offered) {
        return PART_OF_THE_SWEEP * rows.ofKey(offered, Kind.OVERDUE) > worthKeeping();
    }

    public int forOverdue() {
        return full ? 0 : Math.max(0, whenNotFull());
    }

    private int whenNotFull() {
        // The rows of a few keys must not fill the half of the places that a lane may use.
        int leaves = rows.areFair() ? 3 : 1;
        // Each kept row raises the number of swept rows by one, and lowers the number of free places by one.
        int free = (room.left() - leaves * rows.swept() + leaves) / (leaves + 1);
        return Math.min(free, worthKeeping() - rows.swept());
    }

    private int worthKeeping() {
        return (int) Math.min(2 * lane.use.startableWithin(sweepIntervalNanos), MOST_WORTH_KEEPING);
    }

    public boolean hasEnough() {
        return rows.swept() >= Math.min(worthKeeping() / 2, LaneSlots.MAX_CLAIM_AHEAD);
    }

    public void reportedEnough() {
        sated = true;
    }

    /**
     * Tells whether the lane wants swept rows again. Each time that the lane begins to want such rows again, only one
     * call returns {@code true}.
     */
    public boolean wantsMore() {
        // The limit is a half, so that many overdue rows are read in pages and not one by one.
        boolean roomAgain = full && whenNotFull() >= Math.max(1, rows.swept());
        boolean enoughNoLonger = sated && !hasEnough();
        full &= !roomAgain;
        sated &= !enoughNoLonger;
        return roomAgain || enoughNoLonger;
    }

    /**
     * Tells whether a scout must search the store for rows of other fair keys. Such rows may come after rows that have
     * no free place in memory.
     */
    public boolean takeScoutWish() {
        boolean hidden = hides || rows.areFair() && forOverdue() == 0;
        hides = false;
        return hidden && lane.limits.haveSlots() && !lane.isPaused();
    }

    void emptied() {
        full = false;
    }
}
