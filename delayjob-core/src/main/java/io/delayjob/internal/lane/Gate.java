package io.delayjob.internal.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the rows of one key have to pass before they are claimed: a mutex, or the tokens of a rate. Tickets that cannot
 * pass yet wait here, and are in no lane.
 *
 * <pre>
 *   lane ---> taken by the claim ---> started ---> freed at the end
 *     ^   '-- shut: waits here             '---- or freed without a start
 *     '------ let in, as soon as it may pass
 * </pre>
 *
 * <p>Guarded by the lock of {@link Tickets}.
 */
public abstract class Gate {

    /**
     * Number of claims in a row that have found their rows changed, after which the other rows count as changed, too.
     */
    private static final int STALE_AFTER = 3;

    protected final String key;
    private final Tickets tickets;

    /**
     * The waiting tickets of each lane, in their order. No lane waits behind another, which may have no slot for long.
     */
    private final Map<Lane, Deque<Ticket>> waiting = new LinkedHashMap<>(2);

    /** Number of claims since the latest successful one that have found their rows changed. */
    private int passedOver;

    protected Gate(Tickets tickets, String key) {
        this.tickets = tickets;
        this.key = key;
    }

    // ---- what may pass

    /** Returns how many tickets of each lane may be let in now. */
    protected abstract int passes();

    /** Returns the maximum number of tickets that are worth keeping here, because the others stay in the table. */
    protected abstract int worthKeeping();

    /** Tells whether this instance still has the lease under which the latest ticket has passed. */
    protected abstract boolean isStillLed();

    /** Uses up what a ticket has taken, because its attempt starts. */
    protected abstract void start();

    /** Takes back what a ticket has taken, because it leaves its lane. Lets others in. */
    protected abstract void free();

    /** Called when tickets begin to wait here or are taken out. */
    protected abstract void waitingChanged();

    /** Notes that a ticket is let in. */
    protected void lets(Ticket in) {
        in.letInBy = this;
    }

    /** Called when the turn of a ticket has come that was let in. */
    protected void comes() {}

    /** Forgets this gate if nothing needs to be remembered about it. */
    protected abstract void forgetIfIdle();

    // ---- what waits

    /** Returns the number of waiting tickets. */
    public int waiting() {
        int count = 0;
        for (Deque<Ticket> ofLane : waiting.values()) {
            count += ofLane.size();
        }
        return count;
    }

    /** Tells whether tickets wait here. */
    public boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /**
     * Tells whether one more ticket may wait here. A key with many rows leaves room for others. A row that is not kept
     * stays in the table, where a sweep finds it.
     */
    boolean hasRoom() {
        return waiting() < Math.min(worthKeeping(), tickets.room.leftForGates());
    }

    /** Lets a ticket wait. A ticket that was let in here before waits before the others of its lane. */
    public void add(Ticket ticket) {
        Deque<Ticket> ofLane = waiting.computeIfAbsent(ticket.lane, lane -> new ArrayDeque<>());
        if (ticket.letInBy == this) {
            ofLane.addFirst(ticket);
        } else {
            ofLane.add(ticket);
        }
        ticket.waitsAt = this;
        tickets.room.waitingAtGates++;
        waitingChanged();
    }

    /** Lets the first waiting tickets of each lane in, as many as may pass. The lane that claims first passes. */
    public void letIn() {
        int most = passes();
        List<Ticket> first = new ArrayList<>(waiting.size());
        for (Deque<Ticket> ofLane : waiting.values()) {
            for (int i = Math.min(most, ofLane.size()); i > 0; i--) {
                first.add(ofLane.remove());
            }
        }
        waiting.values().removeIf(Deque::isEmpty);
        for (Ticket ticket : first) {
            lets(ticket);
            ticket.lane.readmit(ticket);
        }
        taken(first);
    }

    /** Drops a waiting ticket. */
    void drop(Ticket ticket) {
        Deque<Ticket> ofLane = waiting.get(ticket.lane);
        if (ofLane != null && ofLane.remove(ticket)) {
            if (ofLane.isEmpty()) {
                waiting.remove(ticket.lane);
            }
            taken(List.of(ticket)).forEach(tickets::drop);
        }
    }

    /** Drops all waiting tickets. */
    public void dropAll() {
        List<Ticket> all = new ArrayList<>();
        waiting.values().forEach(all::addAll);
        waiting.clear();
        taken(all).forEach(tickets::drop);
    }

    /** Drops the waiting tickets of a lane. */
    public void drop(Lane lane) {
        Deque<Ticket> ofLane = waiting.remove(lane);
        if (ofLane != null) {
            taken(List.copyOf(ofLane)).forEach(tickets::drop);
        }
    }

    private List<Ticket> taken(List<Ticket> taken) {
        taken.forEach(ticket -> ticket.waitsAt = null);
        tickets.room.waitingAtGates -= taken.size();
        if (!taken.isEmpty()) {
            waitingChanged();
        }
        return taken;
    }

    /**
     * Takes note of the answer to the claim of a ticket that has passed. If several claims in a row have found their
     * rows changed, a bulk change has probably changed the waiting rows, too. They are dropped, because each would cost
     * a claim. The sweep brings those that still wait.
     */
    void answered(Ticket ticket) {
        passedOver = ticket.isClaimed() ? 0 : passedOver + 1;
        if (passedOver >= STALE_AFTER) {
            dropAll();
        }
    }
}
