package io.delayjob.internal.limit;

import static java.util.Objects.requireNonNull;

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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows that run on other instances and count towards limits. When a lease begins, all running rows are read
 * once. While jobs wait for the end of some running rows, the awaited rows are read again once a second. Only one agent
 * thread uses this object.
 */
public final class RunningWatch implements Agent {

    /** Maximum number of rows that one statement reads. Such a statement takes a few milliseconds. */
    private static final int PAGE = 5_000;

    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    /** Pause between two pages. It limits the load, because very many pages may lie between the known rows. */
    private static final long PAGE_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private final Object lock;
    private final List<HeldElsewhere> limits;
    private final Predicate<DueRow> heldHere;
    private final DueJobs store;
    private final EngineClock clock;
    private final Supplier<Collection<Partition>> partitions;
    private final Runnable onWork;

    private @Nullable Search search;
    private long nextLookNanos;

    /** @param lock the lock that guards the limits */
    public RunningWatch(
            Object lock,
            List<HeldElsewhere> limits,
            Predicate<DueRow> heldHere,
            DueJobs store,
            EngineClock clock,
            Supplier<Collection<Partition>> partitions,
            Runnable onWork) {
        this.lock = lock;
        this.limits = limits;
        this.heldHere = heldHere;
        this.store = store;
        this.clock = clock;
        this.partitions = partitions;
        this.onWork = onWork;
        this.nextLookNanos = clock.nanoTime();
    }

    @Override
    public String roleName() {
        return "limits";
    }

    @Override
    public long doWork() {
        Search under = search == null || search.isLook() && !unread().isEmpty() ? begin() : search;
        if (under == null) {
            return awaited().isEmpty() ? UNTIL_WOKEN : Math.max(0, nextLookNanos - clock.nanoTime());
        }
        search = under;
        under.readPage();
        if (!under.cursors.isEmpty()) {
            return under.pauseNanos;
        }
        search = null;
        nextLookNanos = clock.nanoTime() + INTERVAL_NANOS;
        synchronized (lock) {
            under.running.removeIf(heldHere);
            under.end.accept(under.running);
        }
        onWork.run();
        return 0;
    }

    private @Nullable Search begin() {
        List<Unread> unread = unread();
        if (!unread.isEmpty()) {
            return firstRead(unread);
        }
        Set<DueRow> awaited = awaited();
        return awaited.isEmpty() || clock.nanoTime() - nextLookNanos < 0 ? null : look(awaited);
    }

    private record Unread(HeldElsewhere limit, Partition home, long term) {}

    private List<Unread> unread() {
        List<Unread> unread = new ArrayList<>(0);
        synchronized (lock) {
            for (HeldElsewhere limit : limits) {
                limit.unread().forEach((home, term) -> unread.add(new Unread(limit, home, term)));
            }
        }
        return unread;
    }

    private Set<DueRow> awaited() {
        Set<DueRow> awaited = new HashSet<>();
        synchronized (lock) {
            limits.forEach(limit -> awaited.addAll(limit.awaited()));
        }
        return awaited;
    }

    private Search firstRead(List<Unread> unread) {
        List<PartitionCursor> places = partitions.get().stream()
                .filter(place -> unread.stream().anyMatch(of -> of.limit.mayLieIn(of.home, place)))
                .map(PartitionCursor::start)
                .toList();
        return new Search(
                places,
                clock.latestStoreTime().plus(JobPlan.LONGEST_CLAIM_LEAD),
                0,
                cursor -> true,
                running -> unread.forEach(of -> of.limit.learn(of.home, of.term, running)));
    }

    /** The read ends after the last of the known rows, because the due times of running rows do not change. */
    private Search look(Set<DueRow> known) {
        Map<Partition, DueRow> first = new HashMap<>();
        Map<Partition, DueRow> last = new HashMap<>();
        for (DueRow row : known) {
            first.merge(
                    row.partition(),
                    row,
                    (one, other) -> PartitionCursor.at(one).isBefore(other) ? one : other);
            last.merge(
                    row.partition(),
                    row,
                    (one, other) -> PartitionCursor.at(one).isBefore(other) ? other : one);
        }
        return new Search(
                first.values().stream().map(PartitionCursor::before).toList(),
                latestOf(known),
                PAGE_PAUSE_NANOS,
                cursor -> cursor.isBefore(requireNonNull(last.get(cursor.partition()))),
                running -> {
                    Set<DueRow> ended = new HashSet<>(known);
                    running.forEach(ended::remove);
                    limits.forEach(limit -> limit.ended(ended));
                });
    }

    private static Instant latestOf(Set<DueRow> rows) {
        return Instant.ofEpochMilli(
                rows.stream().mapToLong(DueRow::dueMillis).max().orElse(0));
    }

    private final class Search {

        private final Instant until;
        private final long pauseNanos;
        private final Predicate<PartitionCursor> goesOn;
        private final Consumer<Set<DueRow>> end;
        private final Set<DueRow> running = new HashSet<>();
        private List<PartitionCursor> cursors;

        /** @param end is called under the lock */
        Search(
                List<PartitionCursor> from,
                Instant until,
                long pauseNanos,
                Predicate<PartitionCursor> goesOn,
                Consumer<Set<DueRow>> end) {
            this.cursors = from;
            this.until = until;
            this.pauseNanos = pauseNanos;
            this.goesOn = goesOn;
            this.end = end;
        }

        private boolean isLook() {
            return pauseNanos > 0;
        }

        private void readPage() {
            if (cursors.isEmpty()) {
                return;
            }
            DuePage<ClaimedRow> page =
                    store.claimedByOthers(cursors, until, Set.of(), Math.max(1, PAGE / cursors.size()));
            page.rows().stream()
                    .map(ClaimedRow::row)
                    .filter(row -> limits.stream().anyMatch(limit -> limit.isUsedUpBy(row)))
                    .forEach(running::add);
            cursors = page.next().stream().filter(goesOn).toList();
        }
    }
}
