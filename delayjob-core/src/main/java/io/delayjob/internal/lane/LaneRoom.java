package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.time.Duration;

/**
 * Limits how many rows of one lane are kept in memory. Rows are of two kinds: rows that are on time, and rows from a
 * sweep. A lane compares its number of rows of one kind with the number of free places. It takes another row of this
 * kind only while its own number is lower. So free places are always left for other lanes. Of the rows that a sweep
 * reads, a lane keeps only as many as can start before the next rows are read. In a lane with fair keys, the rows of
 * one key get only a part of the free places. So the first rows of other keys always find free places, too. The lock of
 * {@link Tickets} guards this object.
 */
public final class LaneRoom {

    /**
     * Maximum number of rows that a lane keeps from a sweep. A lane also keeps at most this number of rows of one fair
     * key from a scout. A scout is the agent that finds rows of other fair keys. Half of this number lasts until more
     * rows are read, because a lane with free places asks for more at once. More rows than this number would only fill
     * memory.
     */
    private static final int MOST_WORTH_KEEPING = 5 * LaneSlots.MAX_CLAIM_AHEAD;

    /** The free places divided by this number are the maximum number of rows of one fair key. */
    private static final int KEYS_IN_FREE_ROOM = 10;

    /**
     * A quarter of the rows worth keeping is the limit. If the lane has more swept rows of one fair key, sweeps bring
     * enough rows of this key. The lane then takes no rows of this key from a scout.
     */
    private static final int PART_OF_THE_SWEEP = 4;

    private final Lane lane;
    private final Room room;
    private final FairRows rows;
    private final long sweepIntervalNanos;

    /**
     * Whether this lane has refused rows and is therefore closed for rows of a sweep. The lane opens again when half of
     * its places are free.
     */
    private boolean full;

    /**
     * Whether this lane has reported that it has enough overdue rows. After such a report, the lane also reports when
     * it no longer has enough overdue rows.
     */
    private boolean sated;

    /**
     * Whether the lane has refused rows of fair keys after the scout's last question.
     */
    private boolean hides;

    LaneRoom(Lane lane, Room room, Duration sweepInterval) {
        this.lane = lane;
        this.room = room;
        this.rows = lane.rows.inTurns;
        this.sweepIntervalNanos = sweepInterval.toNanos();
    }

    /**
     * If only the places for the ticket's fair key are used up, the lane is not treated as full. It still takes rows
     * from a sweep.
     */
    boolean admits(Ticket offered) {
        boolean admitted = lane.limits.haveSlots() && roomFor(offered) > 0;
        if (!admitted && offered.kind != Kind.SCOUTED) {
            full |= offered.kind == Kind.OVERDUE || !rows.isFair(offered);
            leavesInTable(offered);
        }
        return admitted;
    }

    /**
     * The row stays only in the store, so a scout must search the rows after it for other fair keys.
     */
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

    /**
     * Returns a positive number if a fair key that has {@code ofKey} waiting rows may have one more.
     */
    private int forKey(int ofKey) {
        return room.left() - lane.rows.size() - KEYS_IN_FREE_ROOM * ofKey;
    }

    private int forScouted(int ofKey) {
        return Math.min(forKey(ofKey), MOST_WORTH_KEEPING - ofKey);
    }

    private boolean isBroughtBySweep(Ticket offered) {
        return PART_OF_THE_SWEEP * rows.ofKey(offered, Kind.OVERDUE) > worthKeeping();
    }

    /** Returns how many more rows of a sweep this lane can take. */
    public int forOverdue() {
        return full ? 0 : Math.max(0, whenNotFull());
    }

    private int whenNotFull() {
        // The rows of a few keys must not fill the half of the places that a lane may use.
        int leaves = rows.areFair() ? 3 : 1;
        // Each row that is kept raises the number of swept rows by one, and lowers the number of free places by one.
        int free = (room.left() - leaves * rows.swept() + leaves) / (leaves + 1);
        return Math.min(free, worthKeeping() - rows.swept());
    }

    private int worthKeeping() {
        return (int) Math.min(2 * lane.use.startableWithin(sweepIntervalNanos), MOST_WORTH_KEEPING);
    }

    /**
     * Tells whether the lane has enough overdue rows to last until more can be read. Half of the rows that are worth
     * keeping are enough, and so are {@link LaneSlots#MAX_CLAIM_AHEAD} rows.
     */
    public boolean hasEnough() {
        return rows.swept() >= Math.min(worthKeeping() / 2, LaneSlots.MAX_CLAIM_AHEAD);
    }

    /**
     * Records that a reading agent now knows that the lane has enough overdue rows. When the lane needs rows again,
     * {@link #wantsMore} returns {@code true}.
     */
    public void reportedEnough() {
        sated = true;
    }

    /**
     * Tells whether this lane wants rows again. There are two reasons: a full lane has free places again, or a lane
     * with enough rows no longer has enough. Each of these changes is told only once.
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
     * Tells whether the store may hide rows of other fair keys. These rows are hidden if they come after rows that find
     * no free place in memory. Rows may be hidden if memory has no free place now. They may also be hidden if a row
     * found no free place since the last call.
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
