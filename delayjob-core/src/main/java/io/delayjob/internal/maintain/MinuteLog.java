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
 * Gives access to the statistics of each minute, in the memory of this instance and in the store. The object is kept
 * from one start of the engine to the next. Thread-safe.
 */
public final class MinuteLog {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * Contains the statistics of a minute that is being written to the store. Until the store replies, exactly the same
     * rows are sent again, so that the store counts each row only once.
     */
    private record Sealed(Instant minute, long writer, List<MinuteRow> rows) {}

    private final JobStore store;
    private final MinuteCounter counter;
    private final Duration retention;
    private final boolean isWritten;

    /** Guarded by {@link #moving}. */
    private final MinuteWriters writers = new MinuteWriters();

    /**
     * A minute that was sent to the store, which has not replied yet. The store may contain this minute already, so
     * readers read it only from the store. Guarded by {@link #moving}.
     */
    private @Nullable Sealed sealed;

    /** Makes readers wait while a minute moves from memory to the store, so that they count the minute exactly once. */
    private final ReadWriteLock moving = new ReentrantReadWriteLock();

    /**
     * @param kept time for which the statistics are kept; if zero, nothing is counted. If the store cannot keep
     *     statistics, memory keeps the last hour
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

    /** Returns the sums in any order. If the store keeps no statistics, the sums contain only this instance. */
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
     * Waits for a limited time, because only a few readers are allowed at a time. Waiting readers would block other
     * readers.
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
     * Writes all minutes except the present one. A minute in the future is also written. Such a minute occurs after the
     * store's clock was set back.
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

    boolean purge() {
        return retention.compareTo(Retention.CENTURY) <= 0
                && store.purgeMinutes(counter.presentMinute().minus(retention));
    }
}
