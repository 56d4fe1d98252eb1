package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.State;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Contains the newest {@link Ticket} of each job that this instance knows. If a row has a known token or comes from an
 * older read, the row is a duplicate. If a newer version of a row arrives during a claim, the job has two tickets for a
 * while.
 *
 * <p>The monitor of this object is the only lock for tickets, lanes, gates and limits. A thread holds this lock only
 * for operations in memory. If a method takes this lock itself, the method's Javadoc says so.
 */
public final class Tickets {

    private final EngineClock clock;
    private final Runnable onWork;
    private final SetAside setAside;
    private final Map<JobId, Ticket> newest = new HashMap<>();

    private final List<Job> unstarted = new ArrayList<>();

    final Room room;

    /** @param onWork is called without the lock when there may be jobs to claim or to release */
    public Tickets(Room room, EngineClock clock, Runnable onWork) {
        this.room = room;
        this.clock = clock;
        this.onWork = onWork;
        this.setAside = new SetAside(clock);
    }

    public Room room() {
        return room;
    }

    // ---- the newest ticket of a job

    /**
     * Returns whether there was a free place for the row.
     *
     * @param shut returns the gate where a ticket must wait; {@code null} if it may enter its lane
     */
    public boolean take(Ticket offered, long nowMillis, Function<Ticket, @Nullable Gate> shut) {
        if (setAside.contains(offered.id())) {
            return true;
        }
        Ticket present = newest.putIfAbsent(offered.id(), offered);
        if (present != null && !present.isOvertakenBy(offered)) {
            return true;
        }
        if (present != null && (present.leavesGateFor(offered) || leavesLaneFor(offered, present))) {
            return take(offered, nowMillis, shut);
        }
        if (present != null && present.state == State.READY) {
            present.follow(offered);
            return true;
        }
        Gate gate = offered.hasKey() ? shut.apply(offered) : null;
        if (gate != null ? !gate.hasRoom() : !offered.lane.room().admits(offered)) {
            forget(offered);
            if (gate != null) {
                gate.forgetIfIdle();
                offered.lane.room().leavesInTable(offered);
            }
            return gate != null;
        }
        if (present != null) {
            newest.put(offered.id(), offered);
        }
        if (gate != null) {
            gate.add(offered);
        } else {
            offered.lane.add(offered, nowMillis);
        }
        return true;
    }

    /** If the row has moved to another lane, the former lane later passes the former ticket by. */
    private boolean leavesLaneFor(Ticket newer, Ticket present) {
        boolean leaves = present.state == State.READY && present.lane != newer.lane;
        if (leaves) {
            drop(present);
        }
        return leaves;
    }

    public @Nullable Ticket of(JobId job) {
        return newest.get(job);
    }

    public Set<String> queues() {
        return newest.values().stream().map(ticket -> ticket.lane.queue()).collect(Collectors.toSet());
    }

    private boolean forget(Ticket ticket) {
        return newest.remove(ticket.id(), ticket);
    }

    public void drop(Ticket waiting) {
        waiting.state = State.GONE;
        forget(waiting);
    }

    /** Returns whether the ticket was the newest of its job. */
    public boolean remove(Ticket ticket) {
        if (ticket.state != State.GONE) {
            ticket.lane.leave(ticket);
        }
        return forget(ticket);
    }

    /**
     * The ticket leaves its lane, but stays known. So if the same version of the ticket's row arrives again, it is
     * treated as a duplicate.
     */
    public void setApart(Ticket ticket) {
        if (ticket.state != State.GONE) {
            ticket.lane.leave(ticket);
        }
    }

    /** The method takes the lock. */
    public synchronized Set<JobId> held(Set<JobId> jobs) {
        return jobs.stream().filter(newest::containsKey).collect(Collectors.toSet());
    }

    // ---- jobs that must be released

    public void giveUp(Ticket ticket) {
        remove(ticket);
        unstarted.add(ticket.job());
    }

    /** The method takes the lock. */
    public synchronized boolean hasUnstarted() {
        return !unstarted.isEmpty();
    }

    public List<Job> takeUnstarted() {
        List<Job> taken = List.copyOf(unstarted);
        unstarted.clear();
        return taken;
    }

    // ---- reports of worker threads. These methods take the lock.

    /** The slot stays taken until {@link #finished} is called. */
    void giveBack(Ticket ticket) {
        synchronized (this) {
            unstarted.add(ticket.job());
        }
        onWork.run();
    }

    void setAside(Ticket ticket) {
        synchronized (this) {
            setAside.add(ticket.id());
        }
        giveBack(ticket);
    }

    void rest(Lane lane, Duration time) {
        long nowMillis = clock.storeMillis();
        synchronized (this) {
            lane.limits.rest(nowMillis, time);
        }
        onWork.run();
    }

    /**
     * Returns the next job that gets the slot.
     *
     * @param took run time of the handler; {@code null} if the handler was not called
     */
    @Nullable
    Ticket finished(Ticket ticket, @Nullable Duration took) {
        Ticket next;
        boolean wantsClaim;
        synchronized (this) {
            Lane lane = ticket.lane;
            if (took != null) {
                lane.measured(took.toNanos());
            }
            boolean freesOthers = ticket.hasMutex() || !unstarted.isEmpty() || lane.limits.areShared();
            remove(ticket);
            next = lane.slots.start();
            // Without ready rows, a claimer has nothing to do, and waking it up costs as much as the end of a job.
            wantsClaim = freesOthers || (next == null ? room.ready > 0 : lane.wantsClaim() || next.lane.wantsClaim());
        }
        if (wantsClaim) {
            onWork.run();
        }
        return next;
    }
}
