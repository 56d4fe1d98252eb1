package io.delayjob.redis;

import io.delayjob.job.Partition;
import java.util.HashMap;
import java.util.Map;

/** The names of the indexes of one slot. Each name is created only once. Not thread-safe. */
final class SlotIndexes {

    private final Keyspace keys;
    private final int slot;
    private final Map<Partition, OfPartition> partitions = new HashMap<>();

    final String unfinishedIds;
    final String endedIds;
    final String longRows;
    final String usedPartitions;

    /** @param member the partition as a member of a set */
    record OfPartition(String waiting, String running, String member) {}

    SlotIndexes(Keyspace keys, int slot) {
        this.keys = keys;
        this.slot = slot;
        this.unfinishedIds = keys.unfinishedIds(slot);
        this.endedIds = keys.endedIds(slot);
        this.longRows = keys.longRows(slot);
        this.usedPartitions = keys.partitions(slot);
    }

    int slot() {
        return slot;
    }

    Keyspace keys() {
        return keys;
    }

    OfPartition of(Partition partition) {
        return partitions.computeIfAbsent(
                partition,
                first -> new OfPartition(keys.due(slot, first), keys.running(slot, first), Keyspace.member(first)));
    }
}
