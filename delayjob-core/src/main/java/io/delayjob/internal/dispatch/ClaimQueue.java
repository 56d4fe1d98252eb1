package io.delayjob.internal.dispatch;

import io.delayjob.internal.dispatch.Ticket.State;
import io.delayjob.job.Job;
import io.delayjob.time.EngineClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Hands the ready rows to the claimers, and takes the answers to their claims. Thread-safe. */
final class ClaimQueue {

    private final Tickets tickets;
    private final Intake intake;
    private final EngineClock clock;
    private final ClaimLead lead;
    private final BooleanSupplier expectsRows;
    private final Lanes.Wakes wakes;

    /** @param expectsRows whether rows wait in memory for their time */
    ClaimQueue(
            Tickets tickets,
            Intake intake,
            EngineClock clock,
            ClaimLead lead,
            BooleanSupplier expectsRows,
            Lanes.Wakes wakes) {
        this.tickets = tickets;
        this.intake = intake;
        this.clock = clock;
        this.lead = lead;
        this.expectsRows = expectsRows;
        this.wakes = wakes;
    }

    /** Returns the next rows for this claimer. They count as being claimed until the outcome of the claim is known. */
    Chosen toClaim(Claimer.Role role, int limit) {
        List<Ticket> early = new ArrayList<>(0);
        Batch batch;
        boolean wantsMore = false;
        // This comes before the lock, because the store may be asked for its time.
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            tickets.lanes().forEach(lane -> lane.follow(nowMillis));
            List<Ticket> chosen =
                    ClaimPlan.choose(tickets, claimsOverdue(role), Math.min(limit, tickets.room.leftWithoutSlot()));
            // A row due later than this shows that the store's clock was set back, or its estimate lowered.
            long latestDue = nowMillis + lead.longestMillis();
            chosen.removeIf(ticket -> ticket.row().dueMillis() > latestDue && early.add(ticket));
            early.forEach(tickets::remove);
            batch = new Batch(chosen);
            for (Lane lane : tickets.lanes()) {
                wantsMore |= tickets.room.wantsMore(lane);
            }
        }
        if (wantsMore) {
            wakes.room();
        }
        return new Chosen(batch, early);
    }

    /** While rows come due on time, one claimer leaves overdue rows to the other, so that it is free for those rows. */
    private boolean claimsOverdue(Claimer.Role role) {
        return role == Claimer.Role.BACKLOG || !expectsRows.getAsBoolean() && intake.isCalm();
    }

    /** Takes back tickets that were to be claimed and are known to be unclaimed. */
    void released(Collection<Ticket> unclaimed) {
        synchronized (tickets) {
            unclaimed.forEach(tickets::remove);
        }
    }

    /**
     * Takes the answer to a claim. Claimed jobs start in the order in which they were chosen, not in the order of the
     * answer.
     */
    Claimed claimed(Batch claim, List<Job> jobs) {
        List<Ticket> passedOver = new ArrayList<>(0);
        List<Ticket> coming = new ArrayList<>(0);
        boolean wantsRelease;
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            int unstartedBefore = tickets.unstarted.size();
            jobs.forEach(job -> claim.ticketOf(job.id()).claimed(job));
            for (Ticket ticket : claim.tickets()) {
                if (!ticket.isClaimed()) {
                    if (tickets.remove(ticket) && !ticket.isPassedOver()) {
                        passedOver.add(ticket);
                    }
                    continue;
                }
                long earlyMillis = ticket.job().dueAt().toEpochMilli() - nowMillis;
                if (tickets.isShut(ticket.lane) || earlyMillis > lead.longestMillis()) {
                    // Its lane was closed since the claim was sent, or the store's clock was set back. So the job is
                    // given back.
                    tickets.giveUp(ticket);
                } else if (earlyMillis > 0) {
                    ticket.lane.comes(ticket);
                    coming.add(ticket);
                } else {
                    ticket.lane.waits(ticket);
                }
            }
            wantsRelease = tickets.unstarted.size() > unstartedBefore;
        }
        if (wantsRelease) {
            wakes.work();
        }
        return new Claimed(passedOver, coming);
    }

    /** Tells whether this claimer may claim ready rows. */
    boolean hasClaimable(Claimer.Role role) {
        synchronized (tickets) {
            boolean overdueToo = claimsOverdue(role);
            return tickets.room.leftWithoutSlot() > 0
                    && tickets.room.ready > 0
                    && tickets.lanes().stream().anyMatch(lane -> lane.hasClaimable(overdueToo) && lane.mayClaim() > 0);
        }
    }

    /** Lets these claimed jobs start if they are still kept for their due time, which has come. */
    void comeDue(List<Ticket> coming) {
        synchronized (tickets) {
            stillComing(coming).forEach(ticket -> ticket.lane.waits(ticket));
        }
    }

    /** Gives back these claimed jobs, as far as they still wait for their due time. */
    void giveBackComing(List<Ticket> coming) {
        synchronized (tickets) {
            stillComing(coming).forEach(tickets::giveUp);
        }
        wakes.work();
    }

    private static List<Ticket> stillComing(List<Ticket> coming) {
        return coming.stream().filter(ticket -> ticket.state == State.COMING).toList();
    }

    /** @param early rows that turned out not to be due yet */
    record Chosen(Batch batch, List<Ticket> early) {}

    /**
     * The work that an answered claim leaves.
     *
     * @param passedOver rows that the claim has passed over for the first time, and that may be offered once more
     * @param coming jobs that are kept until they {@linkplain #comeDue come due}
     */
    record Claimed(List<Ticket> passedOver, List<Ticket> coming) {}
}
