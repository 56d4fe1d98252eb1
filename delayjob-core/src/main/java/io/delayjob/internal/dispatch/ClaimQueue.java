package io.delayjob.internal.dispatch;

import io.delayjob.job.Job;
import io.delayjob.time.EngineClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Hands the ready rows to the claimers, and takes the answers to their claims. Thread-safe. */
final class ClaimQueue {

    private final Lanes lanes;
    private final EngineClock clock;
    private final BooleanSupplier expectsRows;
    private final Runnable onRoom;
    private final Runnable onWork;

    /** See the constructor of {@link Lanes} for the meaning of each. */
    ClaimQueue(Lanes lanes, EngineClock clock, BooleanSupplier expectsRows, Runnable onRoom, Runnable onWork) {
        this.lanes = lanes;
        this.clock = clock;
        this.expectsRows = expectsRows;
        this.onRoom = onRoom;
        this.onWork = onWork;
    }

    /** Returns the next rows for this claimer. They count as being claimed until the outcome of the claim is known. */
    Chosen toClaim(Claimer.Role role, int limit) {
        List<Ticket> early = new ArrayList<>(0);
        List<Ticket> chosen;
        boolean wantsMore = false;
        // This comes before the lock, because the store may be asked for its time.
        long nowMillis = clock.storeMillis();
        // A row due later than this shows that the store's clock was set back, or its estimate lowered.
        long latestDue = nowMillis + lanes.lead().longestMillis();
        synchronized (lanes) {
            lanes.all().forEach(lane -> lane.follow(nowMillis));
            chosen = ClaimPlan.choose(lanes, claimsBacklogs(role), Math.min(limit, lanes.room.leftWithoutSlot()));
            chosen.removeIf(ticket -> ticket.dueMillis() > latestDue && early.add(ticket));
            early.forEach(lanes::remove);
            for (Lane lane : lanes.all()) {
                wantsMore |= lanes.room.wantsMore(lane);
            }
        }
        if (wantsMore) {
            onRoom.run();
        }
        return new Chosen(new Batch(chosen), early);
    }

    /** While rows come due on time, one claimer leaves backlogs to the other, so that it is free for those rows. */
    private boolean claimsBacklogs(Claimer.Role role) {
        return role == Claimer.Role.BACKLOG
                || !expectsRows.getAsBoolean() && lanes.intake().isCalm();
    }

    /** Takes back tickets that were to be claimed and are known to be unclaimed. */
    void released(Collection<Ticket> unclaimed) {
        synchronized (lanes) {
            unclaimed.forEach(lanes::remove);
        }
    }

    /**
     * Takes the answer to a claim. Claimed jobs start in the order in which they were chosen, not in the order of the
     * answer.
     *
     * @return rows that the claim has passed over for the first time, and that may be offered once more
     * @throws IllegalArgumentException if the store answers with a job that was not asked for
     */
    List<Ticket> claimed(Batch claim, List<Job> jobs) {
        List<Ticket> passedOver = new ArrayList<>(0);
        boolean wantsRelease = false;
        long nowMillis = clock.storeMillis();
        synchronized (lanes) {
            jobs.forEach(job -> claim.ticketOf(job.id()).claimed(job));
            for (Ticket ticket : claim.tickets()) {
                long earlyMillis = ticket.dueMillis() - nowMillis;
                if (!ticket.isClaimed()) {
                    boolean isNewest = lanes.remove(ticket);
                    if (isNewest && !ticket.isPassedOver() && !lanes.isShut(ticket.lane)) {
                        passedOver.add(ticket);
                    }
                } else if (lanes.isShut(ticket.lane)
                        || earlyMillis > lanes.lead().longestMillis()) {
                    // Its lane was closed since the claim was sent, or the store's clock was set back.
                    lanes.giveUp(ticket);
                    wantsRelease = true;
                } else if (earlyMillis > 0) {
                    lanes.keep(ticket);
                } else {
                    ticket.lane.waits(ticket);
                }
            }
        }
        if (wantsRelease) {
            onWork.run();
        }
        return passedOver;
    }

    /** Tells whether this claimer may claim ready rows. */
    boolean hasClaimable(Claimer.Role role) {
        synchronized (lanes) {
            boolean backlogToo = claimsBacklogs(role);
            return lanes.room.leftWithoutSlot() > 0
                    && lanes.room.ready > 0
                    && lanes.all().stream().anyMatch(lane -> lane.hasClaimable(backlogToo) && lane.mayClaim() > 0);
        }
    }

    /** @param early rows that turned out not to be due yet */
    record Chosen(Batch batch, List<Ticket> early) {}
}
