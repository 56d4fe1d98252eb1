package io.delayjob.memory;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCursor;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Contains the ended jobs, and the attempt log of all jobs. Not thread-safe. */
final class MemoryHistory {

    /**
     * Maximum number of jobs of each state; these jobs need about 30 MB. So finished jobs never displace a failed job.
     */
    static final int MAX_JOBS_PER_STATE = 100_000;

    /** Limits the memory of a job that repeats for years. */
    static final int MAX_ATTEMPTS_PER_JOB = 100;

    static final Comparator<JobCursor> BY_TIME =
            Comparator.comparing(MemoryHistory::timeOf).thenComparing(JobCursor::id);

    private static final JobId FIRST_ID = new JobId(new UUID(0, 0));

    private static final Logger log = LoggerFactory.getLogger(MemoryHistory.class);

    private final NavigableMap<JobId, Job> byId = new TreeMap<>();
    private final Map<NameAndKey, NavigableMap<JobId, Job>> byKey = new HashMap<>();
    private final Map<JobState, NavigableMap<JobCursor, Job>> byState = new EnumMap<>(JobState.class);
    private final Map<JobId, Deque<AttemptRecord>> attempts = new HashMap<>();
    private boolean warned;

    @Nullable
    Job find(JobId id) {
        return byId.get(id);
    }

    @Nullable
    Job newest(String name, String key) {
        Map.Entry<JobId, Job> newest = ofKey(name, key).lastEntry();
        return newest == null ? null : newest.getValue();
    }

    void save(Job job) {
        delete(job.id());
        byId.put(job.id(), job);
        if (job.key() != null) {
            byKey.computeIfAbsent(new NameAndKey(job.name(), job.key()), k -> new TreeMap<>())
                    .put(job.id(), job);
        }
        NavigableMap<JobCursor, Job> rows = byState.computeIfAbsent(job.state(), s -> new TreeMap<>(BY_TIME));
        rows.put(placeOf(job), job);
        if (rows.size() > MAX_JOBS_PER_STATE) {
            rows.values().stream()
                    .filter(MemoryHistory::mayBeForgotten)
                    .findFirst()
                    .ifPresent(this::displace);
        }
    }

    private void displace(Job oldest) {
        forget(oldest);
        if (oldest.state() == JobState.FAILED && !warned) {
            warned = true;
            log.warn(
                    "The memory store keeps at most {} failed jobs, so it has removed the oldest failed job "
                            + "{} ('{}'). To keep all failed jobs, use delayjob.store=jdbc. delayjob logs this "
                            + "message only once.",
                    MAX_JOBS_PER_STATE,
                    oldest.id(),
                    oldest.name());
        }
    }

    /** The attempt log of the job stays. */
    void delete(JobId id) {
        Job job = byId.remove(id);
        if (job == null) {
            return;
        }
        rows(job.state()).remove(placeOf(job));
        if (job.key() != null) {
            byKey.computeIfPresent(new NameAndKey(job.name(), job.key()), (key, jobs) -> {
                jobs.remove(id);
                return jobs.isEmpty() ? null : jobs;
            });
        }
    }

    private void forget(Job job) {
        delete(job.id());
        forgetAttempts(job.id());
    }

    /**
     * A cancelled self-starting job must stay. Otherwise, the next start of an instance would schedule the job again.
     */
    private static boolean mayBeForgotten(Job job) {
        return job.state() != JobState.CANCELLED || !Job.DECLARED_KEY.equals(job.key());
    }

    int purge(JobState state, Instant before, int limit) {
        return forget(rows(state).values().stream()
                .takeWhile(job -> timeOf(placeOf(job)).isBefore(before))
                .filter(job -> mayBeForgotten(job) && job.keptUntil() == null)
                .limit(limit)
                .toList());
    }

    int purgeKept(Instant now, int limit) {
        return forget(rows(JobState.FINISHED).values().stream()
                .filter(job -> isOver(job, now))
                .limit(limit)
                .toList());
    }

    private static boolean isOver(Job finished, Instant now) {
        Instant keptUntil = finished.keptUntil();
        return keptUntil != null && keptUntil.isBefore(now);
    }

    private int forget(List<Job> jobs) {
        jobs.forEach(this::forget);
        return jobs.size();
    }

    long count(JobState state) {
        return rows(state).size();
    }

    Iterator<Job> after(@Nullable JobId cursor, boolean isReversed) {
        return after(byId, cursor, isReversed);
    }

    Iterator<Job> after(@Nullable JobId cursor, String name, String key, boolean isReversed) {
        return after(ofKey(name, key), cursor, isReversed);
    }

    private static <P> Iterator<Job> after(NavigableMap<P, Job> jobs, @Nullable P cursor, boolean isReversed) {
        NavigableMap<P, Job> ordered = isReversed ? jobs.descendingMap() : jobs;
        return (cursor == null ? ordered : ordered.tailMap(cursor, false))
                .values()
                .iterator();
    }

    /** The time span includes its first and its last millisecond. */
    Iterator<Job> ended(
            JobState state, long fromMillis, long untilMillis, @Nullable JobCursor cursor, boolean isReversed) {
        NavigableMap<JobCursor, Job> ordered = isReversed ? rows(state).descendingMap() : rows(state);
        JobCursor start = cursor;
        if (start == null && isReversed && untilMillis < Long.MAX_VALUE) {
            start = new JobCursor(Instant.ofEpochMilli(untilMillis + 1), FIRST_ID);
        } else if (start == null && !isReversed && fromMillis > Long.MIN_VALUE) {
            start = new JobCursor(Instant.ofEpochMilli(fromMillis), FIRST_ID);
        }
        return (start == null ? ordered : ordered.tailMap(start, false))
                .values().stream()
                        .takeWhile(job -> isReversed ? endMillis(job) >= fromMillis : endMillis(job) <= untilMillis)
                        .iterator();
    }

    private static long endMillis(Job job) {
        return timeOf(placeOf(job)).toEpochMilli();
    }

    private NavigableMap<JobId, Job> ofKey(String name, String key) {
        return byKey.getOrDefault(new NameAndKey(name, key), new TreeMap<>());
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

    private NavigableMap<JobCursor, Job> rows(JobState state) {
        return byState.getOrDefault(state, new TreeMap<>(BY_TIME));
    }

    private static JobCursor placeOf(Job job) {
        return new JobCursor(job.endedAt(), job.id());
    }

    private static Instant timeOf(JobCursor place) {
        return Objects.requireNonNull(place.time());
    }
}
