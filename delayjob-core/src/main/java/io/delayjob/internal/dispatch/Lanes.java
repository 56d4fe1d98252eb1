package io.delayjob.internal.dispatch;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.status.SlotUse;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way of the known jobs from due to started, a lane for each handler and queue, and the slots they compete for.
 *
 * <pre>
 *            offer            toClaim             claimed              finished
 *   due row -------> ready -----------> claiming ---------> claimed ------------> running --> (slot free)
 *                      |-- dropped: known, set aside,  |       ^
 *                      |   paused, no handler here     |       | comeDue
 *                      '-- refused: no room; the       '--> coming, if it was offered ahead of its time
 *                          sweep comes back for it
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class Lanes {

    private final Tickets tickets;
    private final Intake intake;
    private final BacklogTurn backlog;
    private final EngineClock clock;
    private final ClaimLead lead;
    private final int maxWithoutSlot;
    private final Wakes wakes;

    /** Who is to be called. */
    public interface Wakes {

        /** A lane that had refused rows has room for a good many again, or one that had enough no longer has. */
        void room();

        /** There may be something to claim or to release. */
        void work();
    }

    /**
     * @param lead how long before their time rows may be claimed
     * @param expectsRows whether rows wait in memory for their time
     */
    public Lanes(
            HandlerRegistry handlers,
            WorkedQueues worked,
            EngineClock clock,
            ClaimLead lead,
            Bounds bounds,
            BooleanSupplier expectsRows,
            Wakes wakes) {
        this.clock = clock;
        this.lead = lead;
        this.maxWithoutSlot = bounds.maxReady();
        this.wakes = wakes;
        tickets = new Tickets(handlers, worked, clock, bounds);
        backlog = new BacklogTurn(clock, expectsRows);
        intake = new Intake(tickets, handlers, backlog, clock, wakes::work);
    }

    /** Where due rows come in. */
    public Intake intake() {
        return intake;
    }

    // ---- claim

    /**
     * Takes the rows to be claimed next. They count as being claimed from now on, and the claim as under way until it is
     * {@linkplain #claimed answered} or has {@linkplain #failed failed}.
     */
    Batch toClaim(int limit) {
        return tickets.asked(() -> {
            long nowMillis = clock.storeMillis();
            Collection<Lane> lanes = tickets.lanes();
            lanes.forEach(lane -> lane.follow(nowMillis));
            ClaimPlan plan =
                    new ClaimPlan(lanes, tickets.queueTurns, backlog.isFree(), ticket -> isTaken(ticket, nowMillis));
            Batch batch = plan.choose(Math.min(limit, maxWithoutSlot - tickets.withoutSlot.count));
            batch.tickets().forEach(ticket -> ticket.batch = batch);
            if (plan.isOfBacklog()) {
                backlog.begin(batch);
            }
            boolean wantsMore = false;
            for (Lane lane : lanes) {
                wantsMore |= tickets.room.wantsMore(lane);
            }
            if (wantsMore) {
                wakes.room();
            }
            return batch;
        });
    }

    /** Whether the row is due, or about to be: else the store's clock was set back, or its estimate lowered. */
    private boolean isTaken(Ticket ticket, long nowMillis) {
        boolean dueSoon = ticket.row.dueMillis() - nowMillis <= lead.longestMillis();
        if (dueSoon) {
            ticket.lane.claiming.add(ticket);
        } else {
            tickets.addEarly(ticket);
        }
        return dueSoon;
    }

    /** Takes out the rows that turned out not to be due yet. */
    List<Ticket> takeEarly() {
        return tickets.asked(tickets::takeEarly);
    }

    /** This claim has failed. Its rows count as being claimed until it is known what has become of them. */
    void failed(Batch claim) {
        tickets.locked(() -> backlog.end(claim));
    }

    /** These were to be claimed, and are known not to be. */
    void released(Collection<Ticket> unclaimed) {
        tickets.locked(() -> unclaimed.forEach(tickets::remove));
    }

    /** Takes the answer to a claim. */
    Claimed claimed(Batch claim, Collection<Job> jobs) {
        List<Ticket> passedOver = new ArrayList<>(0);
        List<Ticket> coming = new ArrayList<>(0);
        boolean wantsRelease = tickets.asked(() -> {
            backlog.end(claim);
            int returnedBefore = tickets.returnedCount();
            long nowMillis = clock.storeMillis();
            for (Job job : jobs) {
                Ticket ticket = tickets.find(job.id(), claim);
                ticket.claimed(job);
                long earlyMillis = job.dueAt().toEpochMilli() - nowMillis;
                if (tickets.isShut(ticket.lane) || earlyMillis > lead.longestMillis()) {
                    // Since its claim was sent, or the store's clock was set back: it goes back.
                    tickets.giveUp(ticket);
                } else if (earlyMillis > 0) {
                    ticket.lane.coming.add(ticket);
                    coming.add(ticket);
                } else {
                    ticket.lane.claimed.add(ticket);
                }
            }
            if (jobs.size() < claim.tickets().size()) {
                for (Ticket ticket : claim.tickets()) {
                    if (ticket.isIn(ticket.lane.claiming) && tickets.remove(ticket) && !ticket.again) {
                        passedOver.add(ticket);
                    }
                }
            }
            return tickets.returnedCount() > returnedBefore;
        });
        if (wantsRelease) {
            wakes.work();
        }
        return new Claimed(passedOver, coming);
    }

    /** Nanoseconds until rows that are ready may be claimed; {@link Agent#UNTIL_WOKEN} when there are none. */
    long untilClaimable() {
        return tickets.asked(() -> {
            long pause = Agent.UNTIL_WOKEN;
            if (tickets.withoutSlot.count < maxWithoutSlot && tickets.ready.count > 0) {
                for (Lane lane : tickets.lanes()) {
                    if (lane.hasClaimable(true) && lane.mayClaim() > 0) {
                        pause = Math.min(pause, lane.hasClaimable(false) ? 0 : backlog.nanosUntilFree());
                    }
                }
            }
            return pause;
        });
    }

    // ---- start

    /** The time of these claimed jobs has come: those that are still kept for it may start. */
    void comeDue(List<Ticket> coming) {
        tickets.locked(() -> coming.stream()
                .filter(ticket -> ticket.isIn(ticket.lane.coming))
                .forEach(ticket -> ticket.lane.claimed.add(ticket)));
    }

    /** Gives back those of these claimed jobs that are still kept for their time. */
    void giveBackComing(List<Ticket> coming) {
        tickets.locked(() -> coming.stream()
                .filter(ticket -> ticket.isIn(ticket.lane.coming))
                .forEach(tickets::giveUp));
        wakes.work();
    }

    /** Takes the claimed jobs that have a slot; the slots are theirs until {@link #finished}. */
    List<Ticket> toStart() {
        return tickets.asked(() -> {
            List<Ticket> start = new ArrayList<>();
            for (Slots queue : tickets.queues().values()) {
                Ticket next;
                while ((next = queue.start()) != null) {
                    start.add(next);
                }
            }
            return start;
        });
    }

    /**
     * Frees the slot of an attempt and gives it to the next claimed job of its queue, if there is one.
     *
     * @param took how long the handler took
     */
    @Nullable
    Ticket finished(Ticket ticket, Duration took) {
        return leave(ticket, took);
    }

    /** As {@link #finished}, of a job whose handler was not called. */
    @Nullable
    Ticket left(Ticket ticket) {
        return leave(ticket, null);
    }

    private @Nullable Ticket leave(Ticket ticket, @Nullable Duration took) {
        boolean[] wantsClaim = new boolean[1];
        Ticket following = tickets.<@Nullable Ticket>asked(() -> {
            Lane lane = ticket.lane;
            if (took != null) {
                lane.measured(took.toNanos());
            }
            Ticket next = tickets.leaveSlot(ticket);
            boolean backlogToo = backlog.isFree();
            wantsClaim[0] = next == null || lane.wantsClaim(backlogToo) || next.lane.wantsClaim(backlogToo);
            return next;
        });
        if (wantsClaim[0]) {
            wakes.work();
        }
        return following;
    }

    // ---- return

    /** Takes back a claimed job that has a slot and cannot be started: the slot stays its own until {@link #finished}. */
    void giveBack(Ticket ticket) {
        tickets.locked(() -> tickets.giveBack(ticket));
        wakes.work();
    }

    /** Leaves this claimed job to other instances for a while: it cannot be read here. */
    void setAside(Ticket ticket) {
        tickets.locked(() -> tickets.setAside(ticket));
        giveBack(ticket);
    }

    /**
     * Claimed jobs to be released: those given back, and those that have had no slot for so long since they were claimed.
     * Of attempts that hang nothing is measured before they end: what their queue's slots were waited for in vain tells
     * that its handlers are not as fast as they were, so that nothing more is claimed ahead.
     */
    List<Job> toRelease(Duration overstay) {
        Instant before = clock.storeTime().minus(overstay);
        return tickets.asked(() -> {
            Set<Slots> waitedFor = new HashSet<>(0);
            for (Lane lane : tickets.lanes()) {
                lane.forEachWithoutSlot(ticket -> {
                    Instant started = ticket.job().startedAt();
                    if (started != null && started.isBefore(before)) {
                        waitedFor.add(lane.slots);
                        tickets.giveUp(ticket);
                    }
                });
            }
            waitedFor.forEach(queue -> queue.waitedInVain(overstay.toNanos()));
            return tickets.takeReturned();
        });
    }

    /** Whether claimed jobs wait to be released. */
    boolean hasReturned() {
        return tickets.asked(() -> tickets.returnedCount() > 0);
    }

    /** Whether claimed jobs wait for a slot, or for their time. */
    boolean hasClaimed() {
        return tickets.asked(
                () -> tickets.lanes().stream().anyMatch(lane -> !lane.claimed.isEmpty() || !lane.coming.isEmpty()));
    }

    // ---- forget

    /**
     * Takes no more rows, forgets those that are ready, and gives back what was claimed and has no slot, and what
     * claims under way bring.
     */
    public void close() {
        tickets.locked(tickets::close);
    }

    /** Forgets the rows that are ready, and gives back what was claimed and has no slot. */
    public void forget() {
        tickets.locked(tickets::forget);
        wakes.work();
    }

    /**
     * From now on these handlers and queues are paused, and no others: forgets what is ready of them, takes nothing
     * more, and gives back what was claimed and has no slot. Attempts under way go on.
     */
    public void follow(Paused pauses) {
        tickets.locked(() -> tickets.follow(pauses));
        wakes.work();
    }

    /** Whether no attempt of this job may begin now. Asked without the lock. */
    boolean isPaused(Ticket ticket) {
        return tickets.isPaused(ticket.lane);
    }

    // ---- look

    /** Those of these jobs that an attempt may be made of, or is. */
    Set<JobId> held(Set<JobId> jobs) {
        return tickets.asked(() -> jobs.stream().filter(tickets::knows).collect(Collectors.toSet()));
    }

    /** Rows that are due, or about to come due, and not claimed. */
    public int ready() {
        return tickets.asked(() -> tickets.ready.count);
    }

    /** Slots taken, over all queues. */
    public int slotsTaken() {
        return tickets.asked(tickets::slotsTaken);
    }

    /** Waits until every slot is free; answers how many are still taken. */
    int awaitFreeSlots(Duration atMost) {
        return tickets.asked(() -> tickets.awaitFreeSlots(atMost));
    }

    /** Slots taken, jobs claimed for one, and slots there are, by queue. */
    public Map<String, SlotUse> slotUse() {
        return tickets.asked(() -> {
            Map<String, SlotUse> use = new TreeMap<>();
            tickets.queues().forEach((name, queue) -> use.put(name, queue.use()));
            return use;
        });
    }

    /**
     * What an answered claim leaves to be done.
     *
     * @param passedOver rows that did not come back for the first time, and may come back the next time
     * @param coming jobs that are kept until they {@linkplain #comeDue come due}
     */
    record Claimed(List<Ticket> passedOver, List<Ticket> coming) {}
}
