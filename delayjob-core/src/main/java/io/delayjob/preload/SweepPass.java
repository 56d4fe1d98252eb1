package io.delayjob.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.PartitionCursor;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One way through the overdue rows of some partitions, page by page, oldest first. One agent thread. */
final class SweepPass {

    private final Map<Partition, PartitionCursor> cursors;
    private final long startedNanos;

    /** The room there seemed to be when some rows found none: room for others of their name, in another queue. */
    private int roomWhenHeldUp;

    private SweepPass(Map<Partition, PartitionCursor> cursors, long startedNanos) {
        this.cursors = cursors;
        this.startedNanos = startedNanos;
    }

    /** A way from the very beginning of each partition. */
    static SweepPass through(Collection<Partition> partitions, long nowNanos) {
        return new SweepPass(
                new HashMap<>(partitions.stream()
                        .distinct()
                        .collect(Collectors.toMap(partition -> partition, PartitionCursor::start))),
                nowNanos);
    }

    /** A way of its own from here on. */
    SweepPass copy() {
        return new SweepPass(new HashMap<>(cursors), startedNanos);
    }

    Collection<PartitionCursor> cursors() {
        return List.copyOf(cursors.values());
    }

    /** Leaves out partitions that are not swept here any more. */
    void retain(Collection<Partition> partitions) {
        cursors.keySet().retainAll(partitions);
    }

    /** Goes on behind a full page, stays before the first row that found no room, and is through where the rows end. */
    void advance(List<DueRow> rows, int limit, Set<JobId> refused) {
        Map<Partition, List<DueRow>> pages = rows.stream().collect(Collectors.groupingBy(DueRow::partition));
        for (PartitionCursor cursor : cursors()) {
            Partition partition = cursor.partition();
            List<DueRow> page = pages.getOrDefault(partition, List.of());
            PartitionCursor next = page.size() < limit ? null : PartitionCursor.at(page.get(page.size() - 1));
            PartitionCursor before = cursor;
            for (DueRow row : page) {
                if (refused.contains(row.id())) {
                    next = before;
                    break;
                }
                before = PartitionCursor.at(row);
            }
            if (next == null) {
                cursors.remove(partition);
            } else {
                cursors.put(partition, next);
            }
        }
    }

    boolean isThrough() {
        return cursors.isEmpty();
    }

    long startedNanos() {
        return startedNanos;
    }

    /** Some of its rows found no room. */
    void heldUp(int room) {
        roomWhenHeldUp = room;
    }

    /** Whether it is worth going on, with so much room for its rows. */
    boolean mayGoOn(int room) {
        return room > roomWhenHeldUp;
    }

    /** Tries again, whatever held it up. */
    void goOn() {
        roomWhenHeldUp = 0;
    }
}
