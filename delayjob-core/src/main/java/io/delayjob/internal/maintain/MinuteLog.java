package io.delayjob.internal.maintain;

import io.delayjob.event.JobListeners;
import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives access to the statistics of each minute. The statistics of this instance stay in memory until they are written
 * to the store. The store contains the statistics of all instances. When the engine stops, this object is kept for the
 * next start of the engine. Thread-safe.
 */
public final class MinuteLog {

    /** Maximum time that a reader waits while another thread writes a minute. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * Contains the statistics of the minute that is being written to the store. Until the store replies, exactly the
     * same rows are sent again. Therefore the store can recognize repeated rows, and counts each row only once. Later
     * events of the same minute are counted in other rows.
     */
    private record Sealed(Instant minute, long writer, List<MinuteRow> rows) {}

    private final JobStore store;
    private final MinuteCounter counter;
    private final Duration retention;
    private final boolean isWritten;

    /** Chooses the numbers under which minutes are written. The lock {@link #moving} guards this field. */
    private final MinuteWriters writers = new MinuteWriters();

    /**
     * The minute that was sent to the store, if the store has not replied yet. The store may already contain this
     * minute, so readers get the numbers of the minute only from the store. The lock {@link #moving} guards this field.
     */
    private @Nullable Sealed sealed;

    /**
     * Readers wait for this lock while a minute moves from memory to the store. So a reader counts that minute exactly
     * once.
     */
    private final ReadWriteLock moving = new ReentrantReadWriteLock();

    /**
     * @param listeners if statistics are kept, this log adds its counter to these listeners
     * @param kept time for which the statistics are kept. If this time is zero, nothing is counted. If the store cannot
     *     keep statistics, only the last hour is kept, in memory
     */
    public MinuteLog(JobStore store, JobListeners listeners, EngineClock clock, Duration kept) {
        this.store = store;
        this.counter = new MinuteCounter(clock);
        this.isWritten = !kept.isZero() && store.capabilities().has(StoreCapability.STATISTICS);
        this.retention = isWritten || kept.compareTo(MinuteCounter.LONGEST) < 0 ? kept : MinuteCounter.LONGEST;
        if (!kept.isZero()) {
            listeners.add(counter);
        }
    }

    /** Returns how long the statistics are kept; zero if nothing is counted. */
    public Duration retention() {
        return retention;
    }

    boolean isWritten() {
        return isWritten;
    }

    Instant presentMinute() {
        return counter.presentMinute();
    }

    /**
     * Returns the sums by bucket and name, in any order. If the store keeps no statistics, the result contains only the
     * sums of this instance.
     */
    public List<MinuteSum> sums(MinuteSpan span) {
        List<MinuteSum> sums = new ArrayList<>();
        awaitWriter();
        try {
            if (isWritten) {
                sums.addAll(store.minutes(span));
            }
            counter.rows().stream()
                    .filter(row -> span.contains(row.minute()))
                    .forEach(row -> sums.add(new MinuteSum(span.bucketOf(row.minute()), row.name(), row.counts())));
        } finally {
            moving.readLock().unlock();
        }
        return sums;
    }

    /**
     * The wait is limited, because only a few readers are allowed at a time. Readers that wait for a hanging write
     * would block the others.
     */
    private void awaitWriter() {
        boolean reads = false;
        try {
            reads = moving.readLock().tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        if (!reads) {
            throw StoreException.unavailable(
                    "The numbers of past minutes could not be read within %s, because another thread is writing them. The same call may succeed later."
                            .formatted(ReadableDuration.of(PATIENCE)),
                    new TimeoutException());
        }
    }

    /**
     * Writes all minutes except the present one, beginning with the oldest, each with its own statement. A minute in
     * the future also counts as over: its jobs were counted before the store's clock was set back.
     */
    void writeOver(long owner) {
        Instant earliest = counter.presentMinute();
        write(minute -> minute.isBefore(earliest) || minute.isAfter(counter.presentMinute()), owner);
    }

    void writeAll(long owner) {
        write(minute -> true, owner);
    }

    private void write(Predicate<Instant> isOver, long owner) {
        writeSealed();
        counter.rows().stream()
                .map(MinuteRow::minute)
                .filter(isOver)
                .distinct()
                .sorted()
                .forEach(minute -> {
                    seal(minute, owner);
                    writeSealed();
                });
    }

    private void seal(Instant minute, long owner) {
        moving.writeLock().lock();
        try {
            List<MinuteRow> rows = counter.rows().stream()
                    .filter(row -> row.minute().equals(minute))
                    .toList();
            counter.forget(minute);
            sealed = new Sealed(minute, writers.next(owner, minute), rows);
        } finally {
            moving.writeLock().unlock();
        }
    }

    private void writeSealed() {
        moving.writeLock().lock();
        try {
            Sealed unwritten = sealed;
            if (unwritten != null
                    && !unwritten.minute.isBefore(counter.presentMinute().minus(MinuteCounter.LONGEST))) {
                store.recordMinutes(unwritten.writer, unwritten.rows);
            }
            sealed = null;
        } finally {
            moving.writeLock().unlock();
        }
    }

    /**
     * Returns whether more minutes may be older than the retention time.
     */
    boolean purge() {
        return retention.compareTo(Retention.CENTURY) <= 0
                && store.purgeMinutes(counter.presentMinute().minus(retention));
    }
}
