package io.delayjob.internal.lane;

import io.delayjob.internal.limit.LaneLimits;

/**
 * Counts the slots that one lane uses in its queue, and computes how many rows the lane may claim. The lock of {@link
 * Tickets} guards this object.
 */
final class LaneSlots {

    /** Maximum number of claimed jobs without a slot. These jobs fill memory, and no other instance can start them. */
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

    boolean mayClaimMany() {
        return mayClaim() > (pace.isFast() ? claimAhead(fastSlots()) / 2 : 0);
    }

    /** Fast handlers free their slots within a moment, so only the slots of slow handlers count as taken. */
    private int fastSlots() {
        return Math.min(limits.concurrency(), slots.limit - slots.takenBySlow);
    }

    /** The competing lanes claim jobs before slots are free. These jobs must be few enough to start within a moment. */
    private int claimAhead(int fastSlots) {
        return (int) Math.min(pace.startableInAMoment(fastSlots) / Math.max(1, slots.busyFastLanes), MAX_CLAIM_AHEAD);
    }

    /** If a lane may claim only few rows, it must use each free slot and token at once. */
    boolean claimsAtMost(int few) {
        return (!pace.isFast() || limits.areOfCluster()) && mayClaim() <= few;
    }

    long startableWithin(long nanos) {
        if (!limits.haveSlots()) {
            return 0;
        }
        int most = Math.max(1, Math.min(limits.concurrency(), slots.limit));
        return Math.min(pace.startableWithin(nanos) * most, limits.within(nanos));
    }
}
