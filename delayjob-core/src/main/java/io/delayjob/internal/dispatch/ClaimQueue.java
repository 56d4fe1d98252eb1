package io.delayjob.internal.dispatch;

import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.job.Job;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Gives ready rows to the claimers, and receives the answers to their claims. Thread-safe. */
final class ClaimQueue {

    private final Lanes lanes;
    private final Tickets tickets;
    private final EngineClock clock;
    private final Neighbours neighbours;

    ClaimQueue(Lanes lanes, EngineClock clock, Neighbours neighbours) {
        this.lanes = lanes;
        this.tickets = lanes.tickets;
        this.clock = clock;
        this.neighbours = neighbours;
    }

    Chosen toClaim(Claimer.Role role, int limit) {
        List<Ticket> early = new ArrayList<>(0);
        List<Ticket> chosen;
        boolean wantsMore = false;
        // Read before the lock is taken, because the clock may ask the store for its time.
        long nowMillis = clock.storeMillis();
        // A row that is due later shows that the store's clock was set back, or that the estimate of store time fell.
        long latestDue = nowMillis + lanes.lead().longestMillis();
        synchronized (tickets) {
            lanes.limits.follow(nowMillis);
            lanes.all().forEach(lane -> lane.follow(nowMillis));
            lanes.gates.follow();
            lanes.all().forEach(this::leaveToOthers);
            chosen = ClaimPlan.choose(
                    lanes, claimsBacklogs(role), Math.min(limit, tickets.room().leftWithoutSlot()));
            chosen.removeIf(ticket -> ticket.dueMillis() > latestDue && early.add(ticket));
            early.forEach(tickets::remove);
            for (Lane lane : lanes.all()) {
                wantsMore |= lane.room().wantsMore();
            }
        }
        if (wantsMore) {
            neighbours.onRoom().run();
        }
        return new Chosen(new Batch(chosen), early);
    }

    private void leaveToOthers(Lane lane) {
        if (lane.ready() > 0 && !lane.limits().haveSlots()) {
            lanes.dropReady(lane);
        }
    }

    /** While rows become due on time, the prompt claimer leaves old overdue rows to the other claimer. */
    private boolean claimsBacklogs(Claimer.Role role) {
        return role == Claimer.Role.BACKLOG
                || !neighbours.expectsRows().getAsBoolean() && lanes.intake().isCalm();
    }

    void released(Collection<Ticket> unclaimed) {
        synchronized (tickets) {
            unclaimed.forEach(tickets::remove);
        }
    }

    /**
     * The store refuses to release these rows. Until {@link #released} is called, these rows stay known, so that they
     * are not claimed again.
     */
    void setApart(Collection<Ticket> refused) {
        synchronized (tickets) {
            refused.forEach(tickets::setApart);
        }
    }

    /**
     * The jobs start in the order of the claim, not in the order of the answer.
     *
     * @return the rows that a claim has skipped for the first time
     * @throws IllegalArgumentException if the store answers with a job that the claim did not contain
     */
    List<Ticket> claimed(Batch claim, List<Job> jobs) {
        List<Ticket> passedOver = new ArrayList<>(0);
        boolean wantsRelease = false;
        long nowMillis = clock.storeMillis();
        long latestDue = nowMillis + lanes.lead().longestMillis();
        synchronized (tickets) {
            jobs.forEach(job -> claim.ticketOf(job.id()).claimed(job));
            for (Ticket ticket : claim.tickets()) {
                boolean counts = ticket.answered();
                if (!ticket.isClaimed()) {
                    boolean isNewest = tickets.remove(ticket);
                    if (isNewest && !ticket.isPassedOver() && !lanes.isShut(ticket.lane())) {
                        passedOver.add(ticket);
                    }
                } else if (!counts || lanes.isShut(ticket.lane()) || ticket.dueMillis() > latestDue) {
                    // Another instance decides about the mutex, the lane was closed meanwhile, or the store's clock was
                    // set back.
                    tickets.giveUp(ticket);
                    wantsRelease = true;
                } else {
                    ticket.lane().keep(ticket, nowMillis);
                }
            }
        }
        if (wantsRelease) {
            neighbours.onWork().run();
        }
        return passedOver;
    }

    boolean hasClaimable(Claimer.Role role) {
        synchronized (tickets) {
            boolean backlogToo = claimsBacklogs(role);
            return tickets.room().leftWithoutSlot() > 0
                    && tickets.room().ready() > 0
                    && lanes.all().stream().anyMatch(lane -> lane.hasClaimable(backlogToo));
        }
    }

    void releaseUnstarted() {
        if (tickets.hasUnstarted()) {
            neighbours.onWork().run();
        }
    }

    long untilNanos() {
        synchronized (tickets) {
            long until = Math.min(Agent.UNTIL_WOKEN, lanes.gates.untilNanos());
            for (Lane lane : lanes.all()) {
                until = lane.ready() > 0 ? Math.min(until, lane.limits().untilNanos()) : until;
            }
            return until;
        }
    }

    record Chosen(Batch batch, List<Ticket> early) {}
}
