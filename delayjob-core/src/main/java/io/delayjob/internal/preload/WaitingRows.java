package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.store.DueSink;
import io.delayjob.time.EngineClock;
import io.delayjob.wheel.Timeout;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Contains the rows that wait in the timing wheel of this instance: a cache of the store's table. A row that is due is
 * passed on at once, so that it can be claimed. Any other row is passed on shortly before its due time, because a claim
 * takes some time. A row that is due after the window is left to the {@link WindowReader}, which reads it later. A row
 * with the same token as one in memory is a duplicate and is ignored. If the token differs, the row has changed, and
 * the newer version replaces the older. If several threads add rows at the same moment, each thread may add one row
 * more than the maximum allows.
 *
 * <p>Thread-safe.
 */
public final class WaitingRows implements DueIntake, DueSink {

    private final TimingWheel wheel;
    private final EngineClock clock;
    private final Capacity capacity;
    private final DueIntake due;
    private final LeadTime lead;
    private final long windowMillis;
    private final int maxRows;
    private final Map<JobId, Entry> entries = new ConcurrentHashMap<>();

    private volatile int clockEpoch;

    /**
     * @param due receives the rows that are due, or will be due soon
     * @param lead decides how long before the due time a row is passed on
     * @param maxRows maximum number of rows that wait in the timing wheel
     */
    public WaitingRows(
            TimingWheel wheel,
            EngineClock clock,
            Capacity capacity,
            DueIntake due,
            LeadTime lead,
            Duration window,
            int maxRows) {
        this.wheel = wheel;
        this.clock = clock;
        this.capacity = capacity;
        this.due = due;
        this.lead = lead;
        this.windowMillis = window.toMillis();
        this.maxRows = maxRows;
        this.clockEpoch = clock.epoch();
    }

    /**
     * Receives rows with any due time, and keeps those that are due within the window. Rows that are due later, and
     * rows that cannot run on this instance, stay only in the store. If a handler has more overdue rows than it can
     * start, its rows may use only half of the places. Otherwise they would displace rows that can start on time. If a
     * due row finds no place, the sweep reads it again later.
     *
     * @return the rows that are not due yet, but found no place in memory. The rows are in the given order
     */
    @Override
    public List<DueRow> offer(List<DueRow> rows, long asOfNanos) {
        return take(rows, new Age(asOfNanos, null));
    }

    private List<DueRow> take(List<DueRow> rows, Age age) {
        long now = clock.storeMillis();
        List<DueRow> dueNow = new ArrayList<>();
        List<DueRow> refused = new ArrayList<>();
        for (DueRow row : rows) {
            Entry known = entries.get(row.id());
            if (known != null && (known.row.token() == row.token() || known.age.isNewerThan(age))) {
                continue;
            }
            long offerAt = lead.offerMillis(row.dueMillis());
            boolean waits = offerAt > now
                    && row.dueMillis() - now <= windowMillis
                    && capacity.isRunHere(row)
                    && (capacity.roomFor(row.name()) > 0 || entries.size() < maxRows / 2);
            if (waits && known == null && isFull()) {
                refused.add(row);
            } else if (waits) {
                keep(new Entry(row, age));
            } else if (known != null && entries.remove(row.id(), known)) {
                known.cancel();
            }
            if (offerAt <= now) {
                dueNow.add(row);
            }
        }
        if (!dueNow.isEmpty()) {
            due.offer(dueNow, age.asOfNanos);
        }
        return refused;
    }

    /** Receives rows of transitions that have just been committed. */
    @Override
    public void accept(List<DueRow> rows) {
        offer(rows, clock.nanoTime());
    }

    @Override
    public DueSink asOfNow() {
        long changedNanos = clock.nanoTime();
        return rows -> take(rows, new Age(clock.nanoTime(), changedNanos));
    }

    private void keep(Entry entry) {
        Entry kept = entries.merge(entry.row.id(), entry, (before, later) -> {
            if (before.age.isNewerThan(entry.age)) {
                return before;
            }
            before.cancel();
            return later;
        });
        if (kept == entry) {
            // The timer computes the lead again, because the duration of a claim is known best just before it.
            entry.scheduleAt(lead.earliestOfferMillis(entry.row.dueMillis()));
        }
    }

    /** Tells whether all places for rows are taken. */
    public boolean isFull() {
        return entries.size() >= maxRows;
    }

    /** Returns the number of waiting rows. */
    public int size() {
        return entries.size();
    }

    /**
     * Computes every deadline again, if store time has jumped against monotonic time.
     */
    boolean followClock() {
        int epoch = clock.epoch();
        boolean apart = epoch != clockEpoch;
        if (apart) {
            clockEpoch = epoch;
            takeAll().forEach(entry -> take(List.of(entry.row), entry.age));
        }
        return apart;
    }

    /** Removes rows from memory if their handler or their queue is paused now. The rows stay in the store. */
    public void forgetPaused() {
        entries.values().stream()
                .filter(entry -> !capacity.isRunHere(entry.row))
                .filter(entry -> entries.remove(entry.row.id(), entry))
                .forEach(Entry::cancel);
    }

    /** Removes all rows from memory. The rows stay in the store. */
    public void clear() {
        takeAll();
    }

    /**
     * Removes and returns all rows, one by one. If another thread adds a row meanwhile, this row is either returned or
     * stays in memory.
     */
    private List<Entry> takeAll() {
        List<Entry> taken = new ArrayList<>();
        entries.forEach((id, entry) -> {
            if (entries.remove(id, entry)) {
                entry.cancel();
                taken.add(entry);
            }
        });
        return taken;
    }

    /**
     * Contains the age of a version of a row.
     *
     * @param asOfNanos monotonic time; a read that began before this time returns this version or an older one
     * @param changedNanos monotonic time between the lock and the commit of the change that wrote this version. It
     *     tells which of two versions is newer. {@code null} if it is unknown
     */
    private record Age(long asOfNanos, @Nullable Long changedNanos) {

        boolean isNewerThan(Age other) {
            return asOfNanos - other.asOfNanos > 0
                    || changedNanos != null && other.changedNanos != null && changedNanos - other.changedNanos > 0;
        }
    }

    private final class Entry implements Runnable {

        private final DueRow row;
        private final Age age;
        private volatile @Nullable Timeout<Runnable> timeout;

        Entry(DueRow row, Age age) {
            this.row = row;
            this.age = age;
        }

        void scheduleAt(long storeMillis) {
            Timeout<Runnable> scheduled;
            try {
                scheduled = wheel.scheduleAt(this, clock.nanoTimeAt(storeMillis));
            } catch (RejectedExecutionException stopped) {
                // The engine is stopping. This row is committed, so other instances will find it.
                entries.remove(row.id(), this);
                return;
            }
            timeout = scheduled;
            if (entries.get(row.id()) != this) {
                // The row was replaced or removed before its timer existed.
                scheduled.cancel();
            }
        }

        void cancel() {
            Timeout<Runnable> scheduled = timeout;
            if (scheduled != null) {
                scheduled.cancel();
            }
        }

        @Override
        public void run() {
            long offerAt = lead.offerMillis(row.dueMillis());
            if (clock.storeMillis() < offerAt) {
                // Claims take less time now than at the last estimate, or the estimate of store time has become lower.
                scheduleAt(offerAt);
            } else if (entries.remove(row.id(), this)) {
                due.offer(List.of(row), age.asOfNanos);
            }
        }
    }
}
