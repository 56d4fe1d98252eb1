package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.time.Duration;

/**
 * The room that one lane may use. A lane keeps at most as many rows of a kind as are still free, so there is always
 * room left for other lanes. A lane keeps no more overdue rows than last until more are read. In a lane with fair keys,
 * a key has a part of the room that is still free. So there is always room left for the first rows of other keys.
 * Guarded by the lock of {@link Tickets}.
 */
public final class LaneRoom {

    /**
     * Maximum number of overdue rows of a lane that are worth keeping. Half of them last until more are read, because a
     * lane that has room again asks for more at once. More rows would only fill memory.
     */
    private static final int MOST_WORTH_KEEPING = 5 * LaneSlots.MAX_CLAIM_AHEAD;

    /** Part of the free room that the rows of one fair key may use: one in this number. */
    private static final int KEYS_IN_FREE_ROOM = 10;

    private final Lane lane;
    private final Room room;
    private final FairRows overdue;
    private final long sweepIntervalNanos;

    /**
     * Whether this lane has refused rows since it last had room. If so, it takes no overdue rows until half of its room
     * is free.
     */
    private boolean full;

    /** Whether this lane was reported to have enough overdue rows. When it no longer has enough, it reports that. */
    private boolean sated;

    /** Whether the usual room was too small for rows of fair keys since a scout last asked. */
    private boolean tooSmallForKeys;

    LaneRoom(Lane lane, Room room, FairRows overdue, Duration sweepInterval) {
        this.lane = lane;
        this.room = room;
        this.overdue = overdue;
        this.sweepIntervalNanos = sweepInterval.toNanos();
    }

    /** Tells whether there is room for this ticket. If not, the lane is full from now on. */
    boolean admits(Ticket offered) {
        boolean haveSlots = lane.limits.haveSlots();
        int free = haveSlots ? roomFor(offered) : 0;
        boolean fair = haveSlots && overdue.areFairWith(offered);
        full |= free <= 0;
        tooSmallForKeys |= fair && free <= 0;
        return free > 0 || fair && roomForKey(offered) > 0;
    }

    private int roomFor(Ticket offered) {
        if (offered.kind == Kind.ON_TIME) {
            return overdue.areFairWith(offered) ? roomForKey(offered) : room.left() - lane.rows.onTime();
        }
        return offered.isPassedOver() ? room.left() - overdue.size() : forOverdue();
    }

    /** Returns a positive number if one more row of its fair key may wait. */
    private int roomForKey(Ticket offered) {
        int ofKey = overdue.ofKey(offered);
        int free = room.left() - lane.rows.size() - KEYS_IN_FREE_ROOM * ofKey;
        return offered.kind == Kind.ON_TIME ? free : Math.min(free, MOST_WORTH_KEEPING - ofKey);
    }

    /** Returns how many more overdue rows this lane takes. */
    public int forOverdue() {
        return full ? 0 : Math.max(0, whenNotFull());
    }

    private int whenNotFull() {
        // The rows of few keys must not fill the half that a lane may use.
        int leaves = overdue.areFair() ? 3 : 1;
        // Each row that is kept raises one number by one and lowers the free room by one.
        int free = (room.left() - leaves * overdue.size() + leaves) / (leaves + 1);
        return Math.min(free, worthKeeping() - overdue.size());
    }

    /** Returns twice the number of jobs that can start before the next sweep, up to a limit. */
    private int worthKeeping() {
        return (int) Math.min(2 * lane.use.startableWithin(sweepIntervalNanos), MOST_WORTH_KEEPING);
    }

    /** Tells whether the overdue rows last until more can be read. Half of the maximum lasts that long. */
    public boolean hasEnough() {
        return overdue.size() >= Math.min(worthKeeping() / 2, LaneSlots.MAX_CLAIM_AHEAD);
    }

    /** Notes that a reader was told that there are enough overdue rows. It {@link #wantsMore} when that changes. */
    public void reportedEnough() {
        sated = true;
    }

    /** Tells whether a full lane has room again, or a lane no longer has enough. Says so only once for each change. */
    public boolean wantsMore() {
        // The limit is a half, so that a backlog is fetched in pages and not row by row.
        boolean roomAgain = full && whenNotFull() >= Math.max(1, overdue.size());
        boolean enoughNoLonger = sated && !hasEnough();
        full &= !roomAgain;
        sated &= !enoughNoLonger;
        return roomAgain || enoughNoLonger;
    }

    /**
     * Tells whether rows of other fair keys may lie behind the rows for which the sweep has no room here. Says so once
     * if there is room again.
     */
    public boolean wantsScout() {
        boolean hidden = overdue.areFair() && lane.limits.haveSlots() && forOverdue() == 0;
        boolean wanted = !lane.isPaused() && (hidden || tooSmallForKeys);
        tooSmallForKeys = false;
        return wanted;
    }

    /** Notes that the lane has forgotten its rows. */
    void emptied() {
        full = false;
    }
}
