package io.delayjob.internal.lane;

import io.delayjob.internal.limit.LaneLimits;

/**
 * Counts the slots that one lane uses in its queue. This class also computes how many rows the lane may still claim for
 * slots. If the handler is fast, the number of claimed rows may exceed the number of free slots. The lock of {@link
 * Tickets} guards this object.
 */
final class LaneSlots {

    /**
     * Maximum number of claimed jobs without a slot. The number is limited for two reasons: these jobs fill memory with
     * their payloads, and other instances cannot start these jobs.
     */
    static final int MAX_CLAIM_AHEAD = 2_000;

    private final Room room;
    private final Slots slots;
    private final LaneLimits limits;
    private final Pace pace = new Pace();

    LaneSlots(Room room, Slots slots, LaneLimits limits) {
        this.room = room;
        this.slots = slots;
        this.limits = limits;
    }

    void measured(long nanos) {
        pace.measured(nanos);
    }

    void addToSums(int sign, int ready) {
        room.ready += sign * ready;
        room.withoutSlot += sign * withoutSlot();
        slots.taken += sign * limits.running();
        if (!pace.isFast()) {
            slots.takenBySlow += sign * limits.running();
            slots.heldBySlow += sign * limits.held();
        } else if (ready + limits.held() > 0) {
            slots.busyFastLanes += sign;
        }
    }

    /** Returns the number of jobs without a slot, among the jobs that are claimed or being claimed. */
    int withoutSlot() {
        return limits.held() - limits.running();
    }

    int mayClaim() {
        return Math.min(maySlotsTake(), limits.free());
    }

    private int maySlotsTake() {
        if (!pace.isFast()) {
            return Math.min(limits.concurrency() - limits.held(), slots.limit - slots.heldBySlow);
        }
        int fastSlots = fastSlots();
        return fastSlots + claimAhead(fastSlots) - limits.held();
    }

    /**
     * Tells whether another claim is worth its round trip to the store. For a fast handler, more than half of the
     * places for jobs that are claimed ahead must be free.
     */
    boolean mayClaimMany() {
        return mayClaim() > (pace.isFast() ? claimAhead(fastSlots()) / 2 : 0);
    }

    /** Fast handlers free their slots within a moment, so only the slots of slow handlers count as taken. */
    private int fastSlots() {
        return Math.min(limits.concurrency(), slots.limit - slots.takenBySlow);
    }

    /**
     * Returns how many jobs may be claimed although no slot is free for them yet. Together with the claimed jobs of all
     * competing lanes, these jobs must be few enough to start within a moment.
     */
    private int claimAhead(int fastSlots) {
        return (int) Math.min(pace.startableInAMoment(fastSlots) / Math.max(1, slots.busyFastLanes), MAX_CLAIM_AHEAD);
    }

    /**
     * Tells whether only {@code few} rows or fewer may be claimed now. The result is always {@code false} for a fast
     * handler without a limit in the cluster. A lane that can claim only few rows uses each free slot and token at
     * once.
     */
    boolean claimsAtMost(int few) {
        return (!pace.isFast() || limits.areOfCluster()) && mayClaim() <= few;
    }

    /**
     * Returns how many attempts can start within this time. The calculation assumes that the lane gets all slots and
     * tokens that it may have.
     */
    long startableWithin(long nanos) {
        if (!limits.haveSlots()) {
            return 0;
        }
        int most = Math.max(1, Math.min(limits.concurrency(), slots.limit));
        return Math.min(pace.startableWithin(nanos) * most, limits.within(nanos));
    }
}
