package io.delayjob.memory;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Contains the unfinished jobs and their indexes. Not thread-safe. */
final class MemoryJobTable {

    private static final Comparator<DueRow> BY_DUE_TIME =
            Comparator.comparingLong(DueRow::dueMillis).thenComparing(DueRow::id);

    private final NavigableMap<JobId, Job> byId = new TreeMap<>();
    private final Map<NameAndKey, JobId> byKey = new HashMap<>();
    private final Map<Partition, NavigableMap<DueRow, Job>> waiting = new HashMap<>();
    private final Map<Partition, NavigableMap<DueRow, Job>> running = new HashMap<>();
    private final Set<JobId> awaiting = new HashSet<>();

    @Nullable
    Job find(JobId id) {
        return byId.get(id);
    }

    @Nullable
    Job find(String name, @Nullable String key) {
        JobId id = key == null ? null : byKey.get(new NameAndKey(name, key));
        return id == null ? null : byId.get(id);
    }

    void save(Job job) {
        delete(job.id());
        byId.put(job.id(), job);
        if (job.key() != null) {
            byKey.put(new NameAndKey(job.name(), job.key()), job.id());
        }
        if (job.awaitedUntil() != null) {
            awaiting.add(job.id());
        }
        rowsLike(job)
                .computeIfAbsent(job.partition(), p -> new TreeMap<>(BY_DUE_TIME))
                .put(job.toDueRow(), job);
    }

    void delete(JobId id) {
        Job job = byId.remove(id);
        if (job == null) {
            return;
        }
        awaiting.remove(id);
        if (job.key() != null) {
            byKey.remove(new NameAndKey(job.name(), job.key()));
        }
        rowsLike(job).computeIfPresent(job.partition(), (partition, rows) -> {
            rows.remove(job.toDueRow());
            return rows.isEmpty() ? null : rows;
        });
    }

    private Map<Partition, NavigableMap<DueRow, Job>> rowsLike(Job job) {
        return job.state() == JobState.RUNNING ? running : waiting;
    }

    Map<Partition, Instant> earliest() {
        Map<Partition, Instant> earliest = new HashMap<>();
        for (Map<Partition, NavigableMap<DueRow, Job>> index : List.of(waiting, running)) {
            index.forEach((partition, rows) -> earliest.merge(
                    partition, Instant.ofEpochMilli(rows.firstKey().dueMillis()), (a, b) -> a.isBefore(b) ? a : b));
        }
        return earliest;
    }

    Iterator<DueRow> waitingAfter(PartitionCursor cursor, long untilMillis) {
        return dueAfter(waiting, cursor, untilMillis).keySet().iterator();
    }

    Iterator<Map.Entry<DueRow, Job>> unfinishedAfter(PartitionCursor cursor, long untilMillis) {
        return new Merged<>(
                List.of(
                        dueAfter(waiting, cursor, untilMillis).entrySet().iterator(),
                        dueAfter(running, cursor, untilMillis).entrySet().iterator()),
                Map.Entry.comparingByKey(BY_DUE_TIME));
    }

    /** Returns a view. Iterate over the view, because a stream would first count all rows. */
    private static NavigableMap<DueRow, Job> dueAfter(
            Map<Partition, NavigableMap<DueRow, Job>> index, PartitionCursor cursor, long untilMillis) {
        NavigableMap<DueRow, Job> rows = index.get(cursor.partition());
        if (rows == null || untilMillis < cursor.dueMillis()) {
            return Collections.emptyNavigableMap();
        }
        PartitionCursor end = PartitionCursor.behind(cursor.partition(), untilMillis);
        return rows.subMap(placeOf(cursor), false, placeOf(end), true);
    }

    private static DueRow placeOf(PartitionCursor cursor) {
        return new DueRow(cursor.id(), cursor.partition(), "", cursor.dueMillis(), 0, null);
    }

    Iterator<Job> after(@Nullable JobId cursor, boolean isReversed) {
        NavigableMap<JobId, Job> ordered = isReversed ? byId.descendingMap() : byId;
        return (cursor == null ? ordered : ordered.tailMap(cursor, false))
                .values()
                .iterator();
    }

    /**
     * @param after if jobs are due at exactly {@code fromMillis}, only those with a greater id than {@code after} are
     *     returned; {@code null} for all ids
     */
    List<Iterator<Job>> dueFrom(long fromMillis, @Nullable JobId after, long untilMillis) {
        List<Iterator<Job>> jobs = new ArrayList<>();
        for (Map<Partition, NavigableMap<DueRow, Job>> index : List.of(waiting, running)) {
            for (Partition partition : index.keySet()) {
                JobId id =
                        after != null ? after : PartitionCursor.start(partition).id();
                PartitionCursor cursor = new PartitionCursor(partition, fromMillis, id);
                jobs.add(dueAfter(index, cursor, untilMillis).values().iterator());
            }
        }
        return jobs;
    }

    long countRunning() {
        return count(running);
    }

    boolean isAwaiting(JobId id) {
        return awaiting.contains(id);
    }

    long countAwaiting() {
        return awaiting.size();
    }

    long countWaiting() {
        return count(waiting);
    }

    private static long count(Map<Partition, NavigableMap<DueRow, Job>> index) {
        return index.values().stream().mapToLong(Map::size).sum();
    }

    Stream<DueRow> due(long untilMillis) {
        return waiting.values().stream()
                .flatMap(rows -> rows.keySet().stream().takeWhile(row -> row.dueMillis() <= untilMillis));
    }
}
