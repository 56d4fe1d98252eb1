package io.delayjob.internal.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the rows of one key have to pass before they are claimed: a {@link Mutex}, or the tokens of a {@link KeyRate}.
 * Tickets that cannot pass yet wait here, and are in no lane. Guarded by the lock of {@link Lanes}.
 */
abstract class Gate {

    /**
     * Number of claims in a row that have found their rows changed, after which the other rows count as changed, too.
     */
    private static final int STALE_AFTER = 3;

    final String key;
    private final Lanes lanes;

    /**
     * The waiting tickets of each lane, in their order. No lane waits behind another, which may have no slot for long.
     */
    private final Map<Lane, Deque<Ticket>> waiting = new LinkedHashMap<>(2);

    /** Number of claims since the latest successful one that have found their rows changed. */
    private int passedOver;

    Gate(Lanes lanes, String key) {
        this.lanes = lanes;
        this.key = key;
    }

    /** Returns how many tickets of each lane may be let in now. */
    abstract int passes();

    /** Returns the maximum number of tickets that are worth keeping here, because the others stay in the table. */
    abstract int worthKeeping();

    /** Called when tickets begin to wait here or are taken out. */
    abstract void waitingChanged();

    /** Notes that a ticket is let in. */
    void lets(Ticket in) {
        in.letInBy = this;
    }

    /** Called when the turn of a ticket has come that was let in. */
    void comes(Ticket in) {}

    /** Forgets this gate if nothing needs to be remembered about it. */
    abstract void forgetIfIdle();

    int waiting() {
        int count = 0;
        for (Deque<Ticket> ofLane : waiting.values()) {
            count += ofLane.size();
        }
        return count;
    }

    boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /**
     * Tells whether one more ticket may wait here. A key with many rows leaves room for others. A row that is not kept
     * stays in the table, where a sweep finds it.
     */
    boolean hasRoom() {
        return waiting() < Math.min(worthKeeping(), lanes.room.leftForGates());
    }

    /** Lets a ticket wait. A ticket that was let in here before waits before the others of its lane. */
    void add(Ticket ticket) {
        Deque<Ticket> ofLane = waiting.computeIfAbsent(ticket.lane, lane -> new ArrayDeque<>());
        if (ticket.letInBy == this) {
            ofLane.addFirst(ticket);
        } else {
            ofLane.add(ticket);
        }
        ticket.waitsAt = this;
        lanes.room.waitingAtGates++;
        waitingChanged();
    }

    /** Lets the first waiting tickets of each lane in, as many as may pass. The lane that claims first passes. */
    void letIn() {
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
            taken(List.of(ticket)).forEach(lanes::drop);
        }
    }

    /** Drops all waiting tickets. */
    void dropAll() {
        List<Ticket> all = new ArrayList<>();
        waiting.values().forEach(all::addAll);
        waiting.clear();
        taken(all).forEach(lanes::drop);
    }

    /** Takes out the waiting tickets of a lane. */
    List<Ticket> takeAll(Lane lane) {
        Deque<Ticket> ofLane = waiting.remove(lane);
        return ofLane == null ? List.of() : taken(List.copyOf(ofLane));
    }

    private List<Ticket> taken(List<Ticket> tickets) {
        tickets.forEach(ticket -> ticket.waitsAt = null);
        lanes.room.waitingAtGates -= tickets.size();
        if (!tickets.isEmpty()) {
            waitingChanged();
        }
        return tickets;
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
