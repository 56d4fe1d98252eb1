package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.dispatch.Ticket.State;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.time.EngineClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that this instance knows: the newest {@link Ticket} of each, from its offer to its end. A row that is
 * offered again with the same token is a duplicate, and so is a row that was read before. A newer version of a row may
 * arrive while the row is being claimed. Then the job has two tickets for a while, and the store refuses stale changes.
 *
 * <p>The monitor of this object is the only lock of dispatch. {@link Lanes} and {@link Intake} hold it, and only for
 * operations in memory.
 */
final class Tickets {

    private final Lanes owner;
    private final HandlerRegistry handlers;
    private final WorkedQueues worked;
    private final SetAside setAside;
    private final Map<JobId, Ticket> newest = new HashMap<>();
    private final List<Lane> lanes = new ArrayList<>();

    /** The lanes, by the names of handler and queue. */
    private final Map<String, Map<String, Lane>> lanesByName = new HashMap<>();

    private boolean closed;
    private volatile Paused paused = Paused.NOTHING;

    final Map<String, Slots> queues = new TreeMap<>();

    /** Tells which queue claims rows next. */
    final Turns<Slots> queueTurns = new Turns<>();

    final Room room;

    /** Claimed jobs that are not started here and are to be released. */
    final List<Job> unstarted = new ArrayList<>();

    Tickets(Lanes owner, HandlerRegistry handlers, WorkedQueues worked, EngineClock clock, Bounds bounds) {
        this.owner = owner;
        this.handlers = handlers;
        this.worked = worked;
        setAside = new SetAside(clock);
        room = new Room(bounds);
    }

    // ---- lanes

    List<Lane> lanes() {
        return lanes;
    }

    Collection<Lane> lanesOf(Handler handler) {
        return lanesByName.getOrDefault(handler.name(), Map.of()).values();
    }

    /** Returns the lane that takes rows of this name and queue; {@code null} if they are not started here now. */
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
        Lane lane = new Lane(owner, handler, queues.computeIfAbsent(queue, this::newSlots), room);
        lanes.add(lane);
        return lane;
    }

    private Slots newSlots(String queue) {
        Slots slots = new Slots(queue, worked.slots(queue));
        queueTurns.addWaiting(slots, Handler.DEFAULT_PRIORITY);
        return slots;
    }

    /** Returns the handler of this name; {@code null} if none of its jobs are started here now. */
    @Nullable
    Handler openHandler(String name) {
        Handler handler = closed ? null : handlers.find(name);
        return handler == null || isPaused(handler) ? null : handler;
    }

    /**
     * Tells whether the handler is paused under any name, because jobs and pauses of another version may have a former
     * name.
     */
    private boolean isPaused(Handler handler) {
        return !paused.isEmpty() && paused.holdsHandler(handler.names());
    }

    /** Tells whether claimed jobs of this lane go back. */
    boolean isShut(Lane lane) {
        return closed || lane.paused;
    }

    /** Tells whether rows like this one run here at all, as of now. Called without the lock. */
    boolean isRunHere(DueRow row) {
        String queue = row.partition().queue();
        Handler handler = handlers.find(row.name());
        return handler != null && worked.works(queue) && !paused.holdsQueue(queue) && !isPaused(handler);
    }

    // ---- tickets

    /** Takes a row if it is new or newer than the known version. Returns whether there was room for the row. */
    boolean take(Ticket offered, long nowMillis) {
        if (setAside.contains(offered.id())) {
            return true;
        }
        // Usually the row is new, and one look-up is enough.
        Ticket present = newest.putIfAbsent(offered.id(), offered);
        if (present != null && !present.isOvertakenBy(offered)) {
            return true;
        }
        if (present != null && present.state == State.READY) {
            present.follow(offered);
            return true;
        }
        if (!room.admits(offered)) {
            newest.remove(offered.id(), offered);
            return false;
        }
        if (present != null) {
            newest.put(offered.id(), offered);
        }
        offered.lane.add(offered, nowMillis);
        return true;
    }

    /** Removes a held ticket. Returns whether this ticket was the newest of its job. */
    boolean remove(Ticket ticket) {
        ticket.lane.leave(ticket);
        return newest.remove(ticket.id(), ticket);
    }

    boolean knows(JobId job) {
        return newest.containsKey(job);
    }

    /** Releases a claimed job that has no slot and gets none. */
    void giveUp(Ticket ticket) {
        remove(ticket);
        unstarted.add(ticket.job());
    }

    /** Leaves jobs like this one to other instances for a while. */
    void setAside(Ticket ticket) {
        setAside.add(ticket.id());
    }

    // ---- forget

    /** From now on, takes no rows, and gives back all jobs that are claimed. */
    void close() {
        closed = true;
        lanes.forEach(this::forget);
    }

    void follow(Paused pauses) {
        paused = pauses;
        for (Lane lane : lanes) {
            lane.paused = pauses.holdsQueue(lane.slots.queue) || isPaused(lane.handler);
            if (lane.paused) {
                forget(lane);
            }
        }
    }

    /** Forgets the ready rows of this lane, and gives back its claimed jobs without a slot. */
    void forget(Lane lane) {
        lane.dropReady().forEach(ticket -> newest.remove(ticket.id(), ticket));
        lane.dropClaimed().forEach(this::giveUp);
    }
}
