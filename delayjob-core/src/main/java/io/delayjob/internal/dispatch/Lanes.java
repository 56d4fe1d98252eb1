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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Contains the lanes of this instance. Lanes of the same queue compete for the slots of the queue.
 *
 * <pre>
 *            offer            toClaim             claimed              finished
 *   due row -------> ready -----------> claiming ---------> claimed ------------> running --> (slot free)
 *                      |-- dropped: known, set aside,  |       ^
 *                      |   paused, no handler here     |       | comeDue
 *                      '-- refused: no free place;     '--> coming, if it was offered before its due time
 *                          the sweep finds it later
 * </pre>
 *
 * <p>Thread-safe. The lock of {@link Tickets} guards this object, and is held only for operations in memory.
 */
public final class Lanes {

    /** A look for unused queues reads all tickets and all leases, so it must be rare. */
    private static final long UNUSED_LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final EngineClock clock;
    private final Runnable onWork;
    private final Duration sweepInterval;
    private final ClaimLead lead;
    private final Leases leases;
    private final List<Lane> all = new ArrayList<>();

    /** The lanes, by handler name and queue. */
    private final Map<String, Map<String, Lane>> byName = new HashMap<>();

    private final Map<String, Slots> queues = new TreeMap<>();

    final Deque<Slots> queueTurns = new ArrayDeque<>();

    final OpenNames names;
    final Tickets tickets;
    final Limits limits;
    final Gates gates;
    private final Intake intake;
    private final ClaimQueue claims;
    private long unusedLookNanos;

    public Lanes(
            HandlerRegistry handlers, EngineSettings settings, int maxReady, EngineClock clock, Neighbours neighbours) {
        this.clock = clock;
        onWork = neighbours.onWork();
        sweepInterval = settings.sweep().interval();
        lead = new ClaimLead(settings.preload().claimLead());
        names = new OpenNames(handlers, settings);
        leases = neighbours.leases(settings.queues().partitions());
        tickets = new Tickets(new Room(maxReady), clock, onWork);
        limits = new Limits(handlers, settings, clock, leases);
        gates = new Gates(tickets, leases, clock);
        limits.add(gates.heldElsewhere());
        intake = new Intake(this, clock, onWork);
        claims = new ClaimQueue(this, clock, neighbours);
        unusedLookNanos = clock.nanoTime();
    }

    public ClaimLead lead() {
        return lead;
    }

    public Intake intake() {
        return intake;
    }

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

    /** Returns {@code null} if no job of this handler in this queue has been offered yet. */
    @Nullable
    Lane lane(Handler handler, String queue) {
        return byName.getOrDefault(handler.name(), Map.of()).get(queue);
    }

    /**
     * Returns the lane for jobs with this name and queue; {@code null} if this instance does not start such jobs at
     * present.
     */
    @Nullable
    Lane openLane(String name, String queue) {
        Handler handler = names.handler(name);
        if (handler == null || !names.hasQueue(queue)) {
            return null;
        }
        if (!queues.containsKey(queue) && clock.nanoTime() - unusedLookNanos >= UNUSED_LOOK_NANOS) {
            unusedLookNanos = clock.nanoTime();
            forgetUnusedQueues();
        }
        return byName.computeIfAbsent(handler.name(), unused -> new HashMap<>())
                .computeIfAbsent(queue, unused -> newLane(handler, queue));
    }

    /**
     * Calls may name other queues each day. A queue that has lost its place leaves memory when a new queue comes, but
     * at the earliest a minute after the look before.
     */
    private void forgetUnusedQueues() {
        Set<String> unused = new HashSet<>(queues.keySet());
        unused.removeIf(queue -> names.isDeclared(queue) || leases.leadsAny(queue));
        unused.removeAll(tickets.queues());
        all.stream().filter(lane -> !lane.isIdle()).map(Lane::queue).forEach(unused::remove);
        List<Lane> gone =
                all.stream().filter(lane -> unused.contains(lane.queue())).toList();
        all.removeAll(gone);
        byName.values().forEach(ofName -> ofName.keySet().removeAll(unused));
        queues.keySet().removeAll(unused);
        queueTurns.removeIf(slots -> unused.contains(slots.queue()));
        gates.forget(gone);
        gone.forEach(lane -> lane.limits().close());
        limits.forget(unused);
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

    boolean isShut(Lane lane) {
        return names.isClosed() || lane.isPaused();
    }

    // ---- start and release

    /**
     * Returns the next due time of a claimed job, in milliseconds of store time; {@link Long#MAX_VALUE} if there is
     * none.
     */
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

    List<Job> toRelease(Duration overstay) {
        Instant now = clock.storeTime();
        synchronized (tickets) {
            queues.values().forEach(queue -> queue.giveUpOverstayed(now, overstay));
            return tickets.takeUnstarted();
        }
    }

    boolean hasClaimed() {
        synchronized (tickets) {
            return all.stream().anyMatch(lane -> lane.waitingForSlot() > 0);
        }
    }

    // ---- removal of rows from memory

    /** If a claim is in progress, its jobs are released, too. */
    public void close() {
        synchronized (tickets) {
            names.close();
            all.forEach(this::forget);
        }
    }

    /** Also empties the token buckets of the rates, because other instances may have led the partitions until now. */
    public void forget() {
        synchronized (tickets) {
            all.forEach(this::forget);
            limits.empty();
        }
        onWork.run();
    }

    /** Replaces all earlier pauses. Attempts under way continue. */
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

    void dropReady(Lane lane) {
        lane.dropReady();
        gates.drop(lane);
    }

    private void forget(Lane lane) {
        // A job that the lane gives up may let another row become ready, so the waiting rows are removed first.
        gates.drop(lane);
        lane.forget();
    }

    // ---- views of the lanes

    public Agent newWatch(DueJobs store, Supplier<Collection<Partition>> partitions) {
        return new RunningWatch(tickets, limits.heldElsewhere(), this::isHeldHere, store, clock, partitions, onWork);
    }

    private boolean isHeldHere(DueRow running) {
        Ticket ticket = tickets.of(running.id());
        return ticket != null && ticket.isClaimed() && ticket.job().token() == running.token();
    }

    public Set<JobId> held(Set<JobId> jobs) {
        return tickets.held(jobs);
    }

    public int ready() {
        synchronized (tickets) {
            return tickets.room().ready();
        }
    }

    public Occupancy occupancy() {
        return new Occupancy(this);
    }
}
