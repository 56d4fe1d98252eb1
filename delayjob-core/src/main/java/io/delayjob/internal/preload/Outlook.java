package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import io.delayjob.store.DueJobs;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells agents which partitions they need not read. In such a partition, the earliest unfinished row is due after the
 * window.
 *
 * <pre>
 *                            earliest row
 *   --|---------|----------------|-----------
 *    now      now + window
 *     '- neither sweep nor window read nor look for lost attempts would find a row
 * </pre>
 *
 * <p>One statement reads all partitions. The result is a <em>view</em>, which all agents share. Thread-safe. Threads do
 * not wait for a read by another thread, because the store may never reply.
 */
public final class Outlook {

    private final DueJobs store;
    private final EngineClock clock;

    private volatile @Nullable View last;

    public Outlook(DueJobs store, EngineClock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Returns a view that was read less than {@code age} ago, and reads a new view if necessary. */
    public View youngerThan(Duration age) {
        long now = clock.nanoTime();
        View view = last;
        if (view == null || now - view.asOfNanos >= age.toNanos()) {
            view = new View(store.partitionsInUse(), now);
            last = view;
        }
        return view;
    }

    /** Returns the last view if it was read less than {@code age} ago, otherwise {@code null}. */
    public @Nullable View lastIfYoungerThan(Duration age) {
        View view = last;
        return view != null && clock.nanoTime() - view.asOfNanos < age.toNanos() ? view : null;
    }

    /**
     * @param earliest the earliest due time of each partition with unfinished jobs
     * @param asOfNanos monotonic time of the view; the view includes all commits before this time
     */
    public record View(Map<Partition, Instant> earliest, long asOfNanos) {

        public View {
            earliest = Map.copyOf(earliest);
        }

        public boolean isEmpty(Partition partition, Instant until) {
            Instant first = earliest.get(partition);
            return first == null || first.isAfter(until);
        }
    }
}
