package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.internal.limit.LaneLimits;
import io.delayjob.job.Job;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Hands the ready rows to the claimers, and takes the answers to their claims. Thread-safe. */
final class ClaimQueue {

    private final Lanes lanes;
    private final EngineClock clock;
    private final Neighbours neighbours;

    ClaimQueue(Lanes lanes, EngineClock clock, Neighbours neighbours) {
        this.lanes = lanes;
        this.clock = clock;
        this.neighbours = neighbours;
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
            lanes.limits.follow(nowMillis);
            lanes.all().forEach(lane -> follow(lane, nowMillis));
            chosen = ClaimPlan.choose(lanes, claimsBacklogs(role), Math.min(limit, lanes.room.leftWithoutSlot()));
            chosen.removeIf(ticket -> ticket.dueMillis() > latestDue && early.add(ticket));
            early.forEach(lanes::remove);
            for (Lane lane : lanes.all()) {
                wantsMore |= lanes.room.wantsMore(lane);
            }
        }
        if (wantsMore) {
            neighbours.onRoom().run();
        }
        return new Chosen(new Batch(chosen), early);
    }

    /** Also forgets the rows of a lane without slots in the cluster, because other instances take them over. */
    private void follow(Lane lane, long nowMillis) {
        lane.follow(nowMillis);
        if (lane.rates != null) {
            lane.rates.follow();
        }
        if (lane.ready() > 0 && !lane.limits.haveSlots()) {
            lanes.dropReady(lane);
        }
    }

    /** While rows come due on time, one claimer leaves backlogs to the other, so that it is free for those rows. */
    private boolean claimsBacklogs(Claimer.Role role) {
        return role == Claimer.Role.BACKLOG
                || !neighbours.expectsRows().getAsBoolean() && lanes.intake().isCalm();
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
                lanes.gates.answered(ticket);
                if (!ticket.isClaimed()) {
                    boolean isNewest = lanes.remove(ticket);
                    if (isNewest && !ticket.isPassedOver() && !lanes.isShut(ticket.lane)) {
                        passedOver.add(ticket);
                    }
                } else if (lanes.isShut(ticket.lane)
                        || earlyMillis > lanes.lead().longestMillis()
                        || !lanes.gates.mutexes.counts(ticket)) {
                    // Its lane was closed since the claim was sent, the store's clock was set back, or another instance
                    // may decide about its mutex by now.
                    lanes.giveUp(ticket);
                    wantsRelease = true;
                } else if (earlyMillis > 0) {
                    lanes.coming.keep(ticket);
                } else {
                    ticket.lane.waits(ticket);
                }
            }
        }
        if (wantsRelease) {
            neighbours.onWork().run();
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

    /** Wakes a claimer if claimed jobs are to be released. */
    void releaseUnstarted() {
        if (lanes.hasUnstarted()) {
            neighbours.onWork().run();
        }
    }

    /** Claims no more jobs of this handler for that time, and for at most a minute. */
    void rest(Handler handler, Duration time) {
        long nowMillis = clock.storeMillis();
        Duration longest = LaneLimits.LONGEST_REST;
        long millis = (time.compareTo(longest) < 0 ? time : longest).toMillis();
        synchronized (lanes) {
            lanes.lanesOf(handler).forEach(lane -> lane.limits.rest(nowMillis, millis));
        }
        neighbours.onWork().run();
    }

    /**
     * Returns the nanoseconds after which to look again at rows that wait for a limit in the cluster, or for the rate
     * of their key; {@link Agent#UNTIL_WOKEN} if none waits.
     */
    long untilNanos() {
        synchronized (lanes) {
            long until = Agent.UNTIL_WOKEN;
            for (Lane lane : lanes.all()) {
                until = lane.ready() > 0 ? Math.min(until, lane.limits.untilNanos()) : until;
                until = lane.rates == null ? until : Math.min(until, lane.rates.untilNanos());
            }
            return until;
        }
    }

    /** @param early rows that turned out not to be due yet */
    record Chosen(Batch batch, List<Ticket> early) {}
}
