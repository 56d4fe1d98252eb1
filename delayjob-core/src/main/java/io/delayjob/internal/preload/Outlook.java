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
 * Tells several periodic readers at once that there are no rows for them. If the earliest unfinished row of a partition
 * becomes due later, nothing is overdue, nothing enters the window, and no running row can be lost.
 *
 * <pre>
 *                            earliest row
 *   --|---------|----------------|-----------
 *    now      now + window
 *     '- neither sweep nor window read nor look for lost attempts would find a row
 * </pre>
 *
 * <p>One statement answers that for all partitions. It needs one index look-up for each partition, for any number of
 * rows. Each read asks here first. A read that needs a younger view than the last one takes a new view, and all others
 * share it.
 *
 * <p>Thread-safe. No thread waits for a view that another thread is taking, because that thread's connection may be
 * silent.
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
     * Returns a view that was taken less than {@code age} ago.
     *
     * @throws StoreException if there is no such view, and no new one could be taken
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
     * Returns the last view if it was taken less than {@code age} ago, or else {@code null}. Does not ask the store.
     */
    public @Nullable View lastIfYoungerThan(Duration age) {
        View view = last;
        return view != null && clock.nanoTime() - view.asOfNanos < age.toNanos() ? view : null;
    }

    /**
     * The unfinished jobs at a point in time.
     *
     * @param earliest the due time of the first unfinished job, for each partition that held any
     * @param asOfNanos the monotonic time of the view: all earlier commits are seen
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
