package io.delayjob.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Capacity;
import io.delayjob.job.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Due rows, a lane for each handler and queue, and the slots they compete for.
 *
 * <pre>
 *            offer            toClaim             claimed              finished
 *   due row -------> ready -----------> claiming ---------> claimed ------------> running --> (slot free)
 *                      '-- dropped: known, set aside, no handler here
 *                      '-- refused: no room; the sweep comes back for it
 * </pre>
 *
 * <p>Lanes are served in turn, so that none starves. A row is <em>known</em> from its offer until its claim is answered;
 * a known row offered again with the same token is a duplicate.
 *
 * <p>Thread-safe: one lock, held for memory operations only.
 */
public final class Lanes implements DueIntake, Capacity {

    private final HandlerRegistry handlers;
    private final ToIntFunction<String> concurrency;
    private final Predicate<String> enabled;
    private final EngineClock clock;
    private final long sweepIntervalNanos;
    private final int maxReady;
    private final Runnable onRoom;
    private final Runnable onWork;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LaneKey, Lane> lanes = new LinkedHashMap<>();
    private final Map<String, QueueSlots> queues = new TreeMap<>();
    private final Map<JobId, Long> known = new HashMap<>();
    private final SetAside setAside = new SetAside();
    private final List<Job> returned = new ArrayList<>();
    private int ready;
    private int turn;
    private boolean closed;

    /**
     * @param concurrency slots of a queue, by its name
     * @param enabled whether a queue is worked here
     * @param maxReady most rows kept ready, over all lanes
     * @param onRoom called when a lane that was full has room again
     * @param onWork called when there may be something to claim or to release
     */
    public Lanes(
            HandlerRegistry handlers,
            ToIntFunction<String> concurrency,
            Predicate<String> enabled,
            EngineClock clock,
            Duration sweepInterval,
            int maxReady,
            Runnable onRoom,
            Runnable onWork) {
        this.handlers = handlers;
        this.concurrency = concurrency;
        this.enabled = enabled;
        this.clock = clock;
        this.sweepIntervalNanos = sweepInterval.toNanos();
        this.maxReady = maxReady;
        this.onRoom = onRoom;
        this.onWork = onWork;
    }

    /** Takes what has just come due: whatever memory holds. */
    @Override
    public List<DueRow> offer(List<DueRow> rows) {
        return offer(rows, lane -> maxReady - ready);
    }

    /** Takes what a sweep has found: no more than can start before the next one. */
    public List<DueRow> offerOverdue(List<DueRow> rows) {
        return offer(rows, this::room);
    }

    private List<DueRow> offer(List<DueRow> rows, ToIntFunction<Lane> roomIn) {
        List<DueRow> refused = locked(() -> {
            List<DueRow> refusals = new ArrayList<>(0);
            long now = clock.nanoTime();
            for (DueRow row : rows) {
                Lane lane = closed ? null : lane(row);
                Long token = known.get(row.id());
                boolean duplicate = token != null && token == row.token();
                if (lane == null || duplicate || setAside.contains(row.id(), now)) {
                    continue;
                }
                if (roomIn.applyAsInt(lane) <= 0) {
                    refusals.add(row);
                    continue;
                }
                known.put(row.id(), row.token());
                lane.ready.add(row);
                ready++;
            }
            return refusals;
        });
        onWork.run();
        return refused;
    }

    @Override
    public int roomFor(String name) {
        return locked(() -> {
            Handler handler = handlers.find(name);
            if (closed || handler == null) {
                return 0;
            }
            int lanesRoom = lanes.values().stream()
                    .filter(lane -> lane.handler == handler)
                    .mapToInt(this::room)
                    .max()
                    .orElse(maxReady - ready);
            return Math.max(lanesRoom, 0);
        });
    }

    private int room(Lane lane) {
        return Math.min(maxReady - ready, lane.worthKeeping(sweepIntervalNanos) - lane.ready.size());
    }

    private @Nullable Lane lane(DueRow row) {
        Handler handler = handlers.find(row.name());
        String queue = row.partition().queue();
        if (handler == null || !enabled.test(queue)) {
            return null;
        }
        return lanes.computeIfAbsent(new LaneKey(handler.name(), queue), key -> new Lane(handler, slots(queue)));
    }

    /** The lane a job was claimed in: it is there as long as the engine. */
    private Lane laneOf(Job job) {
        return Objects.requireNonNull(lane(job.toDueRow()), () -> "no lane for " + job.name());
    }

    private QueueSlots slots(String queue) {
        return queues.computeIfAbsent(queue, name -> new QueueSlots(name, concurrency.applyAsInt(name)));
    }

    /** Takes the rows to be claimed next, lane by lane in turn; they count as pending from now on. */
    List<DueRow> toClaim(int limit) {
        return locked(() -> {
            List<DueRow> batch = new ArrayList<>();
            long now = clock.storeMillis();
            for (Lane lane : inTurn()) {
                boolean wasFull = room(lane) <= 0;
                int allowed = Math.min(lane.mayClaim(), limit - batch.size());
                while (allowed > 0 && !lane.ready.isEmpty()) {
                    DueRow row = lane.ready.remove();
                    ready--;
                    Long token = known.get(row.id());
                    if (token == null || token != row.token()) {
                        continue;
                    }
                    if (row.dueMillis() > now) {
                        // Store time was set back: the table says when.
                        known.remove(row.id());
                        continue;
                    }
                    batch.add(row);
                    lane.claiming++;
                    lane.queue.pending++;
                    allowed--;
                }
                if (wasFull && room(lane) > 0) {
                    onRoom.run();
                }
            }
            return batch;
        });
    }

    private List<Lane> inTurn() {
        List<Lane> all = new ArrayList<>(lanes.values());
        if (all.size() > 1) {
            turn = (turn + 1) % all.size();
            Collections.rotate(all, -turn);
        }
        return all;
    }

    /**
     * Takes the answer to a claim: what was asked for, and what came back.
     *
     * @return the rows that did not come back
     */
    List<DueRow> claimed(List<DueRow> asked, Collection<Job> jobs) {
        return locked(() -> {
            Set<JobId> came = jobs.stream().map(Job::id).collect(Collectors.toSet());
            for (DueRow row : asked) {
                forget(row);
                Lane lane = lane(row);
                if (lane != null) {
                    lane.claiming--;
                    if (!came.contains(row.id())) {
                        lane.queue.pending--;
                    }
                }
            }
            for (Job job : jobs) {
                laneOf(job).claimed.add(job);
            }
            return asked.stream().filter(row -> !came.contains(row.id())).toList();
        });
    }

    private void forget(DueRow row) {
        known.remove(row.id(), row.token());
    }

    /** Takes the claimed jobs that have a slot; the slots are theirs until {@link #finished}. */
    List<Job> toStart() {
        return locked(() -> {
            List<Job> start = new ArrayList<>();
            boolean any = true;
            while (any) {
                any = false;
                for (Lane lane : inTurn()) {
                    Job job = start(lane);
                    if (job != null) {
                        start.add(job);
                        any = true;
                    }
                }
            }
            return start;
        });
    }

    private @Nullable Job start(Lane lane) {
        if (!lane.mayStart()) {
            return null;
        }
        lane.running++;
        lane.queue.running++;
        lane.queue.pending--;
        return lane.claimed.remove();
    }

    /**
     * Frees the slot of an attempt and gives it to the next claimed job of its queue, if there is one.
     *
     * @param tookNanos how long the handler took; negative when it was not called
     */
    @Nullable
    Job finished(Job job, long tookNanos) {
        AtomicBoolean wantsClaim = new AtomicBoolean();
        Job following = locked(() -> {
            Lane lane = laneOf(job);
            lane.running--;
            lane.queue.running--;
            if (tookNanos >= 0) {
                lane.measured(tookNanos);
            }
            Job next = inTurn().stream()
                    .filter(other -> other.queue == lane.queue)
                    .map(this::start)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            wantsClaim.set(next == null || lane.wantsClaim());
            return next;
        });
        if (wantsClaim.get()) {
            onWork.run();
        }
        return following;
    }

    /** Takes back a claimed job that cannot be started. */
    void giveBack(Job job) {
        locked(() -> returned.add(job));
        onWork.run();
    }

    /**
     * Leaves this claimed job to other instances for a while: it cannot be read here.
     */
    void setAside(Job job) {
        locked(() -> {
            setAside.add(job.id(), clock.nanoTime());
            return job;
        });
        giveBack(job);
    }

    /** Claimed jobs to be released: those given back, and those that were claimed before then and have no slot yet. */
    List<Job> toRelease(Instant claimedBefore) {
        return locked(() -> {
            returnClaimed(job -> job.startedAt() != null && job.startedAt().isBefore(claimedBefore));
            List<Job> all = List.copyOf(returned);
            returned.clear();
            return all;
        });
    }

    private void returnClaimed(Predicate<Job> which) {
        for (Lane lane : lanes.values()) {
            lane.claimed.removeIf(job -> {
                boolean take = which.test(job);
                if (take) {
                    returned.add(job);
                    lane.queue.pending--;
                }
                return take;
            });
        }
    }

    /** Takes no more rows, forgets those that are ready, and gives back what was claimed and has no slot. */
    void close() {
        locked(() -> {
            closed = true;
            lanes.values().forEach(lane -> lane.ready.clear());
            ready = 0;
            known.clear();
            returnClaimed(job -> true);
            return closed;
        });
    }

    /** Whether rows are ready that may be claimed now. */
    boolean hasClaimable() {
        return locked(() -> lanes.values().stream().anyMatch(lane -> !lane.ready.isEmpty() && lane.mayClaim() > 0));
    }

    /** Whether claimed jobs wait for a slot. */
    boolean hasClaimed() {
        return locked(() -> lanes.values().stream().anyMatch(lane -> !lane.claimed.isEmpty()));
    }

    /** Rows that are due and not claimed. */
    public int ready() {
        return locked(() -> ready);
    }

    /** Slots taken and slots there are, by queue. */
    public Map<String, SlotUse> slotUse() {
        return locked(() -> queues.values().stream()
                .collect(Collectors.toMap(
                        queue -> queue.name,
                        queue -> new SlotUse(queue.running, queue.limit),
                        (a, b) -> a,
                        TreeMap::new)));
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    private record LaneKey(String handler, String queue) {}
}
