package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way of one handler's jobs of one queue, from due to started. Guarded by the lock of {@link Tickets}. */
final class Lane {

    /** Maximum number of claimed jobs without a slot: they are in memory with their payloads, and kept from all others. */
    private static final int MAX_CLAIM_AHEAD = 2_000;

    /** More rows than this have piled up: a claim of them takes milliseconds. */
    static final int BACKLOG = 100;

    final Handler handler;
    final Slots slots;

    /** What has just come due, and what a sweep has found. They take turns, so that neither waits for all of the other. */
    private final TicketQueue onTime;

    private final TicketQueue overdue;
    private boolean overdueIsNext;

    /** What comes due within moments and may be claimed already, about in the order of the due times. */
    private final TicketQueue ahead;

    final TicketQueue claiming;

    /** Claimed, and not due yet. */
    final TicketQueue coming;

    final TicketQueue claimed;
    final TicketQueue running;

    /** Has refused rows since it last had room: it takes no overdue ones until half of its room is there again. */
    boolean full;

    /** Was said to have enough overdue rows; it is announced once that is no longer so. */
    boolean sated;

    private final Pace pace = new Pace();
    private final Turns.Turn<Lane> claimTurn;
    private final Turns.Turn<Lane> startTurn;
    private int takenSlowly;
    private int heldSlowly;
    private int busyAndFast;

    /**
     * @param ready counts the rows that wait to be claimed, of all lanes
     * @param withoutSlot counts the jobs that are claimed or being claimed and have no slot, of all lanes
     */
    Lane(Handler handler, Slots slots, Tally ready, Tally withoutSlot) {
        this.handler = handler;
        this.slots = slots;
        onTime = new TicketQueue(ready, this::settle);
        overdue = new TicketQueue(ready, this::settle);
        ahead = new TicketQueue(ready, this::settle);
        claiming = new TicketQueue(withoutSlot, this::settle);
        coming = new TicketQueue(withoutSlot, this::settle);
        claimed = new TicketQueue(withoutSlot, this::settle);
        running = new TicketQueue(slots.running, this::settle);
        claimTurn = slots.claimTurns.add(this, handler.priority());
        startTurn = slots.startTurns.add(this, handler.priority());
        slots.add(this);
    }

    /** Brings what is derived from its queues and its pace up to date. */
    private void settle() {
        boolean fast = pace.isFast();
        int taken = fast ? 0 : running.size();
        int held = fast ? 0 : held();
        int busy = fast && readyCount() + held() > 0 ? 1 : 0;
        slots.takenBySlow += taken - takenSlowly;
        slots.heldBySlow += held - heldSlowly;
        slots.busyFastLanes += busy - busyAndFast;
        takenSlowly = taken;
        heldSlowly = held;
        busyAndFast = busy;
        slots.claimTurns.setWaiting(claimTurn, readyCount() > 0);
        slots.startTurns.setWaiting(startTurn, !claimed.isEmpty() && running.size() < handler.concurrency());
    }

    /** Slots taken, and claims under way or answered that wait for one. */
    private int held() {
        return running.size() + claiming.size() + claimed.size() + coming.size();
    }

    /** How many rows of one kind there are, with those that are about to be of it. */
    int count(boolean overdue) {
        return overdue ? this.overdue.size() : onTime.size() + ahead.size();
    }

    /** The due rows of one kind that wait to be claimed. */
    TicketQueue ready(boolean overdue) {
        return overdue ? this.overdue : onTime;
    }

    int readyCount() {
        return onTime.size() + overdue.size() + ahead.size();
    }

    void add(Ticket ticket, long nowMillis) {
        follow(nowMillis);
        boolean early = !ticket.overdue && ticket.row.dueMillis() > nowMillis;
        (early ? ahead : ready(ticket.overdue)).add(ticket);
    }

    /** What lay ahead and has come due, unclaimed, goes with all that has just come due. */
    void follow(long nowMillis) {
        Ticket next;
        while ((next = ahead.first()) != null && next.row.dueMillis() <= nowMillis) {
            onTime.add(next);
        }
    }

    /** Whether there is a row that may be claimed now, due or not. */
    boolean hasClaimable(boolean backlogToo) {
        return hasReady(backlogToo) || onTime.isEmpty() && !ahead.isEmpty();
    }

    boolean hasBacklog() {
        return Math.max(onTime.size(), overdue.size()) > BACKLOG;
    }

    /** @param backlogToo whether what has piled up may be claimed now */
    private boolean hasReady(boolean backlogToo) {
        return isReady(onTime, backlogToo) || isReady(overdue, backlogToo);
    }

    private static boolean isReady(TicketQueue rows, boolean backlogToo) {
        return !rows.isEmpty() && (backlogToo || rows.size() <= BACKLOG);
    }

    /** The due row to be claimed next, of both kinds in turn; {@code null} when there is none, or no slot for it. */
    @Nullable
    Ticket nextReady(boolean backlogToo) {
        if (!hasReady(backlogToo) || mayClaim() <= 0) {
            return null;
        }
        boolean kind = isReady(ready(overdueIsNext), backlogToo) ? overdueIsNext : !overdueIsNext;
        overdueIsNext = !kind;
        return ready(kind).first();
    }

    /** What may be claimed already, although it is not due, and is the next. */
    @Nullable
    Ticket nextAhead() {
        return onTime.isEmpty() && mayClaim() > 0 ? ahead.first() : null;
    }

    /** How many more rows may be claimed now. */
    int mayClaim() {
        if (!pace.isFast()) {
            return Math.min(handler.concurrency() - held(), slots.limit - slots.heldBySlow);
        }
        int fastSlots = fastSlots();
        return fastSlots + claimAhead(fastSlots) - held();
    }

    /**
     * Whether another claim is worth its round trip: nothing is left to start, or half of what may run ahead is used
     * up.
     */
    boolean wantsClaim(boolean backlogToo) {
        return hasClaimable(backlogToo)
                && (claimed.isEmpty() && claiming.isEmpty()
                        || mayClaim() > (pace.isFast() ? claimAhead(fastSlots()) / 2 : 0));
    }

    /** The slots that it can have now or in a moment. */
    private int fastSlots() {
        return Math.min(handler.concurrency(), slots.limit - slots.takenBySlow);
    }

    /** What is claimed ahead starts within a moment, together with that of all others that compete for the slots. */
    private int claimAhead(int fastSlots) {
        return (int) Math.min(pace.startableInAMoment(fastSlots) / Math.max(1, slots.busyFastLanes), MAX_CLAIM_AHEAD);
    }

    /** How many rows are worth keeping ready: twice what can start before the next sweep. */
    int worthKeeping(long sweepIntervalNanos) {
        long startable = 2 * pace.startableWithin(sweepIntervalNanos) * Math.min(handler.concurrency(), slots.limit);
        return (int) Math.min(startable, Integer.MAX_VALUE / 2);
    }

    /** Whether it has so many overdue rows that they last until more can be read: half of what is worth keeping. */
    boolean hasEnough(long sweepIntervalNanos) {
        return overdue.size() >= Math.min(worthKeeping(sweepIntervalNanos) / 2, MAX_CLAIM_AHEAD);
    }

    /** The claimed job that starts next; {@code null} when there is none, or its handler has no slot for it. */
    @Nullable
    Ticket nextToStart() {
        return running.size() < handler.concurrency() ? claimed.first() : null;
    }

    /** Whether this row waits to be claimed. */
    boolean isReady(Ticket ticket) {
        return ticket.isIn(onTime) || ticket.isIn(overdue) || ticket.isIn(ahead);
    }

    /** Forgets the rows that are ready. */
    void forgetReady(Consumer<Ticket> forget) {
        onTime.forEach(forget);
        overdue.forEach(forget);
        ahead.forEach(forget);
        full = false;
    }

    /** What is claimed and has no slot, whether its time has come or not. */
    void forEachWithoutSlot(Consumer<Ticket> action) {
        claimed.forEach(action);
        coming.forEach(action);
    }

    void measured(long nanos) {
        pace.measured(nanos);
        settle();
    }
}
