package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an index, which refers to a job.
 *
 * @param kind the type of the key
 * @param key the key of the index
 * @param member the member of a set, or the field of a hash
 * @param value the score of a sorted set, or the value of a hash
 */
record IndexEntry(Kind kind, String key, String member, String value) {

    /** The types of indexes. */
    enum Kind {
        SORTED,
        HASH,
        /** A sorted set of runs of ids. The script divides runs and joins them. */
        RUNS,
        /** The set of partitions that were ever used; nothing is removed from it. */
        SET
    }

    private static final String SAME_SCORE = "0";

    /** Returns all entries of a job. */
    static List<IndexEntry> of(Job job, Keyspace keys) {
        int slot = keys.slotOf(job.id());
        String id = Keyspace.member(job.id());
        String field = Keyspace.field(job);
        List<IndexEntry> entries = new ArrayList<>();
        if (job.state().isEnded()) {
            entries.add(sorted(keys.ended(job), id, Objects.requireNonNull(job.endedAt())));
            entries.add(new IndexEntry(Kind.SORTED, keys.endedIds(slot), id, SAME_SCORE));
            Instant keptUntil = job.keptUntil();
            if (keptUntil != null) {
                entries.add(sorted(keys.keptUntil(slot), id, keptUntil));
            }
            if (field != null) {
                entries.add(new IndexEntry(Kind.SORTED, keys.endedKeys(slot), field + id, SAME_SCORE));
            }
            return entries;
        }
        String index =
                job.state() == JobState.RUNNING ? keys.running(slot, job.partition()) : keys.due(slot, job.partition());
        entries.add(sorted(index, id, job.dueAt()));
        entries.add(new IndexEntry(Kind.RUNS, keys.unfinishedIds(slot), id, ""));
        entries.add(new IndexEntry(Kind.SET, keys.partitions(slot), Keyspace.member(job.partition()), ""));
        Instant deadline = job.awaitedUntil();
        if (deadline != null) {
            entries.add(sorted(keys.awaiting(slot), id, deadline));
        }
        if (field != null) {
            entries.add(new IndexEntry(Kind.HASH, keys.keys(slot), field, id));
        }
        return entries;
    }

    private static IndexEntry sorted(String key, String member, Instant time) {
        return new IndexEntry(Kind.SORTED, key, member, Long.toString(time.toEpochMilli()));
    }

    /** Adds the commands that replace the entries before a change by the entries after it. */
    static void addCommands(RowChange change, Keyspace keys, RowBatch batch) {
        List<IndexEntry> before = entries(change.before(), keys);
        List<IndexEntry> after = entries(change.after(), keys);
        for (IndexEntry entry : before) {
            if (after.stream().noneMatch(entry::isSamePlace)) {
                entry.removeFrom(batch);
            }
        }
        for (IndexEntry entry : after) {
            if (!before.contains(entry)) {
                entry.addTo(batch);
            }
        }
    }

    /** Adds the commands that write all entries of a job, whether it has them or not. */
    static void addAll(Job job, Keyspace keys, RowBatch batch) {
        of(job, keys).forEach(entry -> entry.addTo(batch));
    }

    private static List<IndexEntry> entries(@Nullable Job job, Keyspace keys) {
        return job == null ? List.of() : of(job, keys);
    }

    private boolean isSamePlace(IndexEntry other) {
        return key.equals(other.key) && member.equals(other.member);
    }

    private void removeFrom(RowBatch batch) {
        switch (kind) {
            case SORTED -> batch.remove("ZREM", key, member);
            case HASH -> batch.remove("HDEL", key, member);
            case RUNS -> batch.leave(key, member);
            case SET -> {
                // A partition that was used once stays in the set.
            }
        }
    }

    private void addTo(RowBatch batch) {
        switch (kind) {
            case SORTED -> batch.add("ZADD", key, value, member);
            case HASH -> batch.add("HSET", key, member, value);
            case RUNS -> batch.join(key, member);
            case SET -> batch.addOnce("SADD", key, member);
        }
    }
}
