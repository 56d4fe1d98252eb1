package io.delayjob.internal.dispatch;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobPlan;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DueJobs;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the running rows whose mutexes are busy although this instance has not claimed them. It reads once after each
 * lease begins under which a row with a mutex has come. While tickets wait for a mutex that it has found busy, it looks
 * again once a second. If no job has a mutex, it reads nothing.
 *
 * <p>For one agent thread.
 */
public final class MutexWatch implements Agent {

    /** Maximum number of rows that one statement reads. This takes a few milliseconds. */
    private static final int PAGE = 5_000;

    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    /** Pause between two pages of a look at known rows, which are few and may lie far apart in a backlog. */
    private static final long PAGE_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private final Lanes lanes;
    private final DueJobs store;
    private final EngineClock clock;
    private final Supplier<Collection<Partition>> partitions;
    private final Runnable onWork;

    private @Nullable Search search;
    private long nextLookNanos;

    /** @param partitions the partitions that hold rows, whichever instance leads them */
    public MutexWatch(
            Lanes lanes,
            DueJobs store,
            EngineClock clock,
            Supplier<Collection<Partition>> partitions,
            Runnable onWork) {
        this.lanes = lanes;
        this.store = store;
        this.clock = clock;
        this.partitions = partitions;
        this.onWork = onWork;
        this.nextLookNanos = clock.nanoTime();
    }

    @Override
    public String roleName() {
        return "mutex";
    }

    @Override
    public long doWork() {
        Search under = search == null || search instanceof Look && isUnknown() ? begin() : search;
        if (under == null) {
            return isAwaited() ? Math.max(0, nextLookNanos - clock.nanoTime()) : UNTIL_WOKEN;
        }
        search = under;
        under.readPage();
        if (!under.cursors.isEmpty()) {
            return under.pauseNanos;
        }
        search = null;
        nextLookNanos = clock.nanoTime() + INTERVAL_NANOS;
        synchronized (lanes) {
            under.end();
        }
        onWork.run();
        return 0;
    }

    private boolean isAwaited() {
        synchronized (lanes) {
            return !lanes.mutexes.awaited().isEmpty();
        }
    }

    /** Tells whether a lease has begun whose mutexes all wait for a first read. A look takes long in a backlog. */
    private boolean isUnknown() {
        synchronized (lanes) {
            return !lanes.mutexes.unknown().isEmpty();
        }
    }

    private @Nullable Search begin() {
        Map<Partition, Long> unknown;
        List<DueRow> awaited;
        synchronized (lanes) {
            lanes.mutexes.dropLost();
            unknown = lanes.mutexes.unknown();
            awaited = lanes.mutexes.awaited();
        }
        if (!unknown.isEmpty()) {
            return new FirstRead(unknown);
        }
        return awaited.isEmpty() || clock.nanoTime() - nextLookNanos < 0 ? null : new Look(awaited);
    }

    /** A read of running rows, page by page. */
    private abstract class Search {

        private final Instant until;
        private final long pauseNanos;
        private List<PartitionCursor> cursors;
        final List<DueRow> running = new ArrayList<>();

        Search(List<PartitionCursor> from, Instant until, long pauseNanos) {
            this.cursors = from;
            this.until = until;
            this.pauseNanos = pauseNanos;
        }

        private void readPage() {
            if (cursors.isEmpty()) {
                return;
            }
            DuePage<ClaimedRow> page =
                    store.claimedByOthers(cursors, until, Set.of(), Math.max(1, PAGE / cursors.size()));
            page.rows().stream()
                    .map(ClaimedRow::row)
                    .filter(row -> row.mutex() != null)
                    .forEach(running::add);
            cursors = page.next();
        }

        /** Passes on what was found. Guarded by the lock of the lanes. */
        abstract void end();
    }

    /** The read after a lease has begun. A row with a mutex may lie in any partition of its queue. */
    private final class FirstRead extends Search {

        private final Map<Partition, Long> terms;

        FirstRead(Map<Partition, Long> terms) {
            super(placesOf(terms.keySet()), clock.latestStoreTime().plus(JobPlan.LONGEST_CLAIM_LEAD), 0);
            this.terms = terms;
        }

        @Override
        void end() {
            terms.forEach((home, term) -> lanes.mutexes.learn(home, term, running));
        }
    }

    private List<PartitionCursor> placesOf(Set<Partition> homes) {
        Set<String> queues = homes.stream().map(Partition::queue).collect(Collectors.toSet());
        Set<Partition> all = new HashSet<>(homes);
        partitions.get().stream()
                .filter(partition -> queues.contains(partition.queue()))
                .forEach(all::add);
        return all.stream().map(PartitionCursor::start).toList();
    }

    /** A look at running rows that are known. The due time of a running row does not change. */
    private final class Look extends Search {

        private final List<DueRow> known;

        Look(List<DueRow> known) {
            super(placesBefore(known), latestOf(known), PAGE_PAUSE_NANOS);
            this.known = known;
        }

        @Override
        void end() {
            List<DueRow> ended = new ArrayList<>(known);
            ended.removeAll(running);
            lanes.mutexes.ended(ended);
        }
    }

    private static List<PartitionCursor> placesBefore(List<DueRow> rows) {
        Map<Partition, Long> earliest = new HashMap<>();
        rows.forEach(row -> earliest.merge(row.partition(), row.dueMillis(), Math::min));
        return earliest.entrySet().stream()
                .map(entry -> PartitionCursor.behind(entry.getKey(), entry.getValue() - 1))
                .toList();
    }

    private static Instant latestOf(List<DueRow> rows) {
        return Instant.ofEpochMilli(
                rows.stream().mapToLong(DueRow::dueMillis).max().orElse(0));
    }
}
