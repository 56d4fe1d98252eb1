package io.delayjob.redis;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobFilter;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds jobs for display. Each step reads a limited number of entries and rows, always along an index. Thread-safe. */
final class RedisQueries {

    private static final int MAX_STEP = 500;

    /**
     * Maximum number of running, ready or awaiting jobs that a query reads all together. The query reads these jobs by
     * time, although it returns them in the order of their ids.
     */
    private static final int FEW = 1_000;

    private final RedisLink link;
    private final Keyspace keys;
    private final RowReader reader;
    private final SortedEntries entries;

    RedisQueries(RedisLink link, Keyspace keys, RowReader reader, SortedEntries entries) {
        this.link = link;
        this.keys = keys;
        this.reader = reader;
        this.entries = entries;
    }

    /** Returns the unfinished job, if there is one. Otherwise, returns the ended job with the highest id. */
    @Nullable
    Job find(String name, String key) {
        String field = Keyspace.field(name, key);
        int slot = keys.slotOf(name, key);
        JobId holder = reader.holders(Map.of(field, slot)).get(field);
        JobId before = null;
        for (int tries = 0; holder != null && !holder.equals(before) && tries < JudgedChanges.MAX_TRIES; tries++) {
            Job unfinished = reader.find(holder);
            if (unfinished != null && field.equals(Keyspace.field(unfinished))) {
                return unfinished;
            }
            // The key may have gone to another job since it was looked up.
            before = holder;
            holder = reader.holders(Map.of(field, slot)).get(field);
        }
        List<SortedEntries.Entry> newest = Walk.byKey(link, keys.endedKeys(slot), field, null, Walk.Direction.DOWN)
                .behind(null, 1);
        return newest.isEmpty() ? null : reader.find(newest.get(0).id());
    }

    List<AttemptRecord> attempts(JobId id, int limit) {
        return link.ask("reading attempts", redis -> redis.lrange(keys.attempts(id), 0, limit - 1)).stream()
                .map(line -> AttemptFormat.attempt(id, line))
                .toList();
    }

    JobPage find(JobQuery query, Instant now) {
        Walk walk = walk(query, now);
        JobCursor after = query.after();
        SortedEntries.Entry position = after == null ? null : entry(after);
        int step = Math.min(MAX_STEP, query.limit() + 1);
        List<Job> page = new ArrayList<>();
        int looked = 0;
        while (true) {
            int count = Math.min(step, query.look() - looked);
            List<SortedEntries.Entry> found = walk.behind(position, count + 1);
            List<SortedEntries.Entry> looking = found.subList(0, Math.min(count, found.size()));
            Map<JobId, Job> jobs = reader.readable(
                    looking.stream().map(SortedEntries.Entry::id).toList());
            for (SortedEntries.Entry entry : looking) {
                looked++;
                position = entry;
                Job job = jobs.get(entry.id());
                if (job != null && isAt(query, entry, job) && query.filter().matches(job, now)) {
                    if (page.size() == query.limit()) {
                        return new JobPage(page, query.behind(page.get(page.size() - 1)), looked);
                    }
                    page.add(job);
                }
            }
            if (found.size() <= count) {
                return new JobPage(page, null, looked);
            }
            if (looked == query.look()) {
                return new JobPage(page, cursor(query, Objects.requireNonNull(position)), looked);
            }
            step = MAX_STEP;
        }
    }

    private static SortedEntries.Entry entry(JobCursor cursor) {
        Instant time = cursor.time();
        return new SortedEntries.Entry(time == null ? 0 : time.toEpochMilli(), cursor.id());
    }

    private static JobCursor cursor(JobQuery query, SortedEntries.Entry entry) {
        return new JobCursor(query.inOrderOfTimes() ? Instant.ofEpochMilli(entry.score()) : null, entry.id());
    }

    /** The job may have changed since its entry was read. So the job and the entry may have different times. */
    private static boolean isAt(JobQuery query, SortedEntries.Entry entry, Job job) {
        if (!query.inOrderOfTimes()) {
            return true;
        }
        boolean byDueTime = query.order() == JobOrder.DUE;
        Instant time = byDueTime && !job.state().isEnded() ? job.dueAt() : job.endedAt();
        return time != null && time.toEpochMilli() == entry.score();
    }

    private Walk walk(JobQuery query, Instant now) {
        JobFilter filter = query.filter();
        Walk.Direction direction = query.order().isReversed() ? Walk.Direction.DOWN : Walk.Direction.UP;
        if (filter.name() != null && filter.key() != null) {
            return ofOneKey(query, filter.name(), filter.key(), direction);
        }
        if (query.order() == JobOrder.DUE) {
            return Walk.byTime(entries, unfinished(filter), filter.fromMillis(now), filter.untilMillis(now), direction);
        }
        if (query.inOrderOfTimes()) {
            return Walk.byTime(
                    entries, ended(filter.state()), filter.fromMillis(now), filter.untilMillis(now), direction);
        }
        Walk ofFew = ofFew(query, now, direction);
        return ofFew == null ? byId(query, direction) : ofFew;
    }

    private Walk ofOneKey(JobQuery query, String name, String key, Walk.Direction direction) {
        String field = Keyspace.field(name, key);
        int slot = keys.slotOf(name, key);
        JobId unfinished =
                query.mayFindUnfinished() ? reader.holders(Map.of(field, slot)).get(field) : null;
        if (query.mayFindEnded()) {
            return Walk.byKey(link, keys.endedKeys(slot), field, unfinished, direction);
        }
        return Walk.through(
                unfinished == null ? List.of() : List.of(new SortedEntries.Entry(0, unfinished)), direction);
    }

    private List<Walk.Index> unfinished(JobFilter filter) {
        JobState state = filter.state();
        List<Walk.Index> sets = new ArrayList<>();
        if (state == JobState.AWAITING) {
            for (int slot = 0; slot < keys.slots(); slot++) {
                sets.add(new Walk.Index(slot, keys.awaiting(slot)));
            }
            return sets;
        }
        entries.partitions().forEach((slot, partitions) -> {
            for (Partition partition : partitions) {
                if (filter.queue() == null || filter.queue().equals(partition.queue())) {
                    if (state != JobState.RUNNING) {
                        sets.add(new Walk.Index(slot, keys.due(slot, partition)));
                    }
                    if (state == null || state == JobState.RUNNING) {
                        sets.add(new Walk.Index(slot, keys.running(slot, partition)));
                    }
                }
            }
        });
        return sets;
    }

    private List<Walk.Index> ended(@Nullable JobState state) {
        List<Walk.Index> sets = new ArrayList<>();
        for (int slot = 0; slot < keys.slots(); slot++) {
            for (JobState each : JobState.values()) {
                if (each.isEnded() && (state == null || state == each)) {
                    for (String key : keys.allEnded(slot, each)) {
                        sets.add(new Walk.Index(slot, key));
                    }
                }
            }
        }
        return sets;
    }

    /** Returns {@code null} if the state may have many jobs. */
    private @Nullable Walk ofFew(JobQuery query, Instant now, Walk.Direction direction) {
        JobState state = query.state();
        Set<JobState> often = EnumSet.of(JobState.RUNNING, JobState.READY, JobState.AWAITING);
        if (state == null || !often.contains(state)) {
            return null;
        }
        JobFilter filter = query.filter();
        int most = Math.min(FEW, query.look());
        List<SortedEntries.Entry> found = Walk.byTime(
                        entries, unfinished(filter), filter.fromMillis(now), filter.untilMillis(now), Walk.Direction.UP)
                .behind(null, most + 1);
        return found.size() > most
                ? null
                : Walk.through(
                        found.stream()
                                .map(entry -> new SortedEntries.Entry(0, entry.id()))
                                .toList(),
                        direction);
    }

    private Walk byId(JobQuery query, Walk.Direction direction) {
        List<String> sets = new ArrayList<>();
        for (int slot = 0; slot < keys.slots(); slot++) {
            if (query.mayFindUnfinished()) {
                sets.add(keys.unfinishedIds(slot));
            }
            if (query.mayFindEnded()) {
                sets.add(keys.endedIds(slot));
            }
        }
        return Walk.byId(link, sets, direction);
    }
}
