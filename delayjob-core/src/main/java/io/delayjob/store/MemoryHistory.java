package io.delayjob.store;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ended jobs, and the attempt log of all jobs. Not thread-safe. */
final class MemoryHistory {

    /** A job that repeats for years must not fill the memory with its attempts: older ones are dropped. */
    static final int MAX_ATTEMPTS_PER_JOB = 100;

    private static final Comparator<Job> BY_END =
            Comparator.comparing(MemoryHistory::endOf).thenComparing(Job::id);

    private final NavigableMap<JobId, Job> byId = new TreeMap<>();
    private final Map<JobState, NavigableSet<Job>> byState = new EnumMap<>(JobState.class);
    private final Map<JobId, Deque<AttemptRecord>> attempts = new HashMap<>();

    @Nullable
    Job find(JobId id) {
        return byId.get(id);
    }

    /** Of the jobs with this name and key the one with the highest id. */
    @Nullable
    Job newest(String name, String key) {
        return byId.descendingMap().values().stream()
                .filter(job -> name.equals(job.name()) && key.equals(job.key()))
                .findFirst()
                .orElse(null);
    }

    /** Writes a row, in place of the one with the same id if there is one. */
    void save(Job job) {
        delete(job.id());
        byId.put(job.id(), job);
        byState.computeIfAbsent(job.state(), s -> new TreeSet<>(BY_END)).add(job);
    }

    /** Deletes the row; the attempt log stays. */
    void delete(JobId id) {
        Job job = byId.remove(id);
        if (job != null) {
            rows(job.state()).remove(job);
        }
    }

    int purge(JobState state, Instant before, int limit) {
        int purged = 0;
        Iterator<Job> oldestFirst = rows(state).iterator();
        while (purged < limit && oldestFirst.hasNext()) {
            Job job = oldestFirst.next();
            if (!endOf(job).isBefore(before)) {
                break;
            }
            if (state == JobState.CANCELLED && Job.DECLARED_KEY.equals(job.key())) {
                continue;
            }
            oldestFirst.remove();
            byId.remove(job.id());
            forgetAttempts(job.id());
            purged++;
        }
        return purged;
    }

    long count(JobState state) {
        return rows(state).size();
    }

    Stream<Job> after(@Nullable JobId cursor) {
        return (cursor == null ? byId : byId.tailMap(cursor, false)).values().stream();
    }

    void log(List<AttemptRecord> lines) {
        for (AttemptRecord line : lines) {
            Deque<AttemptRecord> newestFirst = attempts.computeIfAbsent(line.job(), j -> new ArrayDeque<>());
            newestFirst.addFirst(line);
            if (newestFirst.size() > MAX_ATTEMPTS_PER_JOB) {
                newestFirst.removeLast();
            }
        }
    }

    List<AttemptRecord> attempts(JobId id, int limit) {
        return attempts.getOrDefault(id, new ArrayDeque<>()).stream()
                .limit(limit)
                .toList();
    }

    void forgetAttempts(JobId id) {
        attempts.remove(id);
    }

    private NavigableSet<Job> rows(JobState state) {
        return byState.getOrDefault(state, new TreeSet<>(BY_END));
    }

    private static Instant endOf(Job job) {
        return Objects.requireNonNull(job.endedAt());
    }
}
