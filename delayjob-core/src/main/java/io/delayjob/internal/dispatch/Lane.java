package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.internal.dispatch.Ticket.Kind;
import io.delayjob.internal.dispatch.Ticket.State;
import io.delayjob.internal.limit.KeyedRate;
import io.delayjob.internal.limit.LaneLimits;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The jobs of one handler in one queue, from due to ended. Guarded by the lock of {@link Lanes}. */
final class Lane {

    /**
     * Maximum number of claimed jobs without a slot, because they fill memory with their payloads and are kept from
     * other instances.
     */
    static final int MAX_CLAIM_AHEAD = 2_000;

    /**
     * Maximum number of overdue rows that do not count as a backlog. The store takes milliseconds to claim so many
     * rows.
     */
    static final int PILE = 100;

    final Lanes lanes;
    final Handler handler;
    final Slots slots;
    final LaneLimits limits;

    /** The keys of its jobs, if each key has a rate. */
    final @Nullable KeyRates rates;

    /**
     * Whether its handler or queue is paused. Then nothing is claimed or started. This field is also read without the
     * lock.
     */
    volatile boolean paused;

    /**
     * Whether this lane has refused rows since it last had room. If so, it takes no overdue rows until half of its room
     * is free.
     */
    boolean full;

    /** Whether this lane was reported to have enough overdue rows. When it no longer has enough, it reports that. */
    boolean sated;

    /** Whether the usual room was too small for rows of fair keys since a scout last asked. */
    boolean wantsScout;

    private final Pace pace = new Pace();
    private final Turns.Turn<Lane> claimTurn;
    private final Turns.Turn<Lane> startTurn;

    /**
     * Rows that have just come due. They take turns with rows that a sweep has found. So neither kind waits until all
     * rows of the other kind have started.
     */
    private final Deque<Ticket> onTime = new ArrayDeque<>();

    /** Rows that a sweep has found. Where fair keys take turns, all rows that are due, or about to be. */
    final FairRows overdue;

    private boolean overdueIsNext;

    /** Rows that come due within moments and may already be claimed, roughly in the order of their due times. */
    private final Deque<Ticket> ahead = new ArrayDeque<>();

    private final Deque<Ticket> claimed = new ArrayDeque<>();

    /** Number of claimed jobs that are not due yet. */
    private int coming;

    /** Number of slots taken, and of claims under way or answered that wait for a slot. */
    private int held;

    private int running;

    Lane(Lanes lanes, Handler handler, Slots slots) {
        this.lanes = lanes;
        this.handler = handler;
        this.slots = slots;
        this.limits = lanes.limits.of(handler, slots.queue);
        this.overdue = new FairRows(handler.fairBy() != null);
        KeyedRate keyed = limits.keyed();
        this.rates = keyed == null ? null : new KeyRates(this, keyed, lanes.clock);
        claimTurn = slots.claimTurns.add(this, handler.priority());
        startTurn = slots.startTurns.add(this, handler.priority());
        slots.lanes.add(this);
    }

    // ---- how tickets move. Each change is made between uncount and count, which keep the sums.

    void add(Ticket ticket, long nowMillis) {
        follow(nowMillis);
        uncount();
        boolean early = ticket.dueMillis() > nowMillis && ticket.kind == Kind.ON_TIME && !overdue.areFair();
        (early ? ahead : lineOf(ticket)).add(ticket);
        count();
        lanes.gates.enters(ticket);
    }

    /** Returns the rows among which this ticket waits when it is due. */
    private Queue<Ticket> lineOf(Ticket ticket) {
        return overdue.areFairWith(ticket) || ticket.kind == Kind.OVERDUE ? overdue : onTime;
    }

    /**
     * Moves rows from those that lie ahead to those that have just come due, if they are due now. Also notes the end of
     * a rest.
     */
    void follow(long nowMillis) {
        limits.follow(nowMillis);
        while (!ahead.isEmpty() && ahead.element().dueMillis() <= nowMillis) {
            onTime.add(ahead.remove());
        }
    }

    /**
     * Takes the due row to claim next; {@code null} if there is no such row, or no slot for it.
     *
     * @param backlogToo whether overdue rows may also be taken if many could be claimed at once. Few are taken in any
     *     case, in turn with rows that have just come due
     */
    @Nullable
    Ticket claimDue(boolean backlogToo) {
        Ticket next = null;
        while (next == null && hasDue(backlogToo) && mayClaim() > 0) {
            boolean takesOverdue = hasOverdue(backlogToo) && (onTime.isEmpty() || isOverduesTurn());
            overdueIsNext = !takesOverdue;
            next = claim(takesOverdue ? overdue : onTime);
        }
        return next;
    }

    /**
     * The two kinds take turns. With a limit in the cluster the earlier row comes first, because a backlog may last for
     * hours there.
     */
    private boolean isOverduesTurn() {
        return limits.areOfCluster()
                ? overdue.element().dueMillis() <= onTime.element().dueMillis()
                : overdueIsNext;
    }

    /**
     * Takes the next row that may be claimed before it is due; {@code null} if there is no such row, or no slot for it.
     */
    @Nullable
    Ticket claimAhead() {
        Ticket next = null;
        while (next == null && onTime.isEmpty() && !ahead.isEmpty() && mayClaim() > 0) {
            next = claim(ahead);
        }
        return next;
    }

    /** Takes out the first row; {@code null} if it may not be claimed now because of its key. */
    private @Nullable Ticket claim(Queue<Ticket> rows) {
        uncount();
        Ticket ticket = rows.remove();
        boolean taken = !ticket.hasKey() || lanes.gates.take(ticket);
        if (taken) {
            ticket.state = State.CLAIMING;
            held++;
            limits.reserve();
        }
        count();
        return taken ? ticket : null;
    }

    /** Takes back a ticket that has waited at a gate. */
    void readmit(Ticket ticket) {
        uncount();
        lineOf(ticket).add(ticket);
        count();
    }

    /** Notes that the job of this ticket is claimed and not yet due. */
    void comes(Ticket ticket) {
        ticket.state = State.COMING;
        coming++;
    }

    /** Notes that the job of this ticket is claimed and due. */
    void waits(Ticket ticket) {
        uncount();
        coming -= ticket.state == State.COMING ? 1 : 0;
        ticket.state = State.CLAIMED;
        claimed.add(ticket);
        count();
    }

    /** Gives a slot to the next claimed job; {@code null} if there is no such job, or its handler has no slot. */
    @Nullable
    Ticket start() {
        while (!claimed.isEmpty() && !lanes.gates.mayStart(claimed.element())) {
            lanes.giveUp(claimed.remove());
        }
        if (!mayStart() || !limits.mayStart()) {
            return null;
        }
        uncount();
        Ticket ticket = claimed.remove();
        ticket.state = State.RUNNING;
        running++;
        limits.start();
        lanes.gates.start(ticket);
        count();
        return ticket;
    }

    /** Removes a held ticket in any state. A ticket that waits for its slot must have been taken out before. */
    void leave(Ticket ticket) {
        uncount();
        held--;
        coming -= ticket.state == State.COMING ? 1 : 0;
        if (ticket.state == State.RUNNING) {
            running--;
            limits.end();
        } else {
            limits.leave();
        }
        ticket.state = State.GONE;
        count();
        lanes.gates.free(ticket);
    }

    /** Takes out the ready rows. */
    List<Ticket> dropReady() {
        uncount();
        List<Ticket> dropped = new ArrayList<>(ready());
        for (Queue<Ticket> rows : List.of(onTime, overdue, ahead)) {
            dropped.addAll(rows);
            rows.clear();
        }
        dropped.addAll(lanes.gates.takeAll(this));
        dropped.forEach(ticket -> ticket.state = State.GONE);
        full = false;
        count();
        return dropped;
    }

    /** Takes out the claimed jobs that have waited for a slot since before that time. */
    List<Ticket> dropClaimed(Instant before) {
        List<Ticket> dropped = new ArrayList<>(0);
        while (!claimed.isEmpty() && claimed.element().startedAt().isBefore(before)) {
            dropped.add(claimed.remove());
        }
        return dropped;
    }

    /** Notes how long an attempt took, in nanoseconds. */
    void measured(long nanos) {
        uncount();
        pace.measured(nanos);
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
        lanes.room.ready += sign * ready();
        lanes.room.withoutSlot += sign * (held - running);
        slots.taken += sign * running;
        if (!pace.isFast()) {
            slots.takenBySlow += sign * running;
            slots.heldBySlow += sign * held;
        } else if (ready() + held > 0) {
            slots.busyFastLanes += sign;
        }
    }

    // ---- how much there is, and how much may be claimed

    int ready() {
        return onTime.size() + overdue.size() + ahead.size();
    }

    int onTime() {
        return onTime.size() + ahead.size();
    }

    int overdue() {
        return overdue.size();
    }

    /** Tells whether no more rows of the ticket's kind are due. */
    boolean isLastOfItsKind(Ticket claiming) {
        return lineOf(claiming).isEmpty();
    }

    boolean hasPile() {
        return Math.max(onTime.size(), overdue.size()) > PILE;
    }

    private boolean hasDue(boolean backlogToo) {
        return !onTime.isEmpty() || hasOverdue(backlogToo);
    }

    private boolean hasOverdue(boolean backlogToo) {
        return !overdue.isEmpty() && (backlogToo || overdue.size() <= PILE || claimsFew());
    }

    /**
     * Tells whether a claim takes few rows in any case, because the handler is slow and few of its slots are free, or
     * because it has a limit in the cluster. Each free slot and token of such a lane is used at once, so its backlog
     * must have its turn in each claim.
     */
    private boolean claimsFew() {
        return (!pace.isFast() || limits.areOfCluster()) && mayClaim() <= PILE;
    }

    /** Returns the number of its rows that wait for a rate, or for the end of a rest. */
    int waitingForRate() {
        return (limits.letWait() ? ready() : 0) + (rates == null ? 0 : rates.waiting());
    }

    /** Tells whether there is a row that may be claimed now, due or not. */
    boolean hasClaimable(boolean backlogToo) {
        return hasDue(backlogToo) || !ahead.isEmpty();
    }

    boolean isRunning() {
        return running > 0;
    }

    int waitingForSlot() {
        return claimed.size() + coming;
    }

    private boolean mayStart() {
        return !claimed.isEmpty() && running < handler.concurrency();
    }

    /** Returns how many more rows may be claimed now. */
    int mayClaim() {
        return Math.min(maySlotsTake(), limits.free());
    }

    private int maySlotsTake() {
        if (!pace.isFast()) {
            return Math.min(limits.concurrency(held) - held, slots.limit - slots.heldBySlow);
        }
        int fastSlots = fastSlots();
        return fastSlots + claimAhead(fastSlots) - held;
    }

    /**
     * Tells whether another claim is worth its round trip. This is so if there is no job left to start, or if half of
     * the number for claims ahead is used up.
     */
    boolean wantsClaim() {
        return ready() > 0
                && (held == running + coming || mayClaim() > (pace.isFast() ? claimAhead(fastSlots()) / 2 : 0));
    }

    /** Returns the number of slots that this lane can have now or in a moment. */
    private int fastSlots() {
        return Math.min(limits.concurrency(held), slots.limit - slots.takenBySlow);
    }

    /**
     * Returns how many jobs may be claimed ahead. They start within a moment, as do the jobs of all lanes that compete
     * for the slots.
     */
    private int claimAhead(int fastSlots) {
        return (int) Math.min(pace.startableInAMoment(fastSlots) / Math.max(1, slots.busyFastLanes), MAX_CLAIM_AHEAD);
    }

    /**
     * Returns how many attempts start within that time, in nanoseconds, with all the slots and tokens that the lane may
     * have.
     */
    long startableWithin(long nanos) {
        if (!limits.haveSlots()) {
            return 0;
        }
        int most = Math.max(1, Math.min(limits.concurrency(held), slots.limit));
        return Math.min(pace.startableWithin(nanos) * most, limits.within(nanos));
    }
}
