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
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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

    /** A pass of one lane may start again from the oldest row only after this number of intervals. */
    private static final int LONGEST_PASS_OF_A_LANE = 10;

    private final Map<Partition, PartitionCursor> cursors;
    private final long startedNanos;

    private long workNanos;
    private long latestWorkNanos;

    /**
     * Time from the start of the pass to the end of its last read without a row of its name. This time matters only if
     * the pass looks for one name.
     */
    private long approachNanos;

    private boolean arrived;

    /** Whether nearly all rows of the last page have keys. Such rows may have to wait for each other. */
    private boolean ofKeys;

    private long restUntilNanos;

    /** The end of the latest pause for rows with keys. If there was no such pause, this is the start of the pass. */
    private long freeSinceNanos;

    private SweepPass(Map<Partition, PartitionCursor> cursors, long startedNanos) {
        this.cursors = cursors;
        this.startedNanos = startedNanos;
        this.restUntilNanos = startedNanos;
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

    /** Returns a pass that goes on from here, but only in this queue. */
    SweepPass in(String queue) {
        SweepPass copy = new SweepPass(new HashMap<>(cursors), startedNanos);
        copy.retain(partition -> partition.queue().equals(queue));
        copy.approachNanos = approachNanos;
        return copy;
    }

    Collection<PartitionCursor> cursors() {
        return List.copyOf(cursors.values());
    }

    Collection<PartitionCursor> cursorsIn(Set<String> queues) {
        return cursors.values().stream()
                .filter(cursor -> queues.contains(cursor.partition().queue()))
                .toList();
    }

    Set<String> queues() {
        return cursors.keySet().stream().map(Partition::queue).collect(Collectors.toSet());
    }

    void add(Collection<Partition> partitions) {
        partitions.forEach(partition -> cursors.put(partition, PartitionCursor.start(partition)));
    }

    void retain(Predicate<Partition> kept) {
        cursors.keySet().removeIf(kept.negate());
    }

    /**
     * Moves the cursors that were read to the end of the page. In a partition with a refused row, the pass stops at the
     * row before the refused row.
     */
    void advance(Collection<PartitionCursor> read, DuePage<DueRow> page, Set<JobId> refused) {
        Map<Partition, PartitionCursor> held = refused.isEmpty() ? Map.of() : beforeRefused(page.rows(), refused);
        read.forEach(cursor -> cursors.remove(cursor.partition()));
        page.next().forEach(cursor -> cursors.put(cursor.partition(), cursor));
        cursors.putAll(held);
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

    /** @return the exception, if the read has failed */
    @Nullable
    StoreException read(Runnable page, EngineClock clock) {
        long started = clock.nanoTime();
        StoreException failure = null;
        try {
            page.run();
        } catch (StoreException unread) {
            failure = unread;
        }
        long ended = clock.nanoTime();
        latestWorkNanos = Math.min(ended - started, LONGEST_WORK_NANOS);
        if (failure == null && !arrived) {
            approachNanos = ended - startedNanos;
        }
        return failure;
    }

    void addWork(long nanos) {
        workNanos += nanos;
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

    /**
     * An old pass starts again, because older rows may have come. A pass that has not reached its first row is old only
     * if it has not read for long. Otherwise, it would never reach that row behind very many other rows. Rows without a
     * key get at least as much time as the rows with keys before them.
     */
    boolean isOld(long nowNanos, Duration interval) {
        if (ofKeys) {
            // Rows of other keys may come after these rows.
            return false;
        }
        long enough = Math.max(LONGEST_PASS_OF_A_LANE * interval.toNanos(), REST_PER_WORK * approachNanos);
        return arrived
                ? nowNanos - freeSinceNanos > Math.max(enough, freeSinceNanos - startedNanos)
                : nowNanos - startedNanos - approachNanos > enough;
    }

    void setOfKeys(boolean keys, long nowNanos) {
        freeSinceNanos = ofKeys && !keys ? nowNanos : freeSinceNanos;
        ofKeys = keys;
    }

    boolean isOfKeys() {
        return ofKeys;
    }

    void restUntil(long nanos) {
        restUntilNanos = nanos;
    }

    long restNanos(long nowNanos) {
        return restUntilNanos - nowNanos;
    }
}
