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
 * @param text the name and key of the job, or its partition; empty if the index contains only ids
 * @param score the score in a sorted set; 0 for another type
 */
record IndexEntry(Kind kind, String key, String text, long score) {

    enum Kind {
        /** A sorted set. Each member is the text, followed by the id. */
        SORTED,
        /** A hash. Each text is a field, and the id is its value. */
        HASH,
        IDS,
        /** A sorted set of runs. A run is a list of ids, and the script divides and joins these lists. */
        RUNS,
        /** All partitions that were ever used. */
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
            // The row may lack the result and the log of a running job. So this change may make the row long, even if
            // the entry seems to exist.
            if (entry.kind == Kind.IDS || !before.contains(entry)) {
                entry.addTo(batch, change.id());
            }
        }
    }

    static void addAll(Job job, RowBatch batch) {
        of(job, batch.indexes()).forEach(entry -> entry.addTo(batch, job.id()));
    }

    /**
     * A short row may have been long before, because of its log. Such a row may still have the index entry of long
     * rows.
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

    /** Tells whether one of these entries has the same key and text. The scores may differ. */
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
                // Once used, always kept.
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
