package io.delayjob.internal.lane;

import io.delayjob.handler.Handler;
import io.delayjob.internal.lane.Ticket.State;
import io.delayjob.internal.limit.LaneLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The jobs of one handler in one queue, from due to ended. Guarded by the lock of {@link Tickets}. */
public final class Lane {

    /**
     * Maximum number of overdue rows that do not count as a backlog. The store takes milliseconds to claim so many
     * rows.
     */
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
    private final Deque<Ticket> claimed = new ArrayDeque<>();

    /**
     * Whether its handler or queue is paused. Then nothing is claimed or started. This field is also read without the
     * lock.
     */
    private volatile boolean paused;

    /** Number of claimed jobs that are not due yet. */
    private int coming;

    /** @param sweepInterval time after which the next overdue rows are read */
    public Lane(Tickets tickets, Handler handler, Slots slots, LaneLimits limits, Duration sweepInterval) {
        this.tickets = tickets;
        this.handler = handler;
        this.slots = slots;
        this.limits = limits;
        rows = new ReadyRows(handler.fairBy() != null);
        use = new LaneSlots(slots, limits);
        room = new LaneRoom(this, tickets.room, rows.overdue, sweepInterval);
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

    /**
     * Takes the next row that may be claimed before it is due; {@code null} if there is no such row, or no slot for it.
     *
     * @param passes lets a row with a key pass its gates, or takes over its ticket
     */
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

    /** Notes that the job of this ticket is claimed and not yet due. */
    public void comes(Ticket ticket) {
        ticket.state = State.COMING;
        coming++;
    }

    /** Notes that the job of this ticket is claimed and due. */
    public void waits(Ticket ticket) {
        uncount();
        coming -= ticket.isComing() ? 1 : 0;
        ticket.state = State.CLAIMED;
        claimed.add(ticket);
        count();
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

    /** Removes a held ticket in any state. A ticket that waits for its slot must have been taken out before. */
    void leave(Ticket ticket) {
        uncount();
        coming -= ticket.isComing() ? 1 : 0;
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

    /** Gives up the claimed jobs that have waited for a slot since before that time. Returns whether there were any. */
    public boolean giveUpClaimed(Instant before) {
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
        addToSums(-1);
    }

    private void count() {
        addToSums(1);
        slots.claimTurns.setWaiting(claimTurn, ready() > 0);
        slots.startTurns.setWaiting(startTurn, mayStart());
    }

    private void addToSums(int sign) {
        tickets.room.ready += sign * ready();
        tickets.room.withoutSlot += sign * use.withoutSlot();
        use.addToSums(sign, ready() > 0);
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

    /** A backlog of which few rows can be claimed must have its turn in each claim. */
    private boolean hasOverdue(boolean backlogToo) {
        return !rows.overdue.isEmpty() && (backlogToo || rows.overdue.size() <= PILE || use.claimsAtMost(PILE));
    }

    /** Tells whether there is a row that may be claimed now, due or not. */
    public boolean hasClaimable(boolean backlogToo) {
        return (hasDue(backlogToo) || !rows.ahead.isEmpty()) && use.mayClaim() > 0;
    }

    /** Tells whether there is no claimed job left to start, or if not, whether another claim is worth its round trip. */
    boolean wantsClaim() {
        return ready() > 0 && (use.withoutSlot() == coming || use.mayClaimMany());
    }

    /** Returns the number of claimed jobs that wait for a slot, or for their time. */
    public int waitingForSlot() {
        return claimed.size() + coming;
    }

    private boolean mayStart() {
        return !claimed.isEmpty() && limits.mayStartHere();
    }
}
