package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import io.delayjob.store.DueJobs;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells the periodic readers of a partition when there is nothing to read. If even the earliest unfinished row is due
 * only after the window, no row is overdue, no row is due within the window, and no running row can be lost.
 *
 * <pre>
 *                            earliest row
 *   --|---------|----------------|-----------
 *    now      now + window
 *     '- neither sweep nor window read nor look for lost attempts would find a row
 * </pre>
 *
 * <p>One statement reads the earliest row of all partitions. It needs one index look-up for each partition, for any
 * number of rows. Each reader asks here first. If a reader needs a newer view than the last one, it reads a new view,
 * which all readers share.
 *
 * <p>Thread-safe. No thread waits for a view that another thread is reading, because that thread may get no reply.
 */
public final class Outlook {

    private final DueJobs store;
    private final EngineClock clock;

    private volatile @Nullable View last;

    public Outlook(DueJobs store, EngineClock clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * Returns a view that was read less than {@code age} ago.
     *
     * @throws StoreException if there is no such view, and no new view could be read
     */
    public View youngerThan(Duration age) {
        long now = clock.nanoTime();
        View view = last;
        if (view == null || now - view.asOfNanos >= age.toNanos()) {
            view = new View(store.partitionsInUse(), now);
            last = view;
        }
        return view;
    }

    /**
     * Returns the last view if it was read less than {@code age} ago, otherwise {@code null}. Does not ask the store.
     */
    public @Nullable View lastIfYoungerThan(Duration age) {
        View view = last;
        return view != null && clock.nanoTime() - view.asOfNanos < age.toNanos() ? view : null;
    }

    /**
     * The unfinished jobs at a point in time.
     *
     * @param earliest the partitions that held unfinished jobs, each with the earliest due time
     * @param asOfNanos the monotonic time of the view, which includes all earlier commits
     */
    public record View(Map<Partition, Instant> earliest, long asOfNanos) {

        public View {
            earliest = Map.copyOf(earliest);
        }

        /**
         * Tells whether this partition held no unfinished job, waiting or running, that is due at or before {@code
         * until}.
         */
        public boolean isEmpty(Partition partition, Instant until) {
            Instant first = earliest.get(partition);
            return first == null || first.isAfter(until);
        }
    }
}
