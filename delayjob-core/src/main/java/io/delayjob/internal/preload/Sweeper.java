package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds every waiting row that is overdue. A sweep looks only at the state and the due time of a row, not at leases,
 * cursors or memory. Therefore <em>the sweep guarantees that every committed row is found</em> after it has become due.
 *
 * <pre>
 *   every interval   all lanes with room:  |-- page --|-- page --|----|   from the oldest to the newest overdue row
 *                                                '-- a lane without room leaves the pass
 *   when it has room    that lane alone:   |-- page --| . . . |-- page --| . . .
 * </pre>
 *
 * <p>An engine has two sweeps. The second adopts rows that have been overdue for very long in partitions of other
 * leaders.
 */
public final class Sweeper implements Agent {

    /** The interval divided by this number is the pause after a page of rows with keys. */
    private static final int KEY_RESTS_PER_INTERVAL = 5;

    private final Reads reads;
    private final EngineClock clock;
    private final Supplier<Set<String>> names;
    private final Capacity capacity;
    private final SweepRules rules;

    /** The passes of the lanes that have left the pass of all lanes. */
    private final Map<LaneName, SweepPass> backlogs = new LinkedHashMap<>();

    /** The lanes that have had a page since the pass began. */
    private final Set<LaneName> served = new HashSet<>();

    private List<Partition> swept = List.of();

    /** The names of the handlers when the pass began. */
    private Set<String> handled = Set.of();

    private SweepPass pass;
    private long nextPassNanos;
    private long nextPassPageNanos;
    private long nextBacklogPageNanos;
    private final AtomicBoolean startsAnew = new AtomicBoolean();

    /** Maximum age of the next view; {@code null} after the view was read. */
    private @Nullable Duration youngerThan;

    public Sweeper(Reads reads, Supplier<Set<String>> names, Capacity capacity, SweepRules rules) {
        this.reads = reads;
        this.clock = reads.clock();
        this.names = names;
        this.capacity = capacity;
        this.rules = rules;
        this.pass = SweepPass.through(swept, clock.nanoTime());
        this.nextPassNanos = clock.nanoTime();
        this.nextPassPageNanos = nextPassNanos;
        this.nextBacklogPageNanos = nextPassNanos;
    }

    @Override
    public String roleName() {
        return rules.role();
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        boolean newGround = startsAnew.getAndSet(false) | followPartitions();
        if (newGround) {
            backlogs.clear();
        }
        if (newGround || (pass.isThrough() || youngerThan != null) && now - nextPassNanos >= 0) {
            startPass(now);
            youngerThan = newGround ? Duration.ZERO : rules.oldestView();
        }
        readPages(now);
        return untilNext();
    }

    /** Makes the next call of {@link #doWork} begin a new pass, because an earlier pass may have left out rows. */
    public void startAnew() {
        startsAnew.set(true);
    }

    private long untilNext() {
        long now = clock.nanoTime();
        long pause = (mayReadPass() ? nextPassPageNanos : nextPassNanos) - now;
        for (Map.Entry<LaneName, SweepPass> backlog : backlogs.entrySet()) {
            if (isToRead(backlog.getKey())) {
                long rest = backlog.getValue().restNanos(now);
                pause = Math.min(pause, Math.max(nextBacklogPageNanos - now, rest));
            }
        }
        // A lane can have room again without an announcement, because its handler has become quicker.
        return Math.max(
                backlogs.isEmpty() ? pause : Math.min(pause, rules.interval().toNanos()), 0);
    }

    private boolean followPartitions() {
        List<Partition> before = swept;
        swept = List.copyOf(rules.partitions().get());
        if (swept.equals(before)) {
            return false;
        }
        pass.retain(swept::contains);
        backlogs.values().forEach(backlog -> backlog.retain(swept::contains));
        backlogs.values().removeIf(SweepPass::isThrough);
        return !before.containsAll(swept);
    }

    private void startPass(long now) {
        pass = SweepPass.through(swept, now);
        handled = names.get();
        nextPassNanos = now + rules.interval().toNanos();
        served.clear();
    }

    /** Until a lane of the pass has room, the pass waits with its first statement. */
    private boolean mayReadPass() {
        return youngerThan == null
                ? !pass.isThrough()
                : pass.queues().stream()
                        .anyMatch(queue -> roomIn(queue).values().stream().anyMatch(places -> places > 0));
    }

    /** Returns the names whose lanes in this queue belong to the pass, and the room of these lanes. */
    private Map<String, Integer> roomIn(String queue) {
        Map<String, Integer> room = capacity.roomIn(queue, handled);
        room.keySet().removeIf(name -> backlogs.containsKey(new LaneName(name, queue)));
        return room;
    }

    private boolean isToRead(LaneName lane) {
        return roomFor(lane) > 0 && !hasHadItsPage(lane);
    }

    private int roomFor(LaneName lane) {
        return capacity.roomFor(lane.name(), lane.queue());
    }

    private boolean hasHadItsPage(LaneName lane) {
        return served.contains(lane) && rules.enoughOf().test(lane.name(), lane.queue());
    }

    private void readPages(long now) {
        StoreException failure = null;
        if (now - nextPassPageNanos >= 0 && mayReadPass()) {
            failure = readPass();
        }
        if (now - nextBacklogPageNanos >= 0) {
            StoreException another = readBacklogs();
            failure = failure == null ? another : failure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable StoreException readPass() {
        Round round = new Round();
        round.add(pass, pass.read(this::leaveOutWhatIsEmpty, clock));
        if (round.failure == null) {
            queuesByNames().forEach((names, room) -> round.add(pass, pass.read(() -> readPage(names, room), clock)));
        }
        long work = round.workNanos();
        pass.addWork(work);
        nextPassNanos =
                pass.startedNanos() + Math.max(rules.interval().toNanos(), SweepPass.REST_PER_WORK * pass.workNanos());
        // The pass may have to skip millions of overdue rows of slow handlers.
        nextPassPageNanos = clock.nanoTime() + (backlogs.isEmpty() ? work : SweepPass.REST_PER_WORK * work);
        return round.failure;
    }

    /** Queues in which the same names have room share a statement. Queues without any room leave the pass. */
    private Map<Set<String>, Map<String, Collection<Integer>>> queuesByNames() {
        Map<Set<String>, Map<String, Collection<Integer>>> parts = new HashMap<>();
        for (String queue : pass.queues()) {
            Map<String, Integer> room = roomIn(queue);
            leaveOutFullLanes(queue, room);
            if (room.isEmpty()) {
                pass.retain(partition -> !partition.queue().equals(queue));
            } else {
                parts.computeIfAbsent(room.keySet(), names -> new HashMap<>()).put(queue, room.values());
            }
        }
        return parts;
    }

    private void leaveOutWhatIsEmpty() {
        Duration atMost = youngerThan;
        if (atMost == null) {
            return;
        }
        long started = clock.nanoTime();
        Outlook.View view = reads.outlook().youngerThan(atMost);
        youngerThan = null;
        Instant until = clock.storeTime().minus(rules.age());
        Set<String> overdue = swept.stream()
                .filter(partition -> !view.isEmpty(partition, until))
                .map(Partition::queue)
                .collect(Collectors.toSet());
        overdue.forEach(queue -> leaveOutFullLanes(queue, roomIn(queue)));
        pass.retain(partition -> !view.isEmpty(partition, until));
        if (pass.isThrough()) {
            reads.tell(rules.role(), 0, started);
        }
    }

    /**
     * The further rows of a full lane are read when the lane has room again. A lane can become full between two pages
     * although it has refused no row, because its handler is slower than expected.
     */
    private void leaveOutFullLanes(String queue, Map<String, Integer> room) {
        room.entrySet().removeIf(lane -> {
            boolean full = lane.getValue() <= 0;
            if (full) {
                backlogs.computeIfAbsent(new LaneName(lane.getKey(), queue), this::restOfPass);
            }
            return full;
        });
    }

    private SweepPass restOfPass(LaneName lane) {
        return pass.in(lane.queue());
    }

    /** A lane gets a pass of its own if it has no free place, has enough rows, or has nearly only rows with keys. */
    private void readPage(Set<String> roomy, Map<String, Collection<Integer>> roomOfQueues) {
        long asOf = clock.nanoTime();
        Collection<PartitionCursor> from = pass.cursorsIn(roomOfQueues.keySet());
        long places = roomOfQueues.values().stream()
                .flatMap(Collection::stream)
                .mapToLong(Integer::longValue)
                .sum();
        DuePage<DueRow> page = read(from, roomy, pageSize(from.size(), places));
        Map<LaneName, List<DueRow>> byLane = LaneName.group(page.rows());
        byLane.forEach((lane, rows) -> {
            if (!rules.due().offer(rows, asOf).isEmpty()) {
                backlogs.put(lane, restOfPass(lane));
            }
        });
        pass.advance(from, page, Set.of());
        served.addAll(byLane.keySet());
        byLane.forEach((lane, rows) -> {
            boolean ofKeys = isOfKeys(rows);
            if ((ofKeys || hasHadItsPage(lane)) && pass.queues().contains(lane.queue())) {
                follow(backlogs.computeIfAbsent(lane, this::restOfPass), rows, ofKeys);
            }
        });
    }

    private @Nullable StoreException readBacklogs() {
        long started = clock.nanoTime();
        Round round = new Round();
        for (Map.Entry<LaneName, SweepPass> entry : List.copyOf(backlogs.entrySet())) {
            LaneName lane = entry.getKey();
            SweepPass backlog = entry.getValue();
            if (backlog.restNanos(started) <= 0 && isToRead(lane)) {
                SweepPass way = backlog.isOld(started, rules.interval())
                        ? SweepPass.through(swept, started).in(lane.queue())
                        : backlog;
                // Another name of the same handler shares the lane, and gets the next room.
                backlogs.remove(lane);
                backlogs.put(lane, way);
                round.add(way, way.read(() -> readBacklog(lane, way), clock));
            }
        }
        nextBacklogPageNanos = clock.nanoTime() + round.workNanos();
        return round.failure;
    }

    private void readBacklog(LaneName lane, SweepPass backlog) {
        long asOf = clock.nanoTime();
        Collection<PartitionCursor> from = backlog.cursors();
        // Rows that wait for their keys need no free place.
        int rows = backlog.isOfKeys() ? Pages.lookedAt(1, from.size()) : pageSize(from.size(), roomFor(lane));
        DuePage<DueRow> page = read(from, Set.of(lane.name()), rows);
        served.add(lane);
        if (!page.rows().isEmpty()) {
            backlog.arrive();
        }
        Set<JobId> refused =
                rules.due().offer(page.rows(), asOf).stream().map(DueRow::id).collect(Collectors.toSet());
        backlog.advance(from, page, refused);
        follow(backlog, page.rows(), isOfKeys(page.rows()));
        if (backlog.isThrough()) {
            backlogs.remove(lane);
        } else if (!refused.isEmpty() && refused.size() == page.rows().size() && roomFor(lane) > 0) {
            // The same page would be refused again and again.
            backlog.restUntil(clock.nanoTime() + rules.interval().toNanos());
        }
    }

    /** If no row was kept, memory has enough rows of these keys, so the pause is longer. */
    private void follow(SweepPass backlog, List<DueRow> page, boolean ofKeys) {
        long now = clock.nanoTime();
        backlog.setOfKeys(ofKeys, now);
        if (ofKeys) {
            long interval = rules.interval().toNanos();
            backlog.restUntil(now + (capacity.keepsAny(page) ? interval / KEY_RESTS_PER_INTERVAL : interval));
        }
    }

    private boolean isOfKeys(List<DueRow> rows) {
        int others = 0;
        for (DueRow row : rows) {
            others += capacity.hasKey(row) ? 0 : 1;
            if (10 * others > rows.size()) {
                return false;
            }
        }
        return !rows.isEmpty();
    }

    private DuePage<DueRow> read(Collection<PartitionCursor> from, Set<String> roomy, int rows) {
        int lookAt = Pages.lookedAt(rows, from.size());
        long started = clock.nanoTime();
        DuePage<DueRow> page = reads.store().overdue(from, clock.storeTime().minus(rules.age()), roomy, rows, lookAt);
        reads.tell(rules.role(), page.rows().size(), started);
        return page;
    }

    /** A page has about as many rows as there are free places, so few rows are read in vain. */
    private int pageSize(int partitions, long room) {
        return (int) Math.min(Pages.perPartition(reads.batchSize(), partitions), room / partitions + 1);
    }

    /** Reads that the store is asked for one after the other. A read that fails does not prevent the next read. */
    private static final class Round {

        private @Nullable StoreException failure;
        private long readNanos;
        private long failedNanos;

        private void add(SweepPass pass, @Nullable StoreException failed) {
            if (failed == null) {
                readNanos += pass.latestWorkNanos();
            } else {
                failure = failure == null ? failed : failure;
                failedNanos = Math.max(failedNanos, pass.latestWorkNanos());
            }
        }

        /** The store may have worked during a failed read. But if several reads fail, it probably did not work at all. */
        private long workNanos() {
            return readNanos + failedNanos;
        }
    }
}
