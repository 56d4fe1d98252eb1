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

/**
 * Makes one pass through the overdue rows of some partitions, from the oldest row on. One agent thread uses this
 * object.
 */
final class SweepPass {

    /** Maximum part of a read's duration that counts as work. A longer read has probably waited for the store. */
    private static final long LONGEST_WORK_NANOS = Duration.ofMillis(500).toNanos();

    /** A pause lasts this many times as long as the work before it. So reading millions of rows adds little load. */
    static final int REST_PER_WORK = 5;

    private final Map<Partition, PartitionCursor> cursors;
    private final long startedNanos;

    private long workNanos;
    private long latestWorkNanos;

    /**
     * Time that the reads took until the pass had reached the first row of its name. This time matters only if the pass
     * looks for one name.
     */
    private long approachNanos;

    private boolean arrived;

    /** Whether nearly all rows of the last page have keys. Such rows may have to wait for each other. */
    private boolean ofKeys;

    private long restUntilNanos;

    /** The end of the latest pause for rows with keys. If there was no such pause, this is the start of the pass. */
    private long freeSinceNanos;

    /**
     * Number of places that were still free when memory refused rows of this pass. Only rows of another queue can use
     * these places.
     */
    private int roomWhenHeldUp;

    private SweepPass(Map<Partition, PartitionCursor> cursors, long startedNanos) {
        this.cursors = cursors;
        this.startedNanos = startedNanos;
        this.freeSinceNanos = startedNanos;
    }

    static SweepPass through(Collection<Partition> partitions, long nowNanos) {
        return from(partitions, PartitionCursor::start, nowNanos);
    }

    static SweepPass behind(Collection<Partition> partitions, long dueMillis, long nowNanos) {
        return from(partitions, partition -> PartitionCursor.behind(partition, dueMillis), nowNanos);
    }

    private static SweepPass from(
            Collection<Partition> partitions, Function<Partition, PartitionCursor> begin, long nowNanos) {
        Map<Partition, PartitionCursor> cursors = new HashMap<>();
        partitions.forEach(partition -> cursors.put(partition, begin.apply(partition)));
        return new SweepPass(cursors, nowNanos);
    }

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

    void add(Collection<Partition> partitions) {
        partitions.forEach(partition -> cursors.put(partition, PartitionCursor.start(partition)));
    }

    void retain(Collection<Partition> partitions) {
        cursors.keySet().retainAll(partitions);
    }

    /**
     * Moves the pass to the end of the page. In a partition with a refused row, the pass stops at the row before the
     * refused row.
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
     * The duration of a failed read also counts as work, because the store may have worked all the time.
     *
     * @return the exception, if the read has failed
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

    void arrive() {
        arrived = true;
    }

    long workNanos() {
        return workNanos;
    }

    long latestWorkNanos() {
        return latestWorkNanos;
    }

    long approachNanos() {
        return approachNanos;
    }

    void restUntil(long nanos) {
        ofKeys = true;
        restUntilNanos = nanos;
    }

    long freeSinceNanos() {
        return freeSinceNanos;
    }

    void restNoLonger(long nowNanos) {
        freeSinceNanos = ofKeys ? nowNanos : freeSinceNanos;
        ofKeys = false;
    }

    boolean isOfKeys() {
        return ofKeys;
    }

    long restNanos(long nowNanos) {
        return ofKeys ? restUntilNanos - nowNanos : 0;
    }

    void heldUp(int room) {
        roomWhenHeldUp = room;
    }

    boolean mayGoOn(int room) {
        return room > roomWhenHeldUp;
    }

    /**
     * If memory has refused rows of this pass although it had free places, rows of another queue may have come
     * meanwhile. So the pass begins again in the partitions that it has finished.
     */
    void goOnIn(Collection<Partition> partitions) {
        if (roomWhenHeldUp > 0) {
            partitions.forEach(partition -> cursors.putIfAbsent(partition, PartitionCursor.start(partition)));
        }
        goOn();
    }

    void goOn() {
        roomWhenHeldUp = 0;
    }
}
