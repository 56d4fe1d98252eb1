package io.delayjob.preload;

import io.delayjob.event.JobListeners;
import io.delayjob.job.Capacity;
import io.delayjob.job.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds every waiting row that is overdue, by state and time alone: whatever the leases, the cursors and the memory of
 * anybody held, what was committed and has come due comes by here. <em>The sweep gives liveness.</em>
 *
 * <p>Its cursor wraps, so a backlog of rows that cannot start here is passed by and not read over and over; names that
 * have no handler here, or no room, are left out by the store. Two sweeps run in an engine: one over the partitions led
 * here, one that adopts what has been overdue for so long in the others that their leader evidently cannot.
 *
 * <p>One agent thread; wake-ups that room for a backlog has come arrive through the agent's handle.
 */
public final class Sweeper implements Agent {

    /** A sweep that has to pass millions of rows must not become the load that it clears up. */
    private static final int REST_PER_WORK = 5;

    private static final Comparator<DueRow> OLDEST_FIRST = Comparator.comparingLong(DueRow::dueMillis);

    private final String role;
    private final JobStore store;
    private final Supplier<List<Partition>> partitions;
    private final Supplier<Set<String>> names;
    private final Capacity capacity;
    private final DueIntake due;
    private final EngineClock clock;
    private final JobListeners listeners;
    private final Duration interval;
    private final Duration age;
    private final int batchSize;

    private final Map<Partition, PartitionCursor> cursors = new HashMap<>();
    private boolean backlog;
    private long nextNanos;

    /**
     * @param partitions where to look
     * @param names the names that have a handler here
     * @param age how long a row must be overdue
     */
    public Sweeper(
            String role,
            JobStore store,
            Supplier<List<Partition>> partitions,
            Supplier<Set<String>> names,
            Capacity capacity,
            DueIntake due,
            EngineClock clock,
            JobListeners listeners,
            Duration interval,
            Duration age,
            int batchSize) {
        this.role = role;
        this.store = store;
        this.partitions = partitions;
        this.names = names;
        this.capacity = capacity;
        this.due = due;
        this.clock = clock;
        this.listeners = listeners;
        this.interval = interval;
        this.age = age;
        this.batchSize = batchSize;
        this.nextNanos = clock.nanoTime();
    }

    @Override
    public String roleName() {
        return role;
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        boolean newGround = followPartitions();
        boolean roomForBacklog = backlog && names.get().stream().anyMatch(name -> capacity.roomFor(name) > 0);
        if (!roomForBacklog && !newGround && now - nextNanos < 0) {
            return nextNanos - now;
        }
        sweep();
        return Math.max(nextNanos - clock.nanoTime(), 0);
    }

    private boolean followPartitions() {
        List<Partition> present = partitions.get();
        cursors.keySet().retainAll(present);
        int before = cursors.size();
        present.forEach(partition -> cursors.computeIfAbsent(partition, PartitionCursor::start));
        return cursors.size() > before;
    }

    private void sweep() {
        Set<String> roomy =
                names.get().stream().filter(name -> capacity.roomFor(name) > 0).collect(Collectors.toSet());
        if (cursors.isEmpty() || roomy.isEmpty()) {
            // Without room there may well be a backlog; it is looked for again when room is announced.
            backlog = !cursors.isEmpty();
            nextNanos = clock.nanoTime() + interval.toNanos();
            return;
        }
        long started = clock.nanoTime();
        int limit = pageSize(roomy);
        List<DueRow> rows = store.overdue(cursors.values(), clock.storeTime().minus(age), roomy, limit);
        Set<JobId> refused = due.offer(rows.stream().sorted(OLDEST_FIRST).toList()).stream()
                .map(DueRow::id)
                .collect(Collectors.toSet());
        backlog = !refused.isEmpty();
        Map<Partition, List<DueRow>> pages = rows.stream().collect(Collectors.groupingBy(DueRow::partition));
        cursors.replaceAll(
                (partition, cursor) -> advance(cursor, pages.getOrDefault(partition, List.of()), limit, refused));
        long took = clock.nanoTime() - started;
        nextNanos = started + Math.max(interval.toNanos(), REST_PER_WORK * took);
        listeners.tell(l -> l.preloaded(role, rows.size(), Duration.ofNanos(took)));
    }

    /** About as many rows as there is room for, so that few are read in vain. */
    private int pageSize(Set<String> roomy) {
        long room = roomy.stream().mapToLong(capacity::roomFor).sum();
        return (int) Math.min(batchSize, room / cursors.size() + 1);
    }

    /** Stays before the first row that found no room, goes on behind a full page, and wraps after the last. */
    private PartitionCursor advance(PartitionCursor cursor, List<DueRow> page, int limit, Set<JobId> refused) {
        PartitionCursor next = cursor;
        for (DueRow row : page) {
            if (refused.contains(row.id())) {
                return next;
            }
            next = PartitionCursor.at(row);
        }
        if (page.size() < limit) {
            return PartitionCursor.start(cursor.partition());
        }
        backlog = true;
        return next;
    }
}
