package io.delayjob.internal.dispatch;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.status.BusyMutex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mutex that this instance decides about: who holds it, and which tickets wait for it. Waiting tickets are in no
 * lane. Guarded by the lock of {@link Lanes}.
 */
final class Mutex {

    final MutexGround ground;
    final String name;

    /** The ticket whose row is being claimed, claimed or running here. */
    @Nullable
    Ticket holder;

    /** The lease under which the holder has taken it. */
    long holderTerm;

    /** Number of claims since the latest successful one that have found their rows changed. */
    int passedOver;

    /** Running rows that were read from the table, because other instances have claimed them. */
    private final Map<JobId, DueRow> elsewhere = new HashMap<>(2);

    /**
     * The waiting tickets of each lane, in their order. No lane waits behind another, which may have no slot for long.
     */
    private final Map<Lane, Deque<Ticket>> waiting = new LinkedHashMap<>(2);

    Mutex(MutexGround ground, String name) {
        this.ground = ground;
        this.name = name;
    }

    boolean isFree() {
        return ground.known && holder == null && elsewhere.isEmpty();
    }

    /** Tells whether nothing needs to be remembered about it. */
    boolean isIdle() {
        return holder == null && elsewhere.isEmpty() && waiting.isEmpty();
    }

    int waiting() {
        int count = 0;
        for (Deque<Ticket> ofLane : waiting.values()) {
            count += ofLane.size();
        }
        return count;
    }

    BusyMutex toStatus() {
        JobId held = holder != null
                ? holder.id()
                : elsewhere.keySet().stream().findFirst().orElse(null);
        return new BusyMutex(ground.home.queue(), name, held, waiting());
    }

    void add(Ticket ticket) {
        waiting.computeIfAbsent(ticket.lane, lane -> new ArrayDeque<>()).add(ticket);
    }

    /** Puts a ticket that had its turn before the others of its lane. */
    void addFirst(Ticket ticket) {
        waiting.computeIfAbsent(ticket.lane, lane -> new ArrayDeque<>()).addFirst(ticket);
    }

    /** Takes out the first waiting ticket of each lane. */
    List<Ticket> takeFirst() {
        List<Ticket> first = new ArrayList<>(waiting.size());
        waiting.values().forEach(ofLane -> first.add(ofLane.remove()));
        waiting.values().removeIf(Deque::isEmpty);
        return first;
    }

    /** Takes out this ticket. Returns whether it waited. */
    boolean takeOut(Ticket ticket) {
        Deque<Ticket> ofLane = waiting.get(ticket.lane);
        if (ofLane == null || !ofLane.remove(ticket)) {
            return false;
        }
        if (ofLane.isEmpty()) {
            waiting.remove(ticket.lane);
        }
        return true;
    }

    /** Takes out the waiting tickets of a lane. */
    List<Ticket> takeAll(Lane lane) {
        Deque<Ticket> ofLane = waiting.remove(lane);
        return ofLane == null ? List.of() : List.copyOf(ofLane);
    }

    /** Takes out all waiting tickets. */
    List<Ticket> takeAll() {
        List<Ticket> all = new ArrayList<>();
        waiting.values().forEach(all::addAll);
        waiting.clear();
        return all;
    }

    boolean runsElsewhere() {
        return !elsewhere.isEmpty();
    }

    List<DueRow> elsewhere() {
        return List.copyOf(elsewhere.values());
    }

    /** Notes a running row of another instance. */
    void runsElsewhere(DueRow running) {
        elsewhere.put(running.id(), running);
    }

    /** Notes that this row no longer runs. */
    void ended(DueRow row) {
        elsewhere.remove(row.id(), row);
    }

    void forgetElsewhere() {
        elsewhere.clear();
    }
}
