package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an index, which refers to a job.
 *
 * @param kind the type of the index, which decides the form of its members
 * @param key the key of the index
 * @param text the name and key of the job, or its partition; empty if the index contains only ids
 * @param score the score of a sorted set; 0 for another type
 */
record IndexEntry(Kind kind, String key, String text, long score) {

    /** The types of indexes. */
    enum Kind {
        /** A sorted set. Each member is the text, followed by the id. */
        SORTED,
        /** A hash. Each text is a field of the hash, and the id is the value of this field. */
        HASH,
        /** A set of ids. */
        IDS,
        /**
         * A sorted set of runs. Each run is a list of ids. The script divides and joins runs.
         */
        RUNS,
        /** The set of all partitions that were ever used. No partition is removed from this set. */
        PARTITIONS
    }

    private static final long SAME_SCORE = 0;

    static List<IndexEntry> of(Job job, SlotIndexes indexes) {
        List<IndexEntry> entries = new ArrayList<>();
        if (!RowLimits.isShort(job)) {
            entries.add(longRow(indexes));
        }
        Keyspace keys = indexes.keys();
        int slot = indexes.slot();
        String field = Keyspace.field(job);
        if (job.state().isEnded()) {
            entries.add(sorted(keys.ended(job), Objects.requireNonNull(job.endedAt())));
            entries.add(new IndexEntry(Kind.SORTED, indexes.endedIds, "", SAME_SCORE));
            Instant keptUntil = job.keptUntil();
            if (keptUntil != null) {
                entries.add(sorted(keys.keptUntil(slot), keptUntil));
            }
            if (field != null) {
                entries.add(new IndexEntry(Kind.SORTED, keys.endedKeys(slot), field, SAME_SCORE));
            }
            return entries;
        }
        SlotIndexes.OfPartition partition = indexes.of(job.partition());
        entries.add(sorted(job.state() == JobState.RUNNING ? partition.running() : partition.waiting(), job.dueAt()));
        entries.add(new IndexEntry(Kind.RUNS, indexes.unfinishedIds, "", SAME_SCORE));
        entries.add(new IndexEntry(Kind.PARTITIONS, indexes.usedPartitions, partition.member(), SAME_SCORE));
        Instant deadline = job.awaitedUntil();
        if (deadline != null) {
            entries.add(sorted(keys.awaiting(slot), deadline));
        }
        if (field != null) {
            entries.add(new IndexEntry(Kind.HASH, keys.keys(slot), field, SAME_SCORE));
        }
        return entries;
    }

    private static IndexEntry longRow(SlotIndexes indexes) {
        return new IndexEntry(Kind.IDS, indexes.longRows, "", SAME_SCORE);
    }

    private static IndexEntry sorted(String key, Instant time) {
        return new IndexEntry(Kind.SORTED, key, "", time.toEpochMilli());
    }

    static void addCommands(RowChange change, RowBatch batch) {
        List<IndexEntry> before = entriesBefore(change.before(), batch.indexes());
        List<IndexEntry> after = entries(change.after(), batch.indexes());
        for (IndexEntry entry : before) {
            if (!entry.hasPlaceIn(after)) {
                entry.removeFrom(batch, change.id());
            }
        }
        for (IndexEntry entry : after) {
            // An id is added to a set even if the entry seems to exist. The result and the log of a running job are in
            // the job but not yet in its row, so this change may be the one that makes the row long.
            if (entry.kind == Kind.IDS || !before.contains(entry)) {
                entry.addTo(batch, change.id());
            }
        }
    }

    /** Adds the commands that write all entries of a job, even the entries that the job already has. */
    static void addAll(Job job, RowBatch batch) {
        of(job, batch.indexes()).forEach(entry -> entry.addTo(batch, job.id()));
    }

    /**
     * Returns the entries that a job may have before a change. An earlier log of the job may have been longer than the
     * present log. So for a job with a log, the result includes the entry of long rows even if the row is short now.
     */
    private static List<IndexEntry> entriesBefore(@Nullable Job job, SlotIndexes indexes) {
        List<IndexEntry> entries = entries(job, indexes);
        if (job != null && RowLimits.isShort(job) && job.log() != null) {
            entries.add(longRow(indexes));
        }
        return entries;
    }

    private static List<IndexEntry> entries(@Nullable Job job, SlotIndexes indexes) {
        return job == null ? List.of() : of(job, indexes);
    }

    /**
     * Tells whether another entry of the same job replaces this entry. An entry replaces this entry if both entries
     * have the same key and the same text. Their scores may differ.
     */
    private boolean hasPlaceIn(List<IndexEntry> others) {
        for (IndexEntry other : others) {
            if (key.equals(other.key) && text.equals(other.text)) {
                return true;
            }
        }
        return false;
    }

    private void removeFrom(RowBatch batch, JobId id) {
        switch (kind) {
            case SORTED -> batch.remove("ZREM", key, text, id);
            case IDS -> batch.remove("SREM", key, text, id);
            case HASH -> batch.remove("HDEL", key, text);
            case RUNS -> batch.leave(key, id);
            case PARTITIONS -> {
                // A partition that was ever used stays in the set.
            }
        }
    }

    private void addTo(RowBatch batch, JobId id) {
        switch (kind) {
            case SORTED -> batch.addScored(key, score, text, id);
            case IDS -> batch.add("SADD", key, Keyspace.member(id));
            case HASH -> batch.add("HSET", key, text, Keyspace.member(id));
            case RUNS -> batch.join(key, id);
            case PARTITIONS -> batch.addOnce("SADD", key, text);
        }
    }
}
