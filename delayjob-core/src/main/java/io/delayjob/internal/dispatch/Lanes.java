package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.dispatch.Ticket.State;
import io.delayjob.internal.limit.HeldElsewhere;
import io.delayjob.internal.limit.Limits;
import io.delayjob.internal.limit.RunningWatch;
import io.delayjob.internal.preload.ClaimLead;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.DueJobs;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that this instance knows, from due to ended: the newest {@link Ticket} of each. There is a lane for each
 * handler and queue; lanes of a queue compete for its slots.
 *
 * <pre>
 *            offer            toClaim             claimed              finished
 *   due row -------> ready -----------> claiming ---------> claimed ------------> running --> (slot free)
 *                      |-- dropped: known, set aside,  |       ^
 *                      |   paused, no handler here     |       | comeDue
 *                      '-- refused: no room; the       '--> coming, if it was offered ahead of its time
 *                          sweep comes back for it
 * </pre>
 *
 * <p>A row that is offered again with the same token is a duplicate, and so is a row that was read before. A newer
 * version of a row may arrive while the row is being claimed. Then the job has two tickets for a while, and the store
 * refuses stale changes.
 *
 * <p>Thread-safe. The monitor of this object is the only lock of dispatch. {@link Intake} and {@link ClaimQueue} hold
 * it, too, and all of them only for operations in memory.
 */
public final class Lanes {

    private final OpenNames names;
    final EngineClock clock;
    private final Runnable onWork;
    final Limits limits;
    private final ClaimLead lead;
    private final Intake intake;
    private final ClaimQueue claims;
    private final SetAside setAside;
    private final Map<JobId, Ticket> newest = new HashMap<>();
    private final List<Lane> all = new ArrayList<>();

    /** The lanes, by the names of handler and queue. */
    private final Map<String, Map<String, Lane>> byName = new HashMap<>();

    private final Map<String, Slots> queues = new TreeMap<>();

    /** Claimed jobs that are not started here and are to be released. */
    private final List<Job> unstarted = new ArrayList<>();

    /** The queues in the order in which they claim rows next. */
    final Deque<Slots> queueTurns = new ArrayDeque<>();

    final Coming coming = new Coming(this);
    final Room room;
    final Gates gates;

    /** @param maxReady maximum number of rows that wait to be claimed, and of claimed jobs without a slot */
    public Lanes(
            HandlerRegistry handlers, EngineSettings settings, int maxReady, EngineClock clock, Neighbours neighbours) {
        this.clock = clock;
        this.onWork = neighbours.onWork();
        limits = new Limits(
                handlers, settings, clock, neighbours.led(), neighbours.term(), neighbours.onRunningToRead());
        names = new OpenNames(handlers, settings);
        setAside = new SetAside(clock);
        lead = new ClaimLead(settings.preload().claimLead());
        room = new Room(maxReady, settings.sweep().interval());
        gates = new Gates(this, settings.queues().partitions(), neighbours);
        intake = new Intake(this, clock, onWork);
        claims = new ClaimQueue(this, clock, neighbours);
    }

    /** Returns the time before their due time at which rows are offered and may be claimed. */
    public ClaimLead lead() {
        return lead;
    }

    /** Returns the intake for due rows. */
    public Intake intake() {
        return intake;
    }

    /** Returns the source of rows to be claimed. */
    ClaimQueue claims() {
        return claims;
    }

    // ---- lanes

    List<Lane> all() {
        return all;
    }

    /** Returns the handlers and queues whose jobs start here now. */
    OpenNames names() {
        return names;
    }

    Collection<Lane> lanesOf(Handler handler) {
        return byName.getOrDefault(handler.name(), Map.of()).values();
    }

    /** Returns the lane that takes rows of this name and queue; {@code null} if they are not started here now. */
    @Nullable
    Lane openLane(String name, String queue) {
        Handler handler = names.handler(name);
        if (handler == null || !names.hasQueue(queue)) {
            return null;
        }
        return byName.computeIfAbsent(handler.name(), unused -> new HashMap<>())
                .computeIfAbsent(queue, unused -> newLane(handler, queue));
    }

    private Lane newLane(Handler handler, String queue) {
        Slots slots = queues.computeIfAbsent(queue, this::newSlots);
        Lane lane = new Lane(this, handler, slots);
        lanesOf(handler).forEach(other -> lane.limits.restLike(other.limits));
        all.add(lane);
        return lane;
    }

    private Slots newSlots(String queue) {
        Slots slots = new Slots(queue, names.slotsOf(queue));
        queueTurns.add(slots);
        return slots;
    }

    /** Tells whether claimed jobs of this lane are to be released. */
    boolean isShut(Lane lane) {
        return names.isClosed() || lane.paused;
    }

    // ---- tickets

    /** Takes a row if it is new or newer than the known version. Returns whether there was room for the row. */
    boolean take(Ticket offered, long nowMillis) {
        if (setAside.contains(offered.id()) || !gates.decidesAbout(offered.lane.handler, offered.row())) {
            return true;
        }
        // Usually the row is new, and one look-up is enough.
        Ticket present = newest.putIfAbsent(offered.id(), offered);
        if (present != null && !present.isOvertakenBy(offered)) {
            return true;
        }
        if (present != null && gates.dropsInFavourOf(offered, present)) {
            return take(offered, nowMillis);
        }
        if (present != null && present.state == State.READY) {
            present.follow(offered);
            return true;
        }
        Gate shut = offered.hasKey() ? gates.shut(offered) : null;
        if (shut != null ? !shut.hasRoom() : !room.admits(offered)) {
            newest.remove(offered.id(), offered);
            if (shut != null) {
                shut.forgetIfIdle();
            }
            return shut != null;
        }
        if (present != null) {
            newest.put(offered.id(), offered);
        }
        if (shut != null) {
            shut.add(offered);
        } else {
            offered.lane.add(offered, nowMillis);
        }
        return true;
    }

    /** Forgets a ticket that waits outside of any lane. */
    void drop(Ticket waiting) {
        waiting.state = State.GONE;
        newest.remove(waiting.id(), waiting);
    }

    /** Removes a held ticket. Returns whether this ticket was the newest of its job. */
    boolean remove(Ticket ticket) {
        ticket.lane.leave(ticket);
        return newest.remove(ticket.id(), ticket);
    }

    /** Releases a claimed job that has no slot and gets none. */
    void giveUp(Ticket ticket) {
        remove(ticket);
        unstarted.add(ticket.job());
    }

    // ---- start

    /** Follows the time. Returns the due time of the next claimed job; {@link Long#MAX_VALUE} if there is none. */
    long comeDue() {
        long nowMillis = clock.storeMillis();
        synchronized (this) {
            return coming.comeDue(nowMillis);
        }
    }

    /** Takes the claimed jobs that have a slot. They keep their slots until {@link #finished}. */
    synchronized List<Ticket> toStart() {
        List<Ticket> start = new ArrayList<>();
        for (Slots queue : queues.values()) {
            Ticket next;
            while ((next = queue.start()) != null) {
                start.add(next);
            }
        }
        return start;
    }

    /**
     * Frees the slot of an attempt and gives it to the next claimed job of its queue, if there is one.
     *
     * @param took run time of the handler; {@code null} if it was not called
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
            boolean freesOthers = ticket.mutex != null
                    || !unstarted.isEmpty()
                    || lane.limits.areShared() && lanesOf(lane.handler).size() > 1;
            remove(ticket);
            next = lane.slots.start();
            // Without ready rows a claimer has nothing to do, and waking it costs as much as the end of a job.
            wantsClaim = freesOthers || (next == null ? room.ready > 0 : lane.wantsClaim() || next.lane.wantsClaim());
        }
        if (wantsClaim) {
            onWork.run();
        }
        return next;
    }

    // ---- return

    /**
     * Takes back a claimed job that has a slot and cannot be started. The attempt keeps the slot until {@link
     * #finished}.
     */
    void giveBack(Ticket ticket) {
        synchronized (this) {
            unstarted.add(ticket.job());
        }
        onWork.run();
    }

    /** Leaves this claimed job to other instances for a while, because it cannot be read here. */
    void setAside(Ticket ticket) {
        synchronized (this) {
            setAside.add(ticket.id());
        }
        giveBack(ticket);
    }

    /**
     * Takes the claimed jobs that must be released: jobs that were given back, and jobs that have waited for a slot for
     * longer than {@code overstay}. The duration of a hanging attempt is unknown until it ends. But if a job waited
     * without getting a slot, its handler has become slower. So no more jobs are claimed ahead.
     */
    List<Job> toRelease(Duration overstay) {
        Instant before = clock.storeTime().minus(overstay);
        synchronized (this) {
            for (Slots queue : queues.values()) {
                List<Ticket> overstayed = queue.dropOverstayed(before);
                overstayed.forEach(this::giveUp);
                if (!overstayed.isEmpty()) {
                    queue.waitedInVain(overstay.toNanos());
                }
            }
            List<Job> released = List.copyOf(unstarted);
            unstarted.clear();
            return released;
        }
    }

    /** Tells whether claimed jobs wait to be released. */
    synchronized boolean hasUnstarted() {
        return !unstarted.isEmpty();
    }

    /** Tells whether claimed jobs wait for a slot, or for their time. */
    synchronized boolean hasClaimed() {
        return all.stream().anyMatch(lane -> lane.waitingForSlot() > 0);
    }

    // ---- forget

    /**
     * Closes all lanes: takes no more rows, and forgets the rows that are ready. Gives back claimed jobs without a
     * slot, and the jobs of claims under way.
     */
    public synchronized void close() {
        names.close();
        all.forEach(this::forget);
    }

    /**
     * Forgets the rows that are ready, and gives back claimed jobs without a slot. Other instances may have led the
     * partitions of this instance meanwhile, so its buckets start empty.
     */
    public void forget() {
        synchronized (this) {
            all.forEach(this::forget);
            limits.empty();
        }
        onWork.run();
    }

    /**
     * Pauses these handlers and queues from now on, and no others. Forgets their rows, takes no more of them, and gives
     * back their claimed jobs without a slot. Attempts under way go on.
     */
    public void follow(Paused pauses) {
        synchronized (this) {
            names.follow(pauses);
            for (Lane lane : all) {
                lane.paused = pauses.holdsQueue(lane.slots.queue) || names.isPaused(lane.handler);
                if (lane.paused) {
                    forget(lane);
                }
            }
        }
        onWork.run();
    }

    /** Forgets the rows of a lane that are ready. */
    void dropReady(Lane lane) {
        lane.dropReady().forEach(ticket -> newest.remove(ticket.id(), ticket));
    }

    private void forget(Lane lane) {
        dropReady(lane);
        lane.dropClaimed(Instant.MAX).forEach(this::giveUp);
        coming.of(lane).forEach(this::giveUp);
    }

    // ---- look

    /** Returns the agent that reads which rows of other instances use up limits, from these partitions. */
    public Agent newWatch(DueJobs store, Supplier<Collection<Partition>> partitions) {
        List<HeldElsewhere> all = List.of(gates.mutexes, limits.heldElsewhere());
        return new RunningWatch(this, all, this::isHeldHere, store, clock, partitions, onWork);
    }

    private boolean isHeldHere(DueRow running) {
        Ticket ticket = newest.get(running.id());
        return ticket != null && ticket.isClaimed() && ticket.job().token() == running.token();
    }

    /** Returns the jobs among these that are being attempted or may be attempted. */
    public synchronized Set<JobId> held(Set<JobId> jobs) {
        return jobs.stream().filter(newest::containsKey).collect(Collectors.toSet());
    }

    /** Returns the number of unclaimed rows that are due or about to come due. */
    public synchronized int ready() {
        return room.ready;
    }

    /** Returns a view of how full the lanes are. */
    public Occupancy occupancy() {
        return new Occupancy(this);
    }

    Collection<Slots> queues() {
        return queues.values();
    }
}
