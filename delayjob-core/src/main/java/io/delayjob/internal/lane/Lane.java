package io.delayjob.internal.lane;

import io.delayjob.handler.Handler;
import io.delayjob.internal.lane.Ticket.State;
import io.delayjob.internal.limit.LaneLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The jobs of one handler in one queue, from due to ended. Guarded by the lock of {@link Tickets}. */
public final class Lane {

    /** Maximum number of overdue rows that are no backlog. The store claims so many rows within milliseconds. */
    public static final int PILE = 100;

    final Tickets tickets;
    final Handler handler;
    final Slots slots;
    final LaneLimits limits;
    final ReadyRows rows;
    final LaneSlots use;
    private final LaneRoom room;
    private final Turns.Turn<Lane> claimTurn;
    private final Turns.Turn<Lane> startTurn;

    /** Claimed jobs that are not due yet. */
    private final PriorityQueue<Ticket> coming = new PriorityQueue<>(Comparator.comparingLong(Ticket::dueMillis));

    /** Claimed jobs that are due and wait for a slot. */
    private final Deque<Ticket> claimed = new ArrayDeque<>();

    /** This field is also read without the lock. */
    private volatile boolean paused;

    /** @param sweepInterval time after which the next overdue rows are read */
    public Lane(Tickets tickets, Handler handler, Slots slots, LaneLimits limits, Duration sweepInterval) {
        this.tickets = tickets;
        this.handler = handler;
        this.slots = slots;
        this.limits = limits;
        rows = new ReadyRows(handler.fairBy() != null);
        use = new LaneSlots(tickets.room, slots, limits);
        room = new LaneRoom(this, tickets.room, sweepInterval);
        claimTurn = slots.claimTurns.add(this, handler.priority());
        startTurn = slots.startTurns.add(this, handler.priority());
        slots.lanes.add(this);
    }

    /** Returns the handler of its jobs. */
    public Handler handler() {
        return handler;
    }

    /** Returns the name of its queue. */
    public String queue() {
        return slots.queue;
    }

    /** Returns what limits its jobs, besides the slots of the queue. */
    public LaneLimits limits() {
        return limits;
    }

    /** Returns the room that its rows may use. */
    public LaneRoom room() {
        return room;
    }

    /** Sets whether its handler or queue is paused. Then nothing is claimed or started. */
    public void setPaused(boolean paused) {
        this.paused = paused;
    }

    /** Tells whether its handler or queue is paused. Any thread may ask. */
    public boolean isPaused() {
        return paused;
    }

    // ---- how tickets move. Each change is made between uncount and count, which keep the sums.

    /** Adds a row to those that wait to be claimed. */
    void add(Ticket ticket, long nowMillis) {
        follow(nowMillis);
        uncount();
        rows.add(ticket, nowMillis);
        count();
        ticket.entered();
    }

    /** Takes back a ticket that has waited at a gate. */
    void readmit(Ticket ticket) {
        uncount();
        rows.lineOf(ticket).add(ticket);
        count();
    }

    /** Follows the time. Rows may come due, and a rest may end. */
    public void follow(long nowMillis) {
        limits.follow(nowMillis);
        rows.follow(nowMillis);
    }

    /**
     * Takes the due row to claim next; {@code null} if there is no such row, or no slot for it. With a limit in the
     * cluster the earliest row comes first, because a backlog may last for hours there.
     *
     * @param backlogToo whether overdue rows may also be taken if many could be claimed at once. Few are taken in any
     *     case, in turn with rows that have just come due
     * @param passes lets a row with a key pass its gates, or takes over its ticket
     */
    public @Nullable Ticket claimDue(boolean backlogToo, Predicate<Ticket> passes) {
        Ticket next = null;
        while (next == null && hasDue(backlogToo) && use.mayClaim() > 0) {
            next = claim(rows.nextLine(hasOverdue(backlogToo), limits.areOfCluster()), passes);
        }
        return next;
    }

    /** Takes the next row that may be claimed before it is due; {@code null} if there is none, or no slot for it. */
    public @Nullable Ticket claimAhead(Predicate<Ticket> passes) {
        Ticket next = null;
        while (next == null && !rows.hasJustDue() && !rows.ahead.isEmpty() && use.mayClaim() > 0) {
            next = claim(rows.ahead, passes);
        }
        return next;
    }

    /** Takes out the first row; {@code null} if it may not be claimed now because of its key. */
    private @Nullable Ticket claim(Queue<Ticket> line, Predicate<Ticket> passes) {
        uncount();
        Ticket ticket = line.remove();
        boolean taken = !ticket.hasKey() || passes.test(ticket);
        if (taken) {
            ticket.state = State.CLAIMING;
            limits.reserve();
        }
        count();
        return taken ? ticket : null;
    }

    /** Lets a claimed job wait for a slot, and before that for its time. */
    public void keep(Ticket ticket, long nowMillis) {
        if (ticket.dueMillis() > nowMillis) {
            ticket.state = State.COMING;
            coming.add(ticket);
        } else {
            waits(ticket);
        }
    }

    private void waits(Ticket ticket) {
        ticket.state = State.CLAIMED;
        claimed.add(ticket);
        slots.startTurns.setWaiting(startTurn, mayStart());
    }

    /**
     * Lets the claimed jobs whose time has come wait for their slots. Gives jobs up if the store's clock was set back,
     * because a claim must not be held until their due time is reached again.
     *
     * @param longestLead maximum time before its due time at which a row is claimed
     * @return the due time of the next one; {@link Long#MAX_VALUE} if there is none
     */
    public long comeDue(long nowMillis, long longestLead) {
        Ticket next;
        while ((next = coming.peek()) != null && next.dueMillis() <= nowMillis) {
            waits(coming.remove());
        }
        while ((next = coming.peek()) != null && next.dueMillis() > nowMillis + longestLead) {
            tickets.giveUp(coming.remove());
        }
        return next == null ? Long.MAX_VALUE : next.dueMillis();
    }

    /** Gives a slot to the next claimed job; {@code null} if there is no such job, or its handler has no slot. */
    @Nullable
    Ticket start() {
        while (!claimed.isEmpty() && !claimed.element().mayStart()) {
            tickets.giveUp(claimed.remove());
        }
        if (!mayStart() || !limits.mayStart()) {
            return null;
        }
        uncount();
        Ticket ticket = claimed.remove();
        ticket.state = State.RUNNING;
        limits.start();
        ticket.start();
        count();
        return ticket;
    }

    /** Removes a held ticket in any state. A ticket that waits for its slot or its time was taken out before. */
    void leave(Ticket ticket) {
        uncount();
        if (ticket.state == State.RUNNING) {
            limits.end();
        } else {
            limits.leave();
        }
        ticket.state = State.GONE;
        count();
        ticket.free();
    }

    /** Drops the rows that wait to be claimed. */
    public void dropReady() {
        uncount();
        rows.takeAll().forEach(tickets::drop);
        room.emptied();
        count();
    }

    /** Forgets the rows that wait to be claimed, and gives up the claimed jobs without a slot. */
    public void forget() {
        dropReady();
        giveUpClaimed(Instant.MAX);
        while (!coming.isEmpty()) {
            tickets.giveUp(coming.remove());
        }
    }

    /** Gives up the claimed jobs that have waited for a slot since before that time. Returns whether there were any. */
    boolean giveUpClaimed(Instant before) {
        boolean any = false;
        while (!claimed.isEmpty() && claimed.element().startedAt().isBefore(before)) {
            tickets.giveUp(claimed.remove());
            any = true;
        }
        return any;
    }

    /** Notes how long an attempt took, in nanoseconds. */
    void measured(long nanos) {
        uncount();
        use.measured(nanos);
        count();
    }

    private void uncount() {
        use.addToSums(-1, ready());
    }

    private void count() {
        use.addToSums(1, ready());
        slots.claimTurns.setWaiting(claimTurn, ready() > 0);
        slots.startTurns.setWaiting(startTurn, mayStart());
    }

    // ---- how much there is, and how much may be claimed

    /** Returns the number of rows that wait to be claimed. */
    public int ready() {
        return rows.size();
    }

    /** Tells whether no more rows of the ticket's kind are due. */
    public boolean isLastOfItsKind(Ticket claiming) {
        return rows.lineOf(claiming).isEmpty();
    }

    /** Tells whether there are so many due rows that a claim may take long. */
    public boolean hasPile() {
        return rows.hasMoreThan(PILE);
    }

    private boolean hasDue(boolean backlogToo) {
        return rows.hasJustDue() || hasOverdue(backlogToo);
    }

    /**
     * A backlog of which few rows can be claimed must have its turn in each claim. With fair keys, rows of any key may have
     * just come due. A claim without backlogs never takes more than a pile.
     */
    private boolean hasOverdue(boolean backlogToo) {
        FairRows overdue = rows.inTurns;
        boolean few = overdue.size() <= PILE || use.claimsAtMost(PILE);
        return !overdue.isEmpty() && (backlogToo || few || overdue.areFair());
    }

    /** Tells whether there is a row that may be claimed now, due or not. */
    public boolean hasClaimable(boolean backlogToo) {
        return (hasDue(backlogToo) || !rows.ahead.isEmpty()) && use.mayClaim() > 0;
    }

    /** Tells whether there is no claimed job left to start, or if not, whether another claim is worth its round trip. */
    boolean wantsClaim() {
        return ready() > 0 && (use.withoutSlot() == coming.size() || use.mayClaimMany());
    }

    /** Returns the number of claimed jobs that wait for a slot, or for their time. */
    public int waitingForSlot() {
        return claimed.size() + coming.size();
    }

    private boolean mayStart() {
        return !claimed.isEmpty() && limits.mayStartHere();
    }
}
