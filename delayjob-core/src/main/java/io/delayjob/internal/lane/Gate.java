package io.delayjob.internal.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides when the rows of one key may be claimed. The key is a mutex, or the key of a rate with tokens. If a ticket
 * cannot pass the gate yet, it waits here, and is in no lane.
 *
 * <pre>
 *   lane ---> taken by the claim ---> started ---> freed at the end
 *     ^   '-- shut: waits here             '---- or freed without a start
 *     '------ let in, as soon as it may pass
 * </pre>
 *
 * <p>The lock of {@link Tickets} guards this object.
 */
public abstract class Gate {

    private static final int STALE_AFTER = 3;

    protected final String key;
    private final Tickets tickets;

    /**
     * The waiting tickets of each lane, in the order in which they pass. Lanes do not wait for each other, because a
     * lane may be without a free slot for a long time.
     */
    private final Map<Lane, Deque<Ticket>> waiting = new LinkedHashMap<>(2);

    /** Number of successive claims that failed because their rows had changed. */
    private int passedOver;

    protected Gate(Tickets tickets, String key) {
        this.tickets = tickets;
        this.key = key;
    }

    // ---- the tickets that may pass

    /** Returns how many tickets of each lane may pass at present. */
    protected abstract int passes();

    /** Returns the maximum number of tickets that wait at this gate. All other rows stay in the store. */
    protected abstract int worthKeeping();

    /** Tells whether this instance still has the lease under which the latest ticket has passed. */
    protected abstract boolean isStillLed();

    /** Uses up what a ticket has taken (a mutex or a token), because the ticket's attempt starts. */
    protected abstract void start();

    /**
     * Takes back what a ticket has taken (a mutex or a token), because the ticket leaves its lane. After that, other
     * tickets may pass.
     */
    protected abstract void free();

    /** Is called when tickets begin to wait here, and when waiting tickets pass or are removed. */
    protected abstract void waitingChanged();

    /** Records that a ticket passes the gate and enters its lane. */
    protected void lets(Ticket in) {
        in.letInBy = this;
    }

    /** Is called when a ticket that has passed this gate becomes the next ticket of its lane. */
    protected void comes() {}

    /** Removes this gate from memory, unless it has state that must be remembered. */
    protected abstract void forgetIfIdle();

    // ---- the tickets that wait

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
     * Tells whether one more ticket may wait here. A key with many rows must leave places for other keys. A row that is
     * not kept stays in the store, where a sweep finds it.
     */
    boolean hasRoom() {
        return waiting() < Math.min(worthKeeping(), tickets.room.leftForGates());
    }

    /**
     * Makes a ticket wait at this gate. If the ticket has passed this gate before, the ticket now waits in front of all
     * other tickets of its lane.
     */
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

    /**
     * Lets the first waiting tickets of each lane pass. The gate limits how many tickets of one lane may pass at
     * present. The lane that claims first gets the mutex or the token.
     */
    public void letIn() {
        int most = passes();
        List.copyOf(waiting.keySet()).forEach(lane -> letIn(lane, most));
    }

    /**
     * Lets the next ticket of a lane pass, because an earlier ticket has left the lane without taking the mutex or the
     * token. Otherwise the next ticket might wait for ever at an open gate.
     */
    protected void letInNextAfter(Ticket passed) {
        letIn(passed.lane, Math.min(1, passes()));
        forgetIfIdle();
    }

    private void letIn(Lane lane, int most) {
        Deque<Ticket> ofLane = waiting.get(lane);
        if (ofLane == null) {
            return;
        }
        List<Ticket> first = new ArrayList<>(1);
        while (first.size() < most && !ofLane.isEmpty()) {
            first.add(ofLane.remove());
        }
        if (ofLane.isEmpty()) {
            waiting.remove(lane);
        }
        for (Ticket ticket : first) {
            lets(ticket);
            lane.readmit(ticket);
        }
        taken(first);
    }

    void drop(Ticket ticket) {
        Deque<Ticket> ofLane = waiting.get(ticket.lane);
        if (ofLane != null && ofLane.remove(ticket)) {
            if (ofLane.isEmpty()) {
                waiting.remove(ticket.lane);
            }
            taken(List.of(ticket)).forEach(tickets::drop);
        }
    }

    /** Removes all waiting tickets. */
    public void dropAll() {
        List<Ticket> all = new ArrayList<>();
        waiting.values().forEach(all::addAll);
        waiting.clear();
        taken(all).forEach(tickets::drop);
    }

    /** Removes the waiting tickets of a lane. */
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
     * Processes the answer to the claim of a ticket that has passed. Several claims in succession may find that their
     * row has changed. Then a bulk change has probably changed the waiting rows, too. So the waiting tickets are
     * removed, because each of them would cost a claim. The sweep finds the rows that are still waiting.
     */
    void answered(Ticket ticket) {
        passedOver = ticket.isClaimed() ? 0 : passedOver + 1;
        if (passedOver >= STALE_AFTER) {
            dropAll();
        }
    }
}
