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
 * The rows that wait in the wheel of this instance: a cache of the table, never more than its bound, and one more for
 * each thread that hands over at the same moment. What is due already goes straight on, what is due beyond the window
 * is left to the window reader. Rows go on as long before their time as their claims take. A row that is known with the same token is a duplicate; with another one it has moved
 * on, and the later news take the earlier ones' place.
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
     * @param due where rows go when their time has come, or is about to
     * @param lead when they go there
     * @param maxRows at most so many rows wait here
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
     * Takes rows of whatever due time, keeps those of the window, and drops those beyond it and those that cannot run
     * here: the table has them. Handlers that have more overdue than they can start may fill half of the room and no
     * more, or their rows would keep those out that can start on time. What is due and finds no room is the sweep's.
     *
     * @return the rows not yet due that there was no room for, in the order given
     */
    @Override
    public List<DueRow> offer(List<DueRow> rows, long asOfNanos) {
        long now = clock.storeMillis();
        List<DueRow> dueNow = new ArrayList<>();
        List<DueRow> refused = new ArrayList<>();
        for (DueRow row : rows) {
            Entry known = entries.get(row.id());
            if (known != null && (known.row.token() == row.token() || known.isNewsAt(asOfNanos))) {
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
                keep(new Entry(row, asOfNanos));
            } else if (known != null && entries.remove(row.id(), known)) {
                known.cancel();
            }
            if (offerAt <= now) {
                dueNow.add(row);
            }
        }
        if (!dueNow.isEmpty()) {
            due.offer(dueNow, asOfNanos);
        }
        return refused;
    }

    /** Takes rows of transitions that were committed a moment ago. */
    @Override
    public void accept(List<DueRow> rows) {
        offer(rows, clock.nanoTime());
    }

    private void keep(Entry entry) {
        Entry kept = entries.merge(entry.row.id(), entry, (before, later) -> {
            if (before.isNewsAt(entry.asOfNanos)) {
                return before;
            }
            before.cancel();
            return later;
        });
        if (kept == entry) {
            // How long its claim will take is best known when it is about to be sent.
            entry.scheduleAt(lead.earliestOfferMillis(entry.row.dueMillis()));
        }
    }

    /** Whether no more rows can be kept. */
    public boolean isFull() {
        return entries.size() >= maxRows;
    }

    /** How many rows wait. */
    public int size() {
        return entries.size();
    }

    /**
     * Derives every deadline anew if store time and monotonic time have moved apart since they were derived.
     *
     * @return whether they have
     */
    boolean followClock() {
        int epoch = clock.epoch();
        boolean apart = epoch != clockEpoch;
        if (apart) {
            clockEpoch = epoch;
            takeAll().forEach(entry -> offer(List.of(entry.row), entry.asOfNanos));
        }
        return apart;
    }

    /** Forgets the rows that are paused by now: the table has them. */
    public void forgetPaused() {
        entries.values().stream()
                .filter(entry -> !capacity.isRunHere(entry.row))
                .filter(entry -> entries.remove(entry.row.id(), entry))
                .forEach(Entry::cancel);
    }

    /** Forgets all rows: the table has them. */
    public void clear() {
        takeAll();
    }

    /** One by one, so that a row that is handed over meanwhile either is among them or stays. */
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

    private final class Entry implements Runnable {

        private final DueRow row;
        private final long asOfNanos;
        private volatile @Nullable Timeout<Runnable> timeout;

        Entry(DueRow row, long asOfNanos) {
            this.row = row;
            this.asOfNanos = asOfNanos;
        }

        /** Whether it is later news of its job than what was read then. */
        boolean isNewsAt(long readNanos) {
            return asOfNanos - readNanos > 0;
        }

        void scheduleAt(long storeMillis) {
            Timeout<Runnable> scheduled;
            try {
                scheduled = wheel.scheduleAt(this, clock.nanoTimeAt(storeMillis));
            } catch (RejectedExecutionException stopped) {
                // Whoever hands over a row while the engine stops has committed it: the others will find it.
                entries.remove(row.id(), this);
                return;
            }
            timeout = scheduled;
            if (entries.get(row.id()) != this) {
                // Replaced or forgotten before there was anything to cancel.
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
                // Claims take less than they might, or the estimate of store time was lowered meanwhile.
                scheduleAt(offerAt);
            } else if (entries.remove(row.id(), this)) {
                due.offer(List.of(row), asOfNanos);
            }
        }
    }
}
