package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One pass through the overdue rows of some partitions, page by page, oldest first. Used by one agent thread. */
final class SweepPass {

    /**
     * Maximum time that a read counts as work. A read that takes longer has mostly waited, for a connection or for the
     * store. If it counted in full, overdue jobs would wait for a long time after an outage.
     */
    private static final long LONGEST_WORK_NANOS = Duration.ofMillis(500).toNanos();

    /**
     * After its work, a pass rests for this number of times as long, because a read of millions of rows must not add
     * much load.
     */
    static final int REST_PER_WORK = 5;

    private final Map<Partition, PartitionCursor> cursors;
    private final long startedNanos;

    private long workNanos;
    private long latestWorkNanos;

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
        return from(partitions, PartitionCursor::start, nowNanos);
    }

    /** Returns a pass that begins with the first row that is due after that time in each partition. */
    static SweepPass behind(Collection<Partition> partitions, long dueMillis, long nowNanos) {
        return from(partitions, partition -> PartitionCursor.behind(partition, dueMillis), nowNanos);
    }

    private static SweepPass from(
            Collection<Partition> partitions, Function<Partition, PartitionCursor> begin, long nowNanos) {
        Map<Partition, PartitionCursor> cursors = new HashMap<>();
        partitions.forEach(partition -> cursors.put(partition, begin.apply(partition)));
        return new SweepPass(cursors, nowNanos);
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

    /** Adds partitions, from their first row on. */
    void add(Collection<Partition> partitions) {
        partitions.forEach(partition -> cursors.put(partition, PartitionCursor.start(partition)));
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

    /**
     * Reads a page. Its time counts as work even if the read fails, because the store may have worked until it gave the
     * read up.
     *
     * @return the exception of a read that has failed
     */
    @Nullable
    StoreException read(Runnable page, EngineClock clock) {
        long started = clock.nanoTime();
        StoreException failure = null;
        try {
            page.run();
        } catch (StoreException unread) {
            failure = unread;
        }
        long nanos = clock.nanoTime() - started;
        latestWorkNanos = Math.min(nanos, LONGEST_WORK_NANOS);
        workNanos += latestWorkNanos;
        if (failure == null && !arrived) {
            approachNanos += nanos;
        }
        return failure;
    }

    /** Records that the pass has reached the first of its rows. */
    void arrive() {
        arrived = true;
    }

    long workNanos() {
        return workNanos;
    }

    /** Returns the time of the latest read that counts as work. */
    long latestWorkNanos() {
        return latestWorkNanos;
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
