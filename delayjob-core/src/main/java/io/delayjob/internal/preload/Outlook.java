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
 * Tells agents which partitions they need not read, because a regular read would find nothing there. If the earliest
 * unfinished row of a partition is due after the window, agents can leave out this partition. Such a partition has no
 * due or overdue rows. It also has no running rows that may be lost.
 *
 * <pre>
 *                            earliest row
 *   --|---------|----------------|-----------
 *    now      now + window
 *     '- neither sweep nor window read nor look for lost attempts would find a row
 * </pre>
 *
 * <p>One statement reads the earliest row of each partition. It needs one index look-up for each partition, whatever
 * the number of rows. Before an agent reads a partition, the agent asks this object. The rows that one statement has
 * read form a <em>view</em>. If an agent needs a newer view than the last one, this object reads a new view. From then
 * on, all agents use the new view.
 *
 * <p>Thread-safe. While one thread reads a view, the other threads do not wait for it, because the store may never
 * reply.
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
     * @throws StoreException if there is no such view, and a new view cannot be read
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
     * Returns the last view if it was read less than {@code age} ago, otherwise {@code null}. This method does not ask
     * the store.
     */
    public @Nullable View lastIfYoungerThan(Duration age) {
        View view = last;
        return view != null && clock.nanoTime() - view.asOfNanos < age.toNanos() ? view : null;
    }

    /**
     * Contains the partitions with unfinished jobs, at one moment.
     *
     * @param earliest the partitions that contained unfinished jobs, each with the earliest due time
     * @param asOfNanos monotonic time of the view; the view includes all earlier commits
     */
    public record View(Map<Partition, Instant> earliest, long asOfNanos) {

        public View {
            earliest = Map.copyOf(earliest);
        }

        /**
         * Returns {@code true} if no unfinished job in this partition, waiting or running, was due at or before {@code
         * until}.
         */
        public boolean isEmpty(Partition partition, Instant until) {
            Instant first = earliest.get(partition);
            return first == null || first.isAfter(until);
        }
    }
}
