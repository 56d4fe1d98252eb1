package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** One pass through the overdue rows of some partitions, page by page, oldest first. Used by one agent thread. */
final class SweepPass {

    /**
     * Maximum time that a read counts as work. A read that takes longer has mostly waited, for a connection or for the
     * store. If it counted in full, overdue jobs would wait for a long time after an outage.
     */
    private static final long LONGEST_WORK_NANOS = Duration.ofMillis(500).toNanos();

    private final Map<Partition, PartitionCursor> cursors;
    private final long startedNanos;

    private long workNanos;

    /** The time that this pass needed to skip rows of other names and reach its first row. */
    private long approachNanos;

    private boolean arrived;

    /** Whether nearly all rows of its last page have keys, so that most of them may wait for each other. */
    private boolean ofKeys;

    private long restUntilNanos;

    /** The time at which this pass began, or last got past a backlog of rows with keys. */
    private long freeSinceNanos;

    /**
     * The room for its name at the time when some of its rows found no room, because the room was for rows of another
     * queue.
     */
    private int roomWhenHeldUp;

    private SweepPass(Map<Partition, PartitionCursor> cursors, long startedNanos) {
        this.cursors = cursors;
        this.startedNanos = startedNanos;
        this.freeSinceNanos = startedNanos;
    }

    /** Returns a pass that begins with the first row of each partition. */
    static SweepPass through(Collection<Partition> partitions, long nowNanos) {
        return new SweepPass(
                new HashMap<>(partitions.stream()
                        .distinct()
                        .collect(Collectors.toMap(partition -> partition, PartitionCursor::start))),
                nowNanos);
    }

    /** Returns a pass that begins with the first row that is due after that time in each partition. */
    static SweepPass behind(Collection<Partition> partitions, long dueMillis, long nowNanos) {
        return new SweepPass(
                new HashMap<>(partitions.stream()
                        .distinct()
                        .collect(Collectors.toMap(
                                partition -> partition, partition -> PartitionCursor.behind(partition, dueMillis)))),
                nowNanos);
    }

    /** Returns a separate pass that begins at the present position of this pass. */
    SweepPass copy() {
        SweepPass copy = new SweepPass(new HashMap<>(cursors), startedNanos);
        copy.workNanos = workNanos;
        copy.approachNanos = approachNanos;
        copy.arrive();
        return copy;
    }

    Collection<PartitionCursor> cursors() {
        return List.copyOf(cursors.values());
    }

    /** Removes the partitions that are no longer swept here. */
    void retain(Collection<Partition> partitions) {
        cursors.keySet().retainAll(partitions);
    }

    /**
     * Moves the pass behind the page, but not beyond the first row that found no room. Removes partitions without
     * further rows.
     */
    void advance(DuePage<DueRow> page, Set<JobId> refused) {
        Map<Partition, PartitionCursor> next = new HashMap<>();
        page.next().forEach(cursor -> next.put(cursor.partition(), cursor));
        if (!refused.isEmpty()) {
            next.putAll(beforeRefused(page.rows(), refused));
        }
        cursors.keySet().retainAll(next.keySet());
        cursors.replaceAll((partition, cursor) -> Objects.requireNonNull(next.get(partition)));
    }

    /** Returns the place before the first refused row of each partition that has refused rows. */
    private Map<Partition, PartitionCursor> beforeRefused(List<DueRow> rows, Set<JobId> refused) {
        Map<Partition, PartitionCursor> places = new HashMap<>(cursors);
        Set<Partition> held = new HashSet<>();
        for (DueRow row : rows) {
            if (refused.contains(row.id())) {
                held.add(row.partition());
            } else if (!held.contains(row.partition())) {
                places.put(row.partition(), PartitionCursor.at(row));
            }
        }
        places.keySet().retainAll(held);
        return places;
    }

    boolean isThrough() {
        return cursors.isEmpty();
    }

    long startedNanos() {
        return startedNanos;
    }

    /** Adds the time of a read that was answered. */
    void worked(long nanos) {
        workNanos += Math.min(nanos, LONGEST_WORK_NANOS);
        if (!arrived) {
            approachNanos += nanos;
        }
    }

    /** Adds the time of a read that has failed, because the store may have worked until it gave the read up. */
    void failed(long nanos) {
        workNanos += Math.min(nanos, LONGEST_WORK_NANOS);
    }

    /** Records that the pass has reached the first of its rows. */
    void arrive() {
        arrived = true;
    }

    long workNanos() {
        return workNanos;
    }

    long approachNanos() {
        return approachNanos;
    }

    /** Rests until that time, because nearly all rows of its last page have keys. */
    void restUntil(long nanos) {
        ofKeys = true;
        restUntilNanos = nanos;
    }

    /** Returns the time at which this pass began, or last got past a backlog of rows with keys. */
    long freeSinceNanos() {
        return freeSinceNanos;
    }

    /** Records that the rows of its last page hardly have keys. */
    void restNoLonger(long nowNanos) {
        freeSinceNanos = ofKeys ? nowNanos : freeSinceNanos;
        ofKeys = false;
    }

    boolean isOfKeys() {
        return ofKeys;
    }

    /** Returns the nanoseconds until its next page; zero or less if it does not rest. */
    long restNanos(long nowNanos) {
        return ofKeys ? restUntilNanos - nowNanos : 0;
    }

    /** Records that some of its rows found no room. */
    void heldUp(int room) {
        roomWhenHeldUp = room;
    }

    /** Tells whether there is enough room to continue reading. */
    boolean mayGoOn(int room) {
        return room > roomWhenHeldUp;
    }

    /** Allows this pass to continue, even if its rows found no room before. */
    void goOn() {
        roomWhenHeldUp = 0;
    }
}
