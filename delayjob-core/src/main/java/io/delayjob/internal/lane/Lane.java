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
 * Contains the jobs of one handler in one queue, from their due time to the end of their attempt. The lock of {@link
 * Tickets} guards this object.
 */
public final class Lane {

    /**
     * A lane with more due rows than this number has a pile. The store claims this number of rows within milliseconds.
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

    public Handler handler() {
        return handler;
    }

    public String queue() {
        return slots.queue;
    }

    public LaneLimits limits() {
        return limits;
    }

    public LaneRoom room() {
        return room;
    }

    public void setPaused(boolean paused) {
        this.paused = paused;
    }

    /** Any thread may call this method. */
    public boolean isPaused() {
        return paused;
    }

    // ---- changes of tickets. Each change is made between uncount and count, which keep the sums correct.

    void add(Ticket ticket, long nowMillis) {
        follow(nowMillis);
        uncount();
        rows.add(ticket, nowMillis);
        count();
        ticket.entered();
    }

    void readmit(Ticket ticket) {
        uncount();
        rows.lineOf(ticket).add(ticket);
        count();
    }

    public void follow(long nowMillis) {
        limits.follow(nowMillis);
        rows.follow(nowMillis);
    }

    /**
     * If a limit of the cluster applies, rows may be overdue for hours. Therefore, the row with the earliest due time
     * is claimed first.
     *
     * @param passes tells whether a row with a key has passed its gates; if not, the ticket of the row leaves the lane
     */
    public @Nullable Ticket claimDue(boolean backlogToo, Predicate<Ticket> passes) {
        Ticket next = null;
        while (next == null && hasDue(backlogToo) && use.mayClaim() > 0) {
            next = claim(rows.nextLine(hasOverdue(backlogToo), limits.areOfCluster()), passes);
        }
        return next;
    }

    /** Claims a row that is not due yet, unless another row has just become due. */
    public @Nullable Ticket claimAhead(Predicate<Ticket> passes) {
        Ticket next = null;
        while (next == null && !rows.hasJustDue() && !rows.ahead.isEmpty() && use.mayClaim() > 0) {
            next = claim(rows.ahead, passes);
        }
        return next;
    }

    /**
     * Always removes the first row from the lane. Returns {@code null} if the row's key allows no claim now, or if the
     * row has moved to another lane.
     */
    private @Nullable Ticket claim(Queue<Ticket> line, Predicate<Ticket> passes) {
        uncount();
        Ticket ticket = line.remove();
        boolean taken = isStillHere(ticket) && (!ticket.hasKey() || passes.test(ticket));
        if (taken) {
            ticket.state = State.CLAIMING;
            limits.reserve();
        }
        count();
        ticket.left();
        return taken ? ticket : null;
    }

    private static boolean isStillHere(Ticket ticket) {
        if (ticket.state == State.GONE) {
            ticket.comes();
            return false;
        }
        return true;
    }

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
     * If the store's clock was set back, jobs that would wait too long are given up.
     *
     * @return the next due time; {@link Long#MAX_VALUE} if there is none
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

    /** The caller must first take the ticket out of the queue in which the ticket waits. */
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

    public void dropReady() {
        uncount();
        rows.takeAll().forEach(tickets::drop);
        room.emptied();
        count();
    }

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

    public int ready() {
        return rows.size();
    }

    public boolean isIdle() {
        return ready() == 0 && limits.held() == 0;
    }

    public boolean isLastOfItsKind(Ticket claiming) {
        return rows.lineOf(claiming).isEmpty();
    }

    public boolean hasPile() {
        return rows.hasMoreThan(PILE);
    }

    private boolean hasDue(boolean backlogToo) {
        return rows.hasJustDue() || hasOverdue(backlogToo);
    }

    /**
     * If many rows are overdue, only claims with {@code backlogToo} take these rows. If only few rows may be claimed,
     * every claim takes overdue rows. Otherwise, no places would remain for the overdue rows.
     */
    private boolean hasOverdue(boolean backlogToo) {
        FairRows overdue = rows.inTurns;
        boolean few = overdue.size() <= PILE || use.claimsAtMost(PILE);
        return !overdue.isEmpty() && (backlogToo || few || overdue.areFair());
    }

    public boolean hasClaimable(boolean backlogToo) {
        return (hasDue(backlogToo) || !rows.ahead.isEmpty()) && use.mayClaim() > 0;
    }

    boolean wantsClaim() {
        return ready() > 0 && (use.withoutSlot() == coming.size() || use.mayClaimMany());
    }

    public int waitingForSlot() {
        return claimed.size() + coming.size();
    }

    private boolean mayStart() {
        return !claimed.isEmpty() && limits.mayStartHere();
    }
}
