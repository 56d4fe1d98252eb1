package io.delayjob.internal.dispatch;

import io.delayjob.internal.dispatch.Ticket.Kind;
import java.time.Duration;

/**
 * The room for due rows in memory, which lanes share. A lane keeps at most as many rows of a kind as are still free, so
 * there is always room left for other lanes. A lane keeps no more overdue rows than last until more are read. In a lane
 * with fair keys, a key has a part of the room that is still free. So there is always room left for the first rows of
 * other keys. Guarded by the lock of {@link Lanes}.
 */
final class Room {

    /**
     * Maximum number of overdue rows of a lane that are worth keeping. Half of them last until more are read, because a
     * lane that has room again asks for more at once. More rows would only fill memory.
     */
    private static final int MOST_WORTH_KEEPING = 5 * Lane.MAX_CLAIM_AHEAD;

    /** Part of the free room that the rows of one fair key may use: one in this number. */
    private static final int KEYS_IN_FREE_ROOM = 10;

    private final int max;
    private final long sweepIntervalNanos;

    /** Number of rows that wait to be claimed, over all lanes. */
    int ready;

    /** Number of rows that wait beside the lanes at gates. */
    int waitingAtGates;

    /** Number of jobs without a slot that are claimed or being claimed, over all lanes. */
    int withoutSlot;

    Room(int max, Duration sweepInterval) {
        this.max = max;
        this.sweepIntervalNanos = sweepInterval.toNanos();
    }

    int left() {
        return max - ready - waitingAtGates;
    }

    /** Returns how many more rows may wait at gates. At least half of the room is left to lanes. */
    int leftForGates() {
        return left() - waitingAtGates;
    }

    /** Returns how many more jobs without a slot may be claimed. */
    int leftWithoutSlot() {
        return max - withoutSlot;
    }

    /** Tells whether there is room for this ticket. If not, its lane is full from now on. */
    boolean admits(Ticket offered) {
        Lane lane = offered.lane;
        boolean haveSlots = lane.limits.haveSlots();
        int room = haveSlots ? roomFor(offered) : 0;
        boolean fair = haveSlots && lane.overdue.areFairWith(offered);
        lane.full |= room <= 0;
        lane.wantsScout |= fair && room <= 0;
        return room > 0 || fair && roomForKey(offered) > 0;
    }

    private int roomFor(Ticket offered) {
        Lane lane = offered.lane;
        if (offered.kind == Kind.ON_TIME) {
            return lane.overdue.areFairWith(offered) ? roomForKey(offered) : left() - lane.onTime();
        }
        return offered.isPassedOver() ? left() - lane.overdue() : overdueRows(lane);
    }

    /** Returns a positive number if one more row of its fair key may wait. */
    private int roomForKey(Ticket offered) {
        Lane lane = offered.lane;
        int ofKey = lane.overdue.ofKey(offered);
        int room = left() - lane.ready() - KEYS_IN_FREE_ROOM * ofKey;
        return offered.kind == Kind.ON_TIME ? room : Math.min(room, MOST_WORTH_KEEPING - ofKey);
    }

    /** Returns how many more overdue rows this lane takes. */
    int overdueRows(Lane lane) {
        return lane.full ? 0 : Math.max(0, whenNotFull(lane));
    }

    private int whenNotFull(Lane lane) {
        // The rows of few keys must not fill the half that a lane may use.
        int leaves = lane.overdue.areFair() ? 3 : 1;
        // Each row that is kept raises one number by one and lowers the free room by one.
        int free = (left() - leaves * lane.overdue() + leaves) / (leaves + 1);
        return Math.min(free, worthKeeping(lane) - lane.overdue());
    }

    /**
     * Tells whether rows of other fair keys may lie behind the rows for which the sweep has no room here. Says so once
     * if there is room again.
     */
    boolean wantsScout(Lane lane) {
        boolean hidden = lane.overdue.areFair() && lane.limits.haveSlots() && overdueRows(lane) == 0;
        boolean wanted = !lane.paused && (hidden || lane.wantsScout);
        lane.wantsScout = false;
        return wanted;
    }

    /** Returns twice the number of jobs that can start before the next sweep, up to a limit. */
    private int worthKeeping(Lane lane) {
        return (int) Math.min(2 * lane.startableWithin(sweepIntervalNanos), MOST_WORTH_KEEPING);
    }

    /** Tells whether a lane's overdue rows last until more can be read. Half of the maximum lasts that long. */
    boolean hasEnough(Lane lane) {
        return lane.overdue() >= Math.min(worthKeeping(lane) / 2, Lane.MAX_CLAIM_AHEAD);
    }

    /** Tells whether a full lane has room again, or a lane no longer has enough. Says so only once for each change. */
    boolean wantsMore(Lane lane) {
        // The limit is a half, so that a backlog is fetched in pages and not row by row.
        boolean roomAgain = lane.full && whenNotFull(lane) >= Math.max(1, lane.overdue());
        boolean enoughNoLonger = lane.sated && !hasEnough(lane);
        lane.full &= !roomAgain;
        lane.sated &= !enoughNoLonger;
        return roomAgain || enoughNoLonger;
    }
}
