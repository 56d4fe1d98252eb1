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

/**
 * Contains the jobs of one handler in one queue, from their due time to the end of their attempt. The lock of
 * {@link Tickets} guards this object.
 */
public final class Lane {

    /**
     * If a lane has more overdue rows than this number, it is treated as a lane with many overdue rows. The store
     * claims this number of rows within milliseconds.
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

    private final PriorityQueue<Ticket> coming = new PriorityQueue<>(Comparator.comparingLong(Ticket::dueMillis));

    private final Deque<Ticket> claimed = new ArrayDeque<>();

    /** Some threads read this field without the lock. */
    private volatile boolean paused;

    /** @param sweepInterval time until the next overdue rows are read */
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

    /** Returns the handler of this lane's jobs. */
    public Handler handler() {
        return handler;
    }

    /** Returns the name of this lane's queue. */
    public String queue() {
        return slots.queue;
    }

    /** Returns the limits for this lane's jobs, without the slots of the queue. */
    public LaneLimits limits() {
        return limits;
    }

    /** Returns the limit for the number of this lane's rows in memory. */
    public LaneRoom room() {
        return room;
    }

    /**
     * Sets whether the handler or the queue of this lane is paused. While it is paused, no job of the lane is claimed
     * or started.
     */
    public void setPaused(boolean paused) {
        this.paused = paused;
    }

    /** Tells whether the handler or the queue of this lane is paused. Any thread may call this method. */
    public boolean isPaused() {
        return paused;
    }

    // ---- changes of tickets. Each change is made between a call of uncount and a call of count, which keep the sums
    // correct.

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

    /**
     * Updates the lane to the present time. Rows may become due, and a rest of the handler (a pause in its claims) may
     * end.
     */
    public void follow(long nowMillis) {
        limits.follow(nowMillis);
        rows.follow(nowMillis);
    }

    /**
     * Takes the due row that is claimed next. Returns {@code null} if there is no such row, or no slot for the row.
     * Usually, overdue rows alternate with rows that have just become due. If a limit of the cluster applies to this
     * lane, the row with the earliest due time comes first. The reason is that the rows of such a lane may be overdue
     * for hours.
     *
     * @param backlogToo whether overdue rows are also taken when many of them could be claimed at once. When only a few
     *     could be claimed, overdue rows are taken in any case
     * @param passes tells whether a row with a key has passed its gates; if not, its ticket leaves the lane
     */
    public @Nullable Ticket claimDue(boolean backlogToo, Predicate<Ticket> passes) {
        Ticket next = null;
        while (next == null && hasDue(backlogToo) && use.mayClaim() > 0) {
            next = claim(rows.nextLine(hasOverdue(backlogToo), limits.areOfCluster()), passes);
        }
        return next;
    }

    /**
     * Takes the next row that may be claimed before it is due. Returns {@code null} in three cases: there is no such
     * row, a row has just become due, or there is no slot for the row.
     */
    public @Nullable Ticket claimAhead(Predicate<Ticket> passes) {
        Ticket next = null;
        while (next == null && !rows.hasJustDue() && !rows.ahead.isEmpty() && use.mayClaim() > 0) {
            next = claim(rows.ahead, passes);
        }
        return next;
    }

    /**
     * Takes the first row out of the lane in every case. The result is {@code null} if the key of the row does not
     * allow a claim now.
     */
    private @Nullable Ticket claim(Queue<Ticket> line, Predicate<Ticket> passes) {
        uncount();
        Ticket ticket = line.remove();
        boolean taken = !ticket.hasKey() || passes.test(ticket);
        if (taken) {
            ticket.state = State.CLAIMING;
            limits.reserve();
        }
        count();
        ticket.left();
        return taken ? ticket : null;
    }

    /** Keeps a claimed job until it is due and has a slot. */
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
     * Lets each claimed job that has become due wait for its slot. If the store's clock was set back, the method gives
     * up jobs that would otherwise stay claimed until their due time comes again.
     *
     * @param longestLead maximum time between the claim of a row and its due time
     * @return the due time of the claimed job that becomes due next; {@link Long#MAX_VALUE} if there is no such job
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

    /**
     * While a ticket waits for its slot or its due time, it stands in a queue. Before this call, the caller must take
     * the ticket out of this queue.
     */
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

    /** Removes the rows that wait to be claimed from memory. */
    public void dropReady() {
        uncount();
        rows.takeAll().forEach(tickets::drop);
        room.emptied();
        count();
    }

    /** Removes from memory the rows that wait to be claimed, and gives up the claimed jobs without a slot. */
    public void forget() {
        dropReady();
        giveUpClaimed(Instant.MAX);
        while (!coming.isEmpty()) {
            tickets.giveUp(coming.remove());
        }
    }

    boolean giveUpClaimed(Instant before) {
        boolean any = false;
        while (!claimed.isEmpty() && claimed.element().startedAt().isBefore(before)) {
            tickets.giveUp(claimed.remove());
            any = true;
        }
        return any;
    }

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

    // ---- numbers of rows, and limits for claims

    /** Returns the number of rows that wait to be claimed. */
    public int ready() {
        return rows.size();
    }

    /** Tells whether the lane has no further due row of this ticket's kind: on time or overdue. */
    public boolean isLastOfItsKind(Ticket claiming) {
        return rows.lineOf(claiming).isEmpty();
    }

    /** Tells whether so many rows are due that a claim of all of them may take long. */
    public boolean hasPile() {
        return rows.hasMoreThan(PILE);
    }

    private boolean hasDue(boolean backlogToo) {
        return rows.hasJustDue() || hasOverdue(backlogToo);
    }

    /**
     * Tells whether the next claim may include overdue rows. A claim without {@code backlogToo} takes at most {@link
     * #PILE} rows, and leaves out overdue rows if there are many. So some places are left for claims that include
     * overdue rows. If only a few rows can be claimed, no places would remain, so each claim includes overdue rows. In
     * a lane with fair keys, the list of overdue rows also contains rows that have just become due, so each claim
     * includes them, too.
     */
    private boolean hasOverdue(boolean backlogToo) {
        FairRows overdue = rows.inTurns;
        boolean few = overdue.size() <= PILE || use.claimsAtMost(PILE);
        return !overdue.isEmpty() && (backlogToo || few || overdue.areFair());
    }

    /** Tells whether a row may be claimed now. The row may be due, or due soon. */
    public boolean hasClaimable(boolean backlogToo) {
        return (hasDue(backlogToo) || !rows.ahead.isEmpty()) && use.mayClaim() > 0;
    }

    /**
     * Tells whether a row is ready and another claim is worth its round trip to the store. If no other row is being
     * claimed and no due job waits for a slot, a claim is always worth its round trip.
     */
    boolean wantsClaim() {
        return ready() > 0 && (use.withoutSlot() == coming.size() || use.mayClaimMany());
    }

    /** Returns the number of claimed jobs that wait for a slot or for their due time. */
    public int waitingForSlot() {
        return claimed.size() + coming.size();
    }

    private boolean mayStart() {
        return !claimed.isEmpty() && limits.mayStartHere();
    }
}
