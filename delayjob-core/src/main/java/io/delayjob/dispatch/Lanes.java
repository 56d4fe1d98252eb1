package io.delayjob.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Capacity;
import io.delayjob.job.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.job.Printable;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Due rows, a lane for each handler and queue, and the slots they compete for.
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
 * <p>Lanes are served in turn, by their priorities, so that none starves. While jobs come due on time, one claim at a time of
 * what has piled up is under way, so that there is always a claimer free for them. Rows that are not due yet are claimed with
 * the room and the slots that those leave which are. A row is <em>known</em> from its offer until
 * its claim is answered; a known row offered again with the same token is a duplicate, and so is one that was read
 * before.
 *
 * <p>Thread-safe: one lock, held for memory operations only.
 */
public final class Lanes implements DueIntake, Capacity {

    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    /** So many names without a handler are mentioned in the log, once each. */
    private static final int MAX_MENTIONED = 1_000;

    /** Where nothing has come due for so long, and nothing is about to, a backlog may have both claimers. */
    private static final long STILL_NANOS = Duration.ofSeconds(10).toNanos();

    /** The backlog's claim is answered within this time, or hangs; then it holds up nobody any more. */
    private static final long BACKLOG_CLAIM_NANOS = Duration.ofMillis(100).toNanos();

    private final HandlerRegistry handlers;
    private final ToIntFunction<String> concurrency;
    private final Predicate<String> enabled;
    private final EngineClock clock;
    private final long sweepIntervalNanos;
    private final ClaimLead lead;
    private final int maxReady;
    private final BooleanSupplier expectsRows;
    private final Runnable onRoom;
    private final Runnable onWork;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LaneKey, Lane> lanes = new LinkedHashMap<>();
    private final Map<String, List<Lane>> lanesOfHandlers = new HashMap<>();
    private final Map<String, QueueSlots> queues = new TreeMap<>();
    private final Turns<QueueSlots> claimTurns = new Turns<>(queue -> queue.claimTurns.isEmpty());
    private final Map<JobId, Ready> known = new HashMap<>();
    private final Set<JobId> slotted = new HashSet<>();
    private final SetAside setAside = new SetAside();
    private final Set<String> unknownNames = ConcurrentHashMap.newKeySet();
    private final List<Job> returned = new ArrayList<>();
    private final List<Ready> early = new ArrayList<>();
    private int ready;
    private @Nullable List<DueRow> backlogClaim;
    private long backlogClaimedAtNanos;
    private @Nullable Long cameDueAtNanos;
    private boolean closed;
    private volatile Paused paused = Paused.NOTHING;

    /**
     * @param concurrency slots of a queue, by its name
     * @param enabled whether a queue is worked here
     * @param lead how long before their time rows may be claimed
     * @param maxReady most rows kept ready, over all lanes; and most jobs claimed that have no slot
     * @param expectsRows whether rows wait in memory for their time
     * @param onRoom called when a lane that had refused rows has room for a good many again, or one that had enough has not
     * @param onWork called when there may be something to claim or to release
     */
    public Lanes(
            HandlerRegistry handlers,
            ToIntFunction<String> concurrency,
            Predicate<String> enabled,
            EngineClock clock,
            Duration sweepInterval,
            ClaimLead lead,
            int maxReady,
            BooleanSupplier expectsRows,
            Runnable onRoom,
            Runnable onWork) {
        this.handlers = handlers;
        this.concurrency = concurrency;
        this.enabled = enabled;
        this.clock = clock;
        this.sweepIntervalNanos = sweepInterval.toNanos();
        this.lead = lead;
        this.maxReady = maxReady;
        this.expectsRows = expectsRows;
        this.onRoom = onRoom;
        this.onWork = onWork;
    }

    /** Takes what has just come due, or is about to. */
    @Override
    public List<DueRow> offer(List<DueRow> rows, long asOfNanos) {
        locked(() -> cameDueAtNanos = clock.nanoTime());
        return offer(rows.stream().map(row -> Ready.onTime(row, asOfNanos)).toList());
    }

    /** Takes what a sweep has found: no more than can start before the next one. */
    public List<DueRow> offerOverdue(List<DueRow> rows, long asOfNanos) {
        return offer(rows.stream().map(row -> Ready.overdue(row, asOfNanos)).toList());
    }

    /**
     * Takes rows that a claim has passed over, if nothing newer is known of them: once, for what is passed over again,
     * the sweep finds if it is still there.
     */
    void offerAgain(List<Ready> rows) {
        // As of when it was read, for what has become of it since may still wait for its time elsewhere.
        offer(rows.stream().map(Ready::passedOver).toList());
    }

    private List<DueRow> offer(List<Ready> offers) {
        Set<String> dropped = new HashSet<>(0);
        List<DueRow> refused = locked(() -> {
            List<DueRow> refusals = new ArrayList<>(0);
            long now = clock.nanoTime();
            long nowMillis = clock.storeMillis();
            for (Ready offered : offers) {
                DueRow row = offered.row;
                Lane lane = closed || isPaused(row.name(), row.partition().queue()) ? null : lane(row);
                Ready present = known.get(row.id());
                boolean duplicate = present != null && (offered.again || !present.isOvertakenBy(offered));
                if (lane == null) {
                    dropped.add(row.name());
                    continue;
                }
                if (duplicate || setAside.contains(row.id(), now)) {
                    continue;
                }
                if (roomFor(offered, lane) <= 0) {
                    lane.refuse();
                    refusals.add(row);
                    continue;
                }
                known.put(row.id(), offered);
                add(offered, lane, nowMillis);
                dropOvertaken(present);
            }
            return refusals;
        });
        onWork.run();
        dropped.forEach(this::mentionIfUnknown);
        return refused;
    }

    private void add(Ready offered, Lane lane, long nowMillis) {
        lane.add(offered, nowMillis);
        claimTurns.join(lane.queue);
        ready++;
    }

    private void dropOvertaken(@Nullable Ready overtaken) {
        Lane lane = overtaken == null ? null : lane(overtaken.row);
        if (lane != null) {
            ready -= lane.overtaken(known);
        }
    }

    @Override
    public int roomFor(String name) {
        mentionIfUnknown(name);
        return locked(() -> {
            Handler handler = handlers.find(name);
            if (closed || handler == null || isPaused(handler)) {
                return 0;
            }
            return lanesOf(handler).stream()
                    .filter(lane -> !paused.holdsQueue(lane.queue.name))
                    .mapToInt(this::room)
                    .max()
                    .orElse(maxReady - ready);
        });
    }

    /**
     * Whether so many overdue rows of this name are ready, in whichever queue it has had any, that they last until more
     * can be read. When that is over it is announced like room.
     */
    public boolean hasEnoughOf(String name) {
        return locked(() -> {
            Handler handler = handlers.find(name);
            List<Lane> ofName = handler == null ? List.of() : lanesOf(handler);
            boolean enough = !ofName.isEmpty() && ofName.stream().allMatch(lane -> lane.hasEnough(sweepIntervalNanos));
            if (enough) {
                ofName.forEach(Lane::sate);
            }
            return enough;
        });
    }

    private boolean hasEnoughNoMore(Lane lane) {
        boolean noMore = lane.sated && !lane.hasEnough(sweepIntervalNanos);
        lane.sated &= !noMore;
        return noMore;
    }

    private void mentionIfUnknown(String name) {
        if (handlers.find(name) == null && unknownNames.size() < MAX_MENTIONED && unknownNames.add(name)) {
            log.warn(
                    "Jobs named '{}' are stored, but this instance has no handler of that name: they wait until one has, or names it among its former names.",
                    Printable.of(name));
        }
    }

    private int roomFor(Ready offered, Lane lane) {
        return offered.overdue && !offered.again ? room(lane) : fairRoom(lane, offered.overdue);
    }

    /** A lane keeps no more of a kind than is still free: so there is always room left for the others. */
    private int fairRoom(Lane lane, boolean overdue) {
        return maxReady - ready - lane.count(overdue);
    }

    private int room(Lane lane) {
        return lane.full ? 0 : Math.max(0, roomWhenNotFull(lane));
    }

    private int roomWhenNotFull(Lane lane) {
        // Each row that is kept is one more here and one less that is free.
        int overdue = lane.ready(true).size();
        return Math.min((fairRoom(lane, true) + 1) / 2, lane.worthKeeping(sweepIntervalNanos) - overdue);
    }

    /** By halves, so that a backlog is fetched in pages and not row by row. */
    private boolean hasRoomAgain(Lane lane) {
        boolean again = lane.full
                && roomWhenNotFull(lane) >= Math.max(1, lane.ready(true).size());
        lane.full &= !again;
        return again;
    }

    private @Nullable Lane lane(DueRow row) {
        Handler handler = handlers.find(row.name());
        String queue = row.partition().queue();
        if (handler == null || !enabled.test(queue)) {
            return null;
        }
        return lanes.computeIfAbsent(new LaneKey(handler.name(), queue), key -> newLane(handler, slots(queue)));
    }

    private Lane newLane(Handler handler, QueueSlots slots) {
        Lane lane = new Lane(handler, slots);
        slots.add(lane);
        lanesOfHandlers
                .computeIfAbsent(handler.name(), name -> new ArrayList<>(1))
                .add(lane);
        return lane;
    }

    private List<Lane> lanesOf(Handler handler) {
        return lanesOfHandlers.getOrDefault(handler.name(), List.of());
    }

    private Stream<Lane> busyLanes() {
        return queues.values().stream().flatMap(queue -> queue.busy().stream());
    }

    /** The lane a job was claimed in: it is there as long as the engine. */
    private Lane laneOf(Job job) {
        return Objects.requireNonNull(lane(job.toDueRow()), () -> "no lane for " + job.name());
    }

    private QueueSlots slots(String queue) {
        return queues.computeIfAbsent(queue, name -> {
            QueueSlots slots = new QueueSlots(name, concurrency.applyAsInt(name));
            claimTurns.add(slots, Handler.DEFAULT_PRIORITY);
            return slots;
        });
    }

    /**
     * Takes the rows to be claimed next, row by row from the queues in turn, and from the lanes of each by their
     * priorities; they count as being claimed from now on, and the claim as under way until it is answered or has {@linkplain #failed failed}.
     */
    List<DueRow> toClaim(int limit) {
        return locked(() -> {
            List<DueRow> batch = new ArrayList<>();
            long now = clock.storeMillis();
            busyLanes().forEach(lane -> lane.follow(now));
            boolean backlogToo = untilBacklogMayBeClaimed() == 0;
            boolean piledUp = busyLanes().anyMatch(Lane::hasBacklog);
            boolean ofBacklog = false;
            boolean cutShort = false;
            int room = Math.min(limit, maxReady - claimedAhead());
            Ready next;
            while (batch.size() < room
                    && (next = claimTurns.next(
                                    queue -> queue.claimTurns.next(lane -> takeForClaim(lane, now, backlogToo))))
                            != null) {
                batch.add(next.row);
                int left = left(next);
                ofBacklog |= left >= Lane.BACKLOG;
                if (piledUp && left == 0) {
                    // What has just come due must not wait until a whole batch of somebody's backlog is claimed with
                    // it.
                    room = Math.min(room, batch.size() + lanes.size());
                    cutShort = true;
                }
            }
            // What is due must not wait for a large claim of what is not.
            room = Math.min(room, Math.max(batch.size(), Lane.BACKLOG));
            while (batch.size() < room
                    && (next = claimTurns.next(queue -> queue.claimTurns.next(lane -> takeAhead(lane, now)))) != null) {
                batch.add(next.row);
            }
            if (ofBacklog && !cutShort) {
                backlogClaim = batch;
                backlogClaimedAtNanos = clock.nanoTime();
            }
            boolean roomy = false;
            for (QueueSlots queue : queues.values()) {
                for (Lane lane : queue.busy()) {
                    roomy |= hasRoomAgain(lane) | hasEnoughNoMore(lane);
                }
                queue.busy().removeIf(Lane::isIdle);
            }
            if (roomy) {
                onRoom.run();
            }
            return batch;
        });
    }

    private long untilBacklogMayBeClaimed() {
        long now = clock.nanoTime();
        boolean still = !expectsRows.getAsBoolean() && (cameDueAtNanos == null || now - cameDueAtNanos > STILL_NANOS);
        return backlogClaim == null || still ? 0 : Math.max(0, backlogClaimedAtNanos + BACKLOG_CLAIM_NANOS - now);
    }

    /** The claim of these rows has failed. They count as being claimed until it is known what has become of them. */
    void failed(List<DueRow> asked) {
        locked(() -> endClaim(asked));
    }

    private boolean endClaim(List<DueRow> asked) {
        boolean ofBacklog = backlogClaim == asked;
        backlogClaim = ofBacklog ? null : backlogClaim;
        return ofBacklog;
    }

    /** How many rows wait where this one was taken from. */
    private int left(Ready taken) {
        Lane lane = lane(taken.row);
        return lane == null ? 0 : lane.ready(taken.overdue).size();
    }

    /** Takes out the rows that turned out not to be due yet. */
    List<Ready> takeEarly() {
        return locked(() -> {
            List<Ready> all = List.copyOf(early);
            early.clear();
            return all;
        });
    }

    /** Jobs being claimed, and claimed ones without a slot. */
    private int claimedAhead() {
        return busyLanes().mapToInt(lane -> lane.held() - lane.running).sum();
    }

    private @Nullable Ready takeForClaim(Lane lane, long nowMillis, boolean backlogToo) {
        int allowed = lane.hasReady(backlogToo) ? lane.mayClaim() : 0;
        while (allowed > 0 && lane.hasReady(backlogToo)) {
            Ready next = lane.takeReady(backlogToo);
            if (maybeClaimed(next, nowMillis)) {
                lane.claiming++;
                return next;
            }
        }
        return null;
    }

    private @Nullable Ready takeAhead(Lane lane, long nowMillis) {
        Ready next;
        while (lane.mayClaim() > 0 && (next = lane.takeAhead()) != null) {
            if (maybeClaimed(next, nowMillis)) {
                lane.claiming++;
                return next;
            }
        }
        return null;
    }

    private boolean maybeClaimed(Ready taken, long nowMillis) {
        ready--;
        if (known.get(taken.row.id()) != taken) {
            // It has moved on since.
            return false;
        }
        if (taken.row.dueMillis() - nowMillis > lead.longestMillis()) {
            // The estimate of store time was lowered, or the store's clock set back.
            known.remove(taken.row.id());
            early.add(taken);
            return false;
        }
        return true;
    }

    /**
     * Takes the answer to a claim: what was asked for, and what came back.
     *
     */
    Claimed claimed(List<DueRow> asked, Collection<Job> jobs) {
        AtomicBoolean wantsRelease = new AtomicBoolean();
        Claimed answer = locked(() -> {
            endClaim(asked);
            long nowMillis = clock.storeMillis();
            boolean allCame = jobs.size() == asked.size();
            Set<JobId> came = allCame ? Set.of() : jobs.stream().map(Job::id).collect(Collectors.toSet());
            List<Ready> passedOver = new ArrayList<>(0);
            List<Job> coming = new ArrayList<>(0);
            for (DueRow row : asked) {
                Lane lane = lane(row);
                if (lane != null) {
                    lane.claiming--;
                }
                Ready claimed = known.get(row.id());
                if (claimed != null && claimed.row.token() == row.token()) {
                    known.remove(row.id());
                    if (!allCame && !claimed.again && !came.contains(row.id())) {
                        passedOver.add(claimed);
                    }
                }
            }
            for (Job job : jobs) {
                long earlyMillis = job.dueAt().toEpochMilli() - nowMillis;
                if (closed || isPaused(job.name(), job.partition().queue()) || earlyMillis > lead.longestMillis()) {
                    // Since its claim was sent, and the store's clock was set back: it goes back.
                    returned.add(job);
                    wantsRelease.set(true);
                } else if (earlyMillis > 0) {
                    laneOf(job).addComing(job);
                    coming.add(job);
                } else {
                    laneOf(job).addClaimed(job);
                }
            }
            return new Claimed(passedOver, coming);
        });
        if (wantsRelease.get()) {
            onWork.run();
        }
        return answer;
    }

    /** The time of these claimed jobs has come: those that are still kept for it may start. */
    void comeDue(List<Job> jobs) {
        locked(() -> {
            for (Job job : jobs) {
                Lane lane = laneOf(job);
                if (lane.coming.remove(job.id(), job)) {
                    lane.addClaimed(job);
                }
            }
            return closed;
        });
    }

    /** Gives back those of these claimed jobs that are still kept for their time. */
    void giveBackComing(List<Job> jobs) {
        locked(() -> {
            for (Job job : jobs) {
                if (laneOf(job).coming.remove(job.id(), job)) {
                    returned.add(job);
                }
            }
            return closed;
        });
        onWork.run();
    }

    /** Takes the claimed jobs that have a slot; the slots are theirs until {@link #finished}. */
    List<Job> toStart() {
        return locked(() -> {
            List<Job> start = new ArrayList<>();
            for (QueueSlots queue : queues.values()) {
                Job next;
                while ((next = queue.startTurns.next(this::start)) != null) {
                    start.add(next);
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
        Job job = lane.claimed.remove();
        slotted.add(job.id());
        return job;
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
            slotted.remove(job.id());
            if (tookNanos >= 0) {
                lane.measured(tookNanos);
            }
            Job next = lane.queue.startTurns.next(this::start);
            boolean backlogToo = untilBacklogMayBeClaimed() == 0;
            wantsClaim.set(
                    next == null || lane.wantsClaim(backlogToo) || laneOf(next).wantsClaim(backlogToo));
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

    /**
     * Claimed jobs to be released: those given back, and those that have had no slot for so long since they were claimed.
     * Of attempts that hang nothing is measured before they end: what their queue's slots were waited for in vain tells
     * that its handlers are not as fast as they were, so that nothing more is claimed ahead.
     */
    List<Job> toRelease(Duration overstay) {
        Instant before = clock.storeTime().minus(overstay);
        return locked(() -> {
            busyLanes()
                    .filter(lane -> returnClaimed(
                            lane,
                            job -> job.startedAt() != null && job.startedAt().isBefore(before)))
                    .map(lane -> lane.queue)
                    .distinct()
                    .forEach(queue -> queue.waitedInVain(overstay.toNanos()));
            List<Job> all = List.copyOf(returned);
            returned.clear();
            return all;
        });
    }

    private void returnClaimed(Predicate<Job> which) {
        lanes.values().forEach(lane -> returnClaimed(lane, which));
    }

    /** Answers whether there were such jobs. */
    private boolean returnClaimed(Lane lane, Predicate<Job> which) {
        Predicate<Job> taken = job -> {
            boolean take = which.test(job);
            if (take) {
                returned.add(job);
            }
            return take;
        };
        return lane.claimed.removeIf(taken) | lane.coming.values().removeIf(taken);
    }

    /**
     * Takes no more rows, forgets those that are ready, and gives back what was claimed and has no slot, and what
     * claims under way bring.
     */
    public void close() {
        locked(() -> {
            closed = true;
            forgetReady();
            return closed;
        });
    }

    /** Forgets the rows that are ready, and gives back what was claimed and has no slot. */
    public void forget() {
        locked(() -> {
            forgetReady();
            return closed;
        });
        onWork.run();
    }

    /**
     * From now on these handlers and queues are paused, and no others: forgets what is ready of them, takes nothing
     * more, and gives back what was claimed and has no slot. Attempts under way go on.
     */
    public void follow(Paused pauses) {
        locked(() -> {
            paused = pauses;
            for (Lane lane : lanes.values()) {
                if (isPaused(lane.handler) || pauses.holdsQueue(lane.queue.name)) {
                    ready -= lane.readyCount();
                    lane.forgetReady(known);
                }
            }
            returnClaimed(job -> isPaused(job.name(), job.partition().queue()));
            return closed;
        });
        onWork.run();
    }

    @Override
    public boolean isRunHere(DueRow row) {
        mentionIfUnknown(row.name());
        return handlers.find(row.name()) != null
                && enabled.test(row.partition().queue())
                && !isPaused(row.name(), row.partition().queue());
    }

    /** Whether no attempt of this job may begin now. */
    boolean isPaused(Job job) {
        return isPaused(job.name(), job.partition().queue());
    }

    private boolean isPaused(String name, String queue) {
        if (paused.isEmpty()) {
            return false;
        }
        Handler handler = handlers.find(name);
        return paused.holdsQueue(queue) || (handler != null && isPaused(handler));
    }

    /** A job may be stored, and a handler paused by another version of the application, under a former name. */
    private boolean isPaused(Handler handler) {
        return !paused.isEmpty() && paused.holdsHandler(handler.names());
    }

    private void forgetReady() {
        for (Lane lane : lanes.values()) {
            lane.forgetReady(known);
        }
        ready = 0;
        early.clear();
        returnClaimed(job -> true);
    }

    /** Nanoseconds until rows that are ready may be claimed; {@link Agent#UNTIL_WOKEN} when there are none. */
    long untilClaimable() {
        return locked(() -> {
            if (claimedAhead() >= maxReady) {
                return Agent.UNTIL_WOKEN;
            }
            long pause = Agent.UNTIL_WOKEN;
            for (Lane lane : busyLanes().toList()) {
                if (lane.hasClaimable(true) && lane.mayClaim() > 0) {
                    pause = Math.min(pause, lane.hasClaimable(false) ? 0 : untilBacklogMayBeClaimed());
                }
            }
            return pause;
        });
    }

    /** Whether claimed jobs wait to be released. */
    boolean hasReturned() {
        return locked(() -> !returned.isEmpty());
    }

    /** Whether claimed jobs wait for a slot, or for their time. */
    boolean hasClaimed() {
        return locked(() -> busyLanes().anyMatch(lane -> !lane.claimed.isEmpty() || !lane.coming.isEmpty()));
    }

    /** Those of these jobs that an attempt may be made of, or is: ready, being claimed, claimed, or with a slot. */
    Set<JobId> held(Set<JobId> jobs) {
        return locked(() -> {
            Set<JobId> held = new HashSet<>();
            for (JobId job : jobs) {
                if (known.containsKey(job) || slotted.contains(job)) {
                    held.add(job);
                }
            }
            lanes.values().stream()
                    .flatMap(lane -> Stream.concat(lane.claimed.stream(), lane.coming.values().stream()))
                    .map(Job::id)
                    .filter(jobs::contains)
                    .forEach(held::add);
            return held;
        });
    }

    /** Rows that are due, or about to come due, and not claimed. */
    public int ready() {
        return locked(() -> ready);
    }

    /** Slots taken, over all queues. */
    public int slotsTaken() {
        return locked(
                () -> queues.values().stream().mapToInt(queue -> queue.running).sum());
    }

    /** Slots taken, jobs claimed for one, and slots there are, by queue. */
    public Map<String, SlotUse> slotUse() {
        return locked(() -> queues.values().stream()
                .collect(Collectors.toMap(
                        queue -> queue.name,
                        queue -> new SlotUse(queue.running, queue.claimed(), queue.limit),
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

    /**
     * What an answered claim leaves to be done.
     *
     * @param passedOver rows that did not come back for the first time, and may come back the next time
     * @param coming jobs that are kept until they {@linkplain #comeDue come due}
     */
    record Claimed(List<Ready> passedOver, List<Job> coming) {}

    private record LaneKey(String handler, String queue) {}
}
