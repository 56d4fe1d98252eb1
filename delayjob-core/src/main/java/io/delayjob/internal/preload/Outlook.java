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
 * Tells several periodic reads at once that there is nothing for them: where the earliest unfinished row of a partition
 * comes due later, nothing is overdue, nothing enters the window, and nothing runs that could have been lost.
 *
 * <pre>
 *                            earliest row
 *   --|---------|----------------|-----------
 *    now      now + window
 *     '- neither sweep nor window read nor look for lost attempts would find a row
 * </pre>
 *
 * <p>One statement answers that for all partitions, by a look-up in the index for each, whatever the number of rows.
 * Each of the reads asks here first; whoever needs a younger view than the last one takes it, and all others share it.
 *
 * <p>Thread-safe; nobody waits for a view that another thread is taking, for its connection may be silent.
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
     * A view that was taken less than {@code age} ago.
     *
     * @throws StoreException where there is none, and none could be taken
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

    /** The last view if it was taken less than {@code age} ago; asks nobody. */
    public @Nullable View lastIfYoungerThan(Duration age) {
        View view = last;
        return view != null && clock.nanoTime() - view.asOfNanos < age.toNanos() ? view : null;
    }

    /**
     * How things stood.
     *
     * @param earliest of each partition that held unfinished jobs the due time of the first of them
     * @param asOfNanos monotonic time: whatever was committed before is seen
     */
    public record View(Map<Partition, Instant> earliest, long asOfNanos) {

        public View {
            earliest = Map.copyOf(earliest);
        }

        /** Whether this partition held no unfinished job, waiting or running, that is due at or before {@code until}. */
        public boolean isEmpty(Partition partition, Instant until) {
            Instant first = earliest.get(partition);
            return first == null || first.isAfter(until);
        }
    }
}
