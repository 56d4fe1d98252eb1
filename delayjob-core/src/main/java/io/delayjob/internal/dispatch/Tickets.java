package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that this instance knows: one {@link Ticket} each, from its offer to its end, and each ticket in one queue of
 * its {@link Lane}. A row that is offered again with the same token is a duplicate, and so is one that was read before.
 * A row with later news takes the place of its former self; an attempt of that goes on, and the store refuses its end.
 *
 * <p>Everything is guarded by the one lock, unless it says otherwise. It is held for memory operations only.
 */
final class Tickets {

    private final HandlerRegistry handlers;
    private final WorkedQueues worked;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition slotLeft = lock.newCondition();
    private final Map<JobId, Ticket> newest = new HashMap<>();
    private final List<Lane> lanes = new ArrayList<>();

    /** By the names of handler and queue. */
    private final Map<String, Map<String, Lane>> lanesByName = new HashMap<>();

    private final Map<String, Slots> queues = new TreeMap<>();
    private final SetAside setAside;
    private final List<Job> returned = new ArrayList<>();
    private final List<Ticket> early = new ArrayList<>();
    private boolean closed;
    private volatile Paused paused = Paused.NOTHING;

    /** Whose turn it is to have rows claimed. */
    final Turns<Slots> queueTurns = new Turns<>();

    /** Rows that wait to be claimed. */
    final Tally ready = new Tally();

    /** Jobs that are claimed, or being claimed, and have no slot. */
    final Tally withoutSlot = new Tally();

    /** How the memory for rows that wait to be claimed is shared. */
    final Room room;

    Tickets(HandlerRegistry handlers, WorkedQueues worked, EngineClock clock, Bounds bounds) {
        this.handlers = handlers;
        this.worked = worked;
        setAside = new SetAside(clock);
        room = new Room(bounds, ready);
    }

    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    <T extends @Nullable Object> T asked(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }

    // ---- slots

    /** Slots taken, over all queues. */
    int slotsTaken() {
        int taken = 0;
        for (Slots queue : queues.values()) {
            taken += queue.running.count;
        }
        return taken;
    }

    /** The attempt has left its slot, which the next claimed job of its queue gets, if there is one. */
    @Nullable
    Ticket leaveSlot(Ticket ticket) {
        remove(ticket);
        slotLeft.signalAll();
        return ticket.lane.slots.start();
    }

    /** Waits until every slot is free; answers how many are still taken. Gives the lock away meanwhile. */
    int awaitFreeSlots(Duration atMost) {
        try {
            long left = atMost.toNanos();
            while (slotsTaken() > 0 && left > 0) {
                left = slotLeft.awaitNanos(left);
            }
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
        return slotsTaken();
    }

    // ---- lanes

    Collection<Lane> lanes() {
        return lanes;
    }

    Collection<Lane> lanesOf(Handler handler) {
        return lanesByName.getOrDefault(handler.name(), Map.of()).values();
    }

    Map<String, Slots> queues() {
        return queues;
    }

    /** The lane that takes rows of this name and queue; {@code null} when they are not started here now. */
    @Nullable
    Lane openLane(String name, String queue) {
        Handler handler = openHandler(name);
        if (handler == null || paused.holdsQueue(queue) || !worked.works(queue)) {
            return null;
        }
        return lanesByName
                .computeIfAbsent(handler.name(), unused -> new HashMap<>())
                .computeIfAbsent(queue, unused -> newLane(handler, queue));
    }

    private Lane newLane(Handler handler, String queue) {
        Slots slots = queues.computeIfAbsent(queue, this::newSlots);
        Lane lane = new Lane(handler, slots, ready, withoutSlot);
        lanes.add(lane);
        return lane;
    }

    private Slots newSlots(String queue) {
        Slots slots = new Slots(queue, worked.slots(queue));
        queueTurns.setWaiting(queueTurns.add(slots, Handler.DEFAULT_PRIORITY), true);
        return slots;
    }

    /** The handler of this name; {@code null} when none of its jobs are started here now. */
    @Nullable
    Handler openHandler(String name) {
        Handler handler = closed ? null : handlers.find(name);
        return handler == null || isPaused(handler) ? null : handler;
    }

    /** Whether what comes of this lane goes back. */
    boolean isShut(Lane lane) {
        return closed || isPaused(lane);
    }

    /** Asked without the lock. */
    boolean isPaused(Lane lane) {
        return paused.holdsQueue(lane.slots.queue) || isPaused(lane.handler);
    }

    /** A job may be stored, and a handler paused by another version of the application, under a former name. */
    private boolean isPaused(Handler handler) {
        return !paused.isEmpty() && paused.holdsHandler(handler.names());
    }

    boolean isPaused(String queue) {
        return paused.holdsQueue(queue);
    }

    // ---- tickets

    /** Takes a row, if it is news; answers whether there was room for it. */
    boolean take(Ticket offered, long nowMillis) {
        if (setAside.contains(offered.id())) {
            return true;
        }
        // As a rule it is news, and one look-up does.
        Ticket present = newest.putIfAbsent(offered.id(), offered);
        if (present != null && (offered.again || !present.isOvertakenBy(offered))) {
            return true;
        }
        if (!room.admits(offered)) {
            newest.remove(offered.id(), offered);
            return false;
        }
        if (present != null) {
            if (present.lane.isReady(present)) {
                present.leave();
            }
            newest.put(offered.id(), offered);
        }
        offered.lane.add(offered, nowMillis);
        return true;
    }

    /** It is known no longer; answers whether it was the newest of its job. */
    boolean remove(Ticket ticket) {
        ticket.leave();
        return newest.remove(ticket.id(), ticket);
    }

    boolean knows(JobId job) {
        return newest.containsKey(job);
    }

    /** The ticket of this job that the claim has asked for. */
    Ticket find(JobId job, Batch claim) {
        Ticket ticket = newest.get(job);
        return ticket != null && ticket.batch == claim ? ticket : claim.ticketOf(job);
    }

    /** The claimed job has no slot, and gets none: it is to be released. */
    void giveUp(Ticket ticket) {
        remove(ticket);
        returned.add(ticket.job());
    }

    /** The claimed job is to be released; its slot stays its own until its attempt has left it. */
    void giveBack(Ticket ticket) {
        returned.add(ticket.job());
    }

    /** The job is taken for nobody's here for a while. */
    void setAside(Ticket ticket) {
        setAside.add(ticket.id());
    }

    int returnedCount() {
        return returned.size();
    }

    List<Job> takeReturned() {
        List<Job> all = List.copyOf(returned);
        returned.clear();
        return all;
    }

    /** The row turned out not to be due yet. */
    void addEarly(Ticket ticket) {
        remove(ticket);
        early.add(ticket);
    }

    List<Ticket> takeEarly() {
        List<Ticket> all = List.copyOf(early);
        early.clear();
        return all;
    }

    // ---- forget

    /** From now on nothing is taken, and all that comes goes back. */
    void close() {
        closed = true;
        forget();
    }

    void forget() {
        forgetWhere(lane -> true);
    }

    void follow(Paused pauses) {
        paused = pauses;
        forgetWhere(this::isPaused);
    }

    /** The rows that are ready are known no longer, and what is claimed and has no slot goes back. */
    private void forgetWhere(Predicate<Lane> which) {
        for (Lane lane : lanes) {
            if (which.test(lane)) {
                lane.forgetReady(this::remove);
                lane.forEachWithoutSlot(this::giveUp);
            }
        }
        early.removeIf(ticket -> which.test(ticket.lane));
    }

    /** Whether rows like this one run here at all, as of now. Asked without the lock. */
    boolean isRunHere(DueRow row) {
        String queue = row.partition().queue();
        Handler handler = handlers.find(row.name());
        return handler != null && worked.works(queue) && !paused.holdsQueue(queue) && !isPaused(handler);
    }
}
