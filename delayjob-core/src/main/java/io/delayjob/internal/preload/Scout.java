package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds overdue rows that come after very many rows of one fair key. If memory has no place for a row, a {@link
 * Sweeper} stops at this row. The sweeper then does not find later rows of other keys. While the sweeper waits, this
 * agent reads further rows in two ways:
 *
 * <pre>
 *   overdue rows   a a a a a a a a a a a a a a b a a a a a a c
 *   sweep          ----&gt; waits for a free place
 *   whole pass     ---------- page after page -------------&gt;     takes long if there are many rows
 *   latest rows                                         ---&gt;     every interval: rows due since the last read
 * </pre>
 *
 * <p>The scout does not change the order in which the jobs of one key start. One agent thread uses this object.
 */
public final class Scout implements Agent {

    /** Maximum number of rows that are passed on at once, because threads that claim rows must wait meanwhile. */
    private static final int OFFERED_AT_ONCE = 500;

    /** A pass remembers at most this number of keys that have no free place. */
    private static final int MOST_KEYS_WITHOUT_ROOM = 10_000;

    private final Reads reads;
    private final EngineClock clock;
    private final Supplier<List<Partition>> partitions;
    private final Supplier<Ground> wishes;
    private final Intakes due;
    private final Terms terms;

    private List<Partition> led = List.of();

    private Ground ofWholePass = Ground.NONE;

    /** Handlers and queues whose rows may have become hidden after the current whole pass began. */
    private Ground hiddenSince = Ground.NONE;

    private Ground ofLatest = Ground.NONE;
    private SweepPass whole;
    private SweepPass latest;

    private final Set<Key> withoutRoom = new HashSet<>();

    /**
     * The scout has read the latest rows up to this store time, or is reading them now. While no sweeper waits, this
     * time advances although the scout reads no rows.
     */
    private long lookedUntilMillis = Long.MAX_VALUE;

    private long nextLookNanos;
    private long nextWholePageNanos;
    private long nextLatestPageNanos;

    /**
     * Contains the times that control a scout.
     *
     * @param interval the time between two reads of the latest rows
     * @param age how long a row must be overdue before the scout reads the row
     */
    public record Terms(Duration interval, Duration age) {}

    /**
     * Contains each queue in which rows may be hidden, and the name of each handler whose rows may be hidden. These
     * handlers have a fair key.
     */
    public record Ground(Set<String> names, Set<String> queues) {

        static final Ground NONE = new Ground(Set.of(), Set.of());

        private Ground and(Ground other) {
            return new Ground(union(names, other.names), union(queues, other.queues));
        }

        private static Set<String> union(Set<String> one, Set<String> other) {
            return Stream.of(one, other).flatMap(Set::stream).collect(Collectors.toSet());
        }

        private List<Partition> among(Collection<Partition> partitions) {
            return partitions.stream()
                    .filter(partition -> queues.contains(partition.queue()))
                    .toList();
        }
    }

    /**
     * @param hidden receives rows of the whole pass
     * @param latest receives rows that have just become due
     */
    public record Intakes(DueIntake hidden, DueIntake latest) {}

    private record Key(String name, String queue, @Nullable String fairKey) {

        static Key of(DueRow row) {
            return new Key(row.name(), row.partition().queue(), row.fairKey());
        }
    }

    /**
     * @param wishes returns the handlers and queues whose rows may have been hidden since the last call of {@code
     *     wishes}
     */
    public Scout(Reads reads, Supplier<List<Partition>> partitions, Supplier<Ground> wishes, Intakes due, Terms terms) {
        this.reads = reads;
        this.clock = reads.clock();
        this.partitions = partitions;
        this.wishes = wishes;
        this.due = due;
        this.terms = terms;
        this.nextLookNanos = clock.nanoTime();
        this.whole = SweepPass.through(List.of(), nextLookNanos);
        this.latest = whole;
    }

    @Override
    public String roleName() {
        return "scout";
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        if (now - nextLookNanos >= 0) {
            nextLookNanos = now + terms.interval.toNanos();
            look(now);
        }
        StoreException failure = null;
        if (!latest.isThrough() && now - nextLatestPageNanos >= 0) {
            failure = latest.read(this::readLatest, clock);
            nextLatestPageNanos = clock.nanoTime() + latest.latestWorkNanos();
        }
        if (!whole.isThrough() && now - nextWholePageNanos >= 0) {
            StoreException another = whole.read(this::readWhole, clock);
            nextWholePageNanos = clock.nanoTime() + SweepPass.REST_PER_WORK * whole.latestWorkNanos();
            failure = failure == null ? another : failure;
        }
        if (failure != null) {
            throw failure;
        }
        return untilNext();
    }

    private long untilNext() {
        long next = nextLookNanos;
        next = latest.isThrough() ? next : Math.min(next, nextLatestPageNanos);
        next = whole.isThrough() ? next : Math.min(next, nextWholePageNanos);
        return Math.max(0, next - clock.nanoTime());
    }

    /** If rows become hidden during a pass, they wait for the next pass, which begins with the oldest row. */
    private void look(long now) {
        Set<Partition> before = Set.copyOf(led);
        led = List.copyOf(partitions.get());
        whole.retain(led::contains);
        latest.retain(led::contains);
        Ground wanted = wishes.get();
        if (whole.isThrough()) {
            ofWholePass = hiddenSince.and(wanted);
            hiddenSince = Ground.NONE;
            whole = SweepPass.through(ofWholePass.among(led), now);
            withoutRoom.clear();
        } else {
            hiddenSince = hiddenSince.and(wanted);
            List<Partition> gained = led.stream()
                    .filter(partition -> !before.contains(partition))
                    .toList();
            whole.add(ofWholePass.among(gained));
        }
        if (latest.isThrough()) {
            lookAtLatest(now);
        }
    }

    private void lookAtLatest(long now) {
        long until = clock.storeTime().minus(terms.age).toEpochMilli();
        // The last interval is read again, because some rows are committed late.
        long from = Math.min(lookedUntilMillis, until) - terms.interval.toMillis();
        ofLatest = ofWholePass.and(hiddenSince);
        latest = SweepPass.behind(ofLatest.among(led), from, now);
        lookedUntilMillis = until;
    }

    private void readLatest() {
        long asOf = clock.nanoTime();
        inParts(readPage(latest, ofLatest.names), rows -> due.latest.offer(rows, asOf));
    }

    private void readWhole() {
        long asOf = clock.nanoTime();
        inParts(readPage(whole, ofWholePass.names), rows -> {
            List<DueRow> offered = rows.stream()
                    .filter(row -> !withoutRoom.contains(Key.of(row)))
                    .toList();
            due.hidden.offer(offered, asOf).stream()
                    .map(Key::of)
                    .filter(key -> withoutRoom.size() < MOST_KEYS_WITHOUT_ROOM)
                    .forEach(withoutRoom::add);
        });
    }

    private static void inParts(List<DueRow> rows, Consumer<List<DueRow>> offer) {
        for (int from = 0; from < rows.size(); from += OFFERED_AT_ONCE) {
            offer.accept(rows.subList(from, Math.min(rows.size(), from + OFFERED_AT_ONCE)));
        }
    }

    private List<DueRow> readPage(SweepPass way, Set<String> names) {
        long started = clock.nanoTime();
        Collection<PartitionCursor> from = way.cursors();
        int rows = Pages.lookedAt(1, from.size());
        DuePage<DueRow> page = reads.store().overdue(from, clock.storeTime().minus(terms.age), names, rows, rows);
        way.advance(from, page, Set.of());
        reads.tell(roleName(), page.rows().size(), started);
        return page.rows();
    }
}
