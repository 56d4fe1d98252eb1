package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.key.Gates;
import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Room;
import io.delayjob.internal.lane.Slots;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.limit.Leases;
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
import org.jspecify.annotations.Nullable;

/**
 * The lanes of this instance: one for each handler and queue. Lanes of a queue compete for its slots.
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
 * <p>Thread-safe. The lock of {@link Tickets} guards it, and is held only for operations in memory.
 */
public final class Lanes {

    private final EngineClock clock;
    private final Runnable onWork;
    private final Duration sweepInterval;
    private final ClaimLead lead;
    private final List<Lane> all = new ArrayList<>();

    /** The lanes, by the names of handler and queue. */
    private final Map<String, Map<String, Lane>> byName = new HashMap<>();

    private final Map<String, Slots> queues = new TreeMap<>();

    /** The queues in the order in which they claim rows next. */
    final Deque<Slots> queueTurns = new ArrayDeque<>();

    final OpenNames names;
    final Tickets tickets;
    final Limits limits;
    final Gates gates;
    private final Intake intake;
    private final ClaimQueue claims;

    /** @param maxReady maximum number of rows that wait to be claimed, and of claimed jobs without a slot */
    public Lanes(
            HandlerRegistry handlers, EngineSettings settings, int maxReady, EngineClock clock, Neighbours neighbours) {
        this.clock = clock;
        onWork = neighbours.onWork();
        sweepInterval = settings.sweep().interval();
        lead = new ClaimLead(settings.preload().claimLead());
        names = new OpenNames(handlers, settings);
        Leases leases = neighbours.leases(settings.queues().partitions());
        tickets = new Tickets(new Room(maxReady), clock, onWork);
        limits = new Limits(handlers, settings, clock, leases);
        gates = new Gates(tickets, leases, clock);
        limits.add(gates.heldElsewhere());
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

    Collection<Slots> queues() {
        return queues.values();
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
        Lane lane = new Lane(tickets, handler, slots, limits.of(handler, queue), sweepInterval);
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
        return names.isClosed() || lane.isPaused();
    }

    // ---- start and release

    /** Follows the time. Returns the due time of the next claimed job; {@link Long#MAX_VALUE} if there is none. */
    long comeDue() {
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            long next = Long.MAX_VALUE;
            for (Lane lane : all) {
                next = Math.min(next, lane.comeDue(nowMillis, lead.longestMillis()));
            }
            return next;
        }
    }

    /** Takes the claimed jobs that have a slot. They keep their slots until they are finished. */
    List<Ticket> toStart() {
        List<Ticket> start = new ArrayList<>();
        synchronized (tickets) {
            for (Slots queue : queues.values()) {
                Ticket next;
                while ((next = queue.start()) != null) {
                    start.add(next);
                }
            }
        }
        return start;
    }

    /**
     * Takes the claimed jobs that must be released: jobs that were given back, and jobs that have waited for a slot for
     * longer than {@code overstay}.
     */
    List<Job> toRelease(Duration overstay) {
        Instant now = clock.storeTime();
        synchronized (tickets) {
            queues.values().forEach(queue -> queue.giveUpOverstayed(now, overstay));
            return tickets.takeUnstarted();
        }
    }

    /** Tells whether claimed jobs wait for a slot, or for their time. */
    boolean hasClaimed() {
        synchronized (tickets) {
            return all.stream().anyMatch(lane -> lane.waitingForSlot() > 0);
        }
    }

    // ---- forget

    /**
     * Closes all lanes: takes no more rows, and forgets the rows that are ready. Gives back claimed jobs without a
     * slot, and the jobs of claims under way.
     */
    public void close() {
        synchronized (tickets) {
            names.close();
            all.forEach(this::forget);
        }
    }

    /**
     * Forgets the rows that are ready, and gives back claimed jobs without a slot. Other instances may have led the
     * partitions of this instance meanwhile, so its buckets start empty.
     */
    public void forget() {
        synchronized (tickets) {
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
        synchronized (tickets) {
            names.follow(pauses);
            for (Lane lane : all) {
                lane.setPaused(pauses.holdsQueue(lane.queue()) || names.isPaused(lane.handler()));
                if (lane.isPaused()) {
                    forget(lane);
                }
            }
        }
        onWork.run();
    }

    /** Forgets the rows of a lane that are ready. */
    void dropReady(Lane lane) {
        lane.dropReady();
        gates.drop(lane);
    }

    private void forget(Lane lane) {
        // A job that the lane gives up lets the next row in, so the rows at the gates go first.
        gates.drop(lane);
        lane.forget();
    }

    // ---- look

    /** Returns the agent that reads which rows of other instances use up limits, from these partitions. */
    public Agent newWatch(DueJobs store, Supplier<Collection<Partition>> partitions) {
        return new RunningWatch(tickets, limits.heldElsewhere(), this::isHeldHere, store, clock, partitions, onWork);
    }

    private boolean isHeldHere(DueRow running) {
        Ticket ticket = tickets.of(running.id());
        return ticket != null && ticket.isClaimed() && ticket.job().token() == running.token();
    }

    /** Returns the jobs among these that are being attempted or may be attempted. */
    public Set<JobId> held(Set<JobId> jobs) {
        return tickets.held(jobs);
    }

    /** Returns the number of unclaimed rows that are due or about to come due. */
    public int ready() {
        synchronized (tickets) {
            return tickets.room().ready();
        }
    }

    /** Returns a view of how full the lanes are. */
    public Occupancy occupancy() {
        return new Occupancy(this);
    }
}
