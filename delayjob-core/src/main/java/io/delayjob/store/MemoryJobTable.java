package io.delayjob.store;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The unfinished jobs and their indexes: by id, by (name, key), waiting ones by (due time, id), running ones. Not thread-safe. */
final class MemoryJobTable {

    private static final Comparator<DueRow> BY_DUE_TIME =
            Comparator.comparingLong(DueRow::dueMillis).thenComparing(DueRow::id);

    private record NameAndKey(String name, String key) {}

    private final NavigableMap<JobId, Job> byId = new TreeMap<>();
    private final Map<NameAndKey, JobId> byKey = new HashMap<>();
    private final Map<Partition, NavigableSet<DueRow>> waiting = new HashMap<>();
    private final Map<Partition, NavigableSet<JobId>> running = new HashMap<>();

    @Nullable
    Job find(JobId id) {
        return byId.get(id);
    }

    /** The job of this name and key; {@code null} when there is none, or when {@code key} is {@code null}. */
    @Nullable
    Job find(String name, @Nullable String key) {
        JobId id = key == null ? null : byKey.get(new NameAndKey(name, key));
        return id == null ? null : byId.get(id);
    }

    /** Writes a row, in place of the one with the same id if there is one. */
    void save(Job job) {
        delete(job.id());
        byId.put(job.id(), job);
        if (job.key() != null) {
            byKey.put(new NameAndKey(job.name(), job.key()), job.id());
        }
        if (job.state() == JobState.RUNNING) {
            running.computeIfAbsent(job.partition(), p -> new TreeSet<>()).add(job.id());
        } else {
            waiting.computeIfAbsent(job.partition(), p -> new TreeSet<>(BY_DUE_TIME))
                    .add(job.toDueRow());
        }
    }

    void delete(JobId id) {
        Job job = byId.remove(id);
        if (job == null) {
            return;
        }
        if (job.key() != null) {
            byKey.remove(new NameAndKey(job.name(), job.key()));
        }
        if (job.state() == JobState.RUNNING) {
            removeFrom(running, job.partition(), id);
        } else {
            removeFrom(waiting, job.partition(), job.toDueRow());
        }
    }

    private static <T> void removeFrom(Map<Partition, NavigableSet<T>> index, Partition partition, T entry) {
        index.computeIfPresent(partition, (p, entries) -> {
            entries.remove(entry);
            return entries.isEmpty() ? null : entries;
        });
    }

    Set<Partition> partitions() {
        Set<Partition> partitions = new HashSet<>(waiting.keySet());
        partitions.addAll(running.keySet());
        return partitions;
    }

    List<DueRow> dueAfter(PartitionCursor cursor, long untilMillis, Predicate<DueRow> wanted, int limit) {
        NavigableSet<DueRow> rows = waiting.get(cursor.partition());
        if (rows == null) {
            return List.of();
        }
        DueRow place = new DueRow(cursor.id(), cursor.partition(), "", cursor.dueMillis(), 0);
        return rows.tailSet(place, false).stream()
                .takeWhile(row -> row.dueMillis() <= untilMillis)
                .filter(wanted)
                .limit(limit)
                .toList();
    }

    /** Running rows, a copy: the caller is about to change them. */
    List<Job> running(Collection<Partition> partitions, Predicate<Job> wanted, int limit) {
        return partitions.stream()
                .flatMap(partition -> running.getOrDefault(partition, new TreeSet<>()).stream())
                .map(byId::get)
                .filter(wanted)
                .limit(limit)
                .toList();
    }

    Stream<Job> after(@Nullable JobId cursor) {
        return (cursor == null ? byId : byId.tailMap(cursor, false)).values().stream();
    }
}
