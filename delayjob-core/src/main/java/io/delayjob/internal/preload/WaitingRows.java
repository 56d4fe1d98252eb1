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
 * Contains the rows that wait in the timing wheel of this instance: a cache of the store's table. Several threads
 * together may exceed the maximum by one row each. Thread-safe.
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
     * Keeps the rows that are due within the window. If a handler has more overdue rows than it can start, its rows may
     * use only half of the places.
     *
     * @return the rows that are not due yet but found no place, in the given order
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
                    && (capacity.roomFor(row.name(), row.partition().queue()) > 0 || entries.size() < maxRows / 2);
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
            // The timer computes the lead again, when the duration of a claim is known best.
            entry.scheduleAt(lead.earliestOfferMillis(entry.row.dueMillis()));
        }
    }

    public boolean isFull() {
        return entries.size() >= maxRows;
    }

    public int size() {
        return entries.size();
    }

    /** Computes every deadline again if store time has jumped against monotonic time. */
    boolean followClock() {
        int epoch = clock.epoch();
        boolean apart = epoch != clockEpoch;
        if (apart) {
            clockEpoch = epoch;
            takeAll().forEach(entry -> take(List.of(entry.row), entry.age));
        }
        return apart;
    }

    public void forgetPaused() {
        entries.values().stream()
                .filter(entry -> !capacity.isRunHere(entry.row))
                .filter(entry -> entries.remove(entry.row.id(), entry))
                .forEach(Entry::cancel);
    }

    public void clear() {
        takeAll();
    }

    /** A row that another thread adds meanwhile is either returned or stays in memory. */
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
     * @param asOfNanos monotonic time; a read that began before this time returns this version of the row or an older
     *     version
     * @param changedNanos monotonic time of a moment between the lock and the commit of the change; {@code null} if
     *     unknown
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
                // The engine is stopping, and other instances will find this committed row.
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
                // The estimate of the lead or of store time has become lower.
                scheduleAt(offerAt);
            } else if (entries.remove(row.id(), this)) {
                due.offer(List.of(row), age.asOfNanos);
            }
        }
    }
}
