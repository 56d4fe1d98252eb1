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

/**
 * The numbers of each minute. Memory holds those of this instance until they are written; the store holds those of all
 * instances. Outlives a stop, so that an engine that is started again goes on. Thread-safe.
 */
public final class MinuteLog {

    /** Maximum time that a reader waits while a minute is being written. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final JobStore store;
    private final MinuteCounter counter;
    private final Duration retention;
    private final boolean isWritten;

    /** Keeps readers out while a minute moves from memory to the store. A reader could count it twice or not at all. */
    private final ReadWriteLock moving = new ReentrantReadWriteLock();

    /**
     * @param listeners listeners to join, to hear of each event from now on, unless nothing is kept
     * @param kept time for which minutes are kept; zero: nothing is counted. A store without statistics keeps none, and
     *     memory keeps at most the last hour
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

    /** Returns the time for which minutes are kept; zero if nothing is counted. */
    public Duration retention() {
        return retention;
    }

    boolean isWritten() {
        return isWritten;
    }

    Instant presentMinute() {
        return counter.presentMinute();
    }

    /** Returns the sums by bucket and name, in no order. They are of this instance alone if the store keeps none. */
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

    /** Waits for the writer. A write that hangs must not keep readers for as long, because they share a few places. */
    private void awaitWriter() {
        boolean reads = false;
        try {
            reads = moving.readLock().tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        if (!reads) {
            throw StoreException.unavailable(
                    "The numbers of past minutes are being written, which takes more than %s: the same call may succeed later."
                            .formatted(ReadableDuration.of(PATIENCE)),
                    new TimeoutException());
        }
    }

    /**
     * Writes the minutes that begin before that time. The oldest is first, and each has a statement of its own.
     *
     * @param owner number of this instance
     */
    void writeBefore(Instant end, long owner) {
        counter.rows().stream()
                .map(MinuteRow::minute)
                .filter(minute -> minute.isBefore(end))
                .distinct()
                .sorted()
                .forEach(minute -> write(minute, owner));
    }

    private void write(Instant minute, long owner) {
        moving.writeLock().lock();
        try {
            List<MinuteRow> rows = counter.rows().stream()
                    .filter(row -> row.minute().equals(minute))
                    .toList();
            store.recordMinutes(owner, rows);
            counter.forget(minute);
        } finally {
            moving.writeLock().unlock();
        }
    }

    /** Deletes minutes older than the retention. Returns whether more of them are left. */
    boolean purge() {
        return retention.compareTo(Retention.CENTURY) <= 0
                && store.purgeMinutes(counter.presentMinute().minus(retention));
    }
}
