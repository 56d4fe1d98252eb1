package io.delayjob.internal.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides when the rows of one key may be claimed. The key is a mutex, or the key of a rate. A ticket that may not pass
 * waits here, and is in no lane.
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
     * The waiting tickets of each lane. A lane may have no free slot for a long time, so no lane waits for another
     * lane.
     */
    private final Map<Lane, Deque<Ticket>> waiting = new LinkedHashMap<>(2);

    private int passedOver;

    protected Gate(Tickets tickets, String key) {
        this.tickets = tickets;
        this.key = key;
    }

    // ---- the tickets that may pass

    /** Returns how many tickets of each lane may pass now. */
    protected abstract int passes();

    /** Maximum number of tickets that wait here. */
    protected abstract int worthKeeping();

    /** Tells whether this instance still has the lease under which the latest ticket passed. */
    protected abstract boolean isStillLed();

    protected abstract void start();

    protected abstract void free();

    protected abstract void waitingChanged();

    protected void lets(Ticket in) {
        in.letInBy = this;
    }

    /** Is called when a ticket that has passed becomes the next ticket of its lane. */
    protected void comes() {}

    protected abstract void forgetIfIdle();

    // ---- the tickets that wait

    public int waiting() {
        int count = 0;
        for (Deque<Ticket> ofLane : waiting.values()) {
            count += ofLane.size();
        }
        return count;
    }

    public boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /** A key with many rows must leave places in memory for the rows of other keys. */
    boolean hasRoom() {
        return waiting() < Math.min(worthKeeping(), tickets.room.leftForGates());
    }

    /** A ticket that has passed this gate before is put before the other waiting tickets of its lane. */
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

    /** Lets tickets of every lane pass. The lane that claims first gets the mutex or the token. */
    public void letIn() {
        int most = passes();
        List.copyOf(waiting.keySet()).forEach(lane -> letIn(lane, most));
    }

    /**
     * Must be called if a ticket leaves its lane without the mutex or the token. Otherwise the next ticket might wait
     * for ever at an open gate.
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

    public void dropAll() {
        List<Ticket> all = new ArrayList<>();
        waiting.values().forEach(all::addAll);
        waiting.clear();
        taken(all).forEach(tickets::drop);
    }

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
     * If several claims in succession fail, a bulk change has probably changed the waiting rows, too. Then all waiting
     * rows are dropped, because each would cost a claim.
     */
    void answered(Ticket ticket) {
        passedOver = ticket.isClaimed() ? 0 : passedOver + 1;
        if (passedOver >= STALE_AFTER) {
            dropAll();
        }
    }
}
