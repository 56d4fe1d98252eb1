package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Finds overdue rows behind the backlog of one fair key, in the partitions that this instance leads. A {@link Sweeper}
 * waits at the first row without room, so it does not see the rows of other keys behind it. While it waits,
 * the scout reads on in two ways. Rows of keys without room are dropped.
 *
 * <pre>
 *   overdue rows   a a a a a a a a a a a a a a b a a a a a a c
 *   sweep          ----&gt; waits for room
 *   whole pass     ---------- page after page -------------&gt;     behind a long backlog, it takes its time
 *   latest rows                                         ---&gt;     every interval: what has come due since the last look
 * </pre>
 *
 * <p>So a row that comes due is looked at within two intervals, however long the backlog is. If no sweep waits, the
 * scout reads nothing. Used by one agent thread.
 */
public final class Scout implements Agent {

    /**
     * After a page of the whole pass, the scout pauses for this number of times as long as the read took, because most
     * of these rows are read for nothing.
     */
    private static final int REST_PER_WORK = 5;

    private final Reads reads;
    private final EngineClock clock;
    private final Supplier<List<Partition>> partitions;
    private final Supplier<Set<String>> toScout;
    private final DueIntake due;
    private final Terms terms;

    private List<Partition> scouted = List.of();
    private Set<String> names = Set.of();
    private SweepPass whole;
    private SweepPass latest;

    /** Store time up to which the rows that had come due were looked at, or no sweep waited. */
    private long lookedUntilMillis = Long.MAX_VALUE;

    private long nextLookNanos;
    private long nextWholePageNanos;
    private long nextLatestPageNanos;

    /**
     * The times of a scout.
     *
     * @param interval the time between two looks at the latest rows. A row that is committed later than this after its
     *     due time is found by the whole pass
     * @param age the time for which a row must be overdue
     */
    public record Terms(Duration interval, Duration age) {}

    /**
     * @param partitions the partitions that this instance leads
     * @param toScout the handler names for whose rows the sweep has no room, although other fair keys may have room
     * @param due the intake for the rows that the scout finds
     */
    public Scout(
            Reads reads,
            Supplier<List<Partition>> partitions,
            Supplier<Set<String>> toScout,
            DueIntake due,
            Terms terms) {
        this.reads = reads;
        this.clock = reads.clock();
        this.partitions = partitions;
        this.toScout = toScout;
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
        if (!latest.isThrough() && now - nextLatestPageNanos >= 0) {
            long took = readPage(latest);
            nextLatestPageNanos = clock.nanoTime() + took;
        }
        if (!whole.isThrough() && now - nextWholePageNanos >= 0) {
            long took = readPage(whole);
            nextWholePageNanos = clock.nanoTime() + REST_PER_WORK * took;
        }
        return untilNext();
    }

    private long untilNext() {
        long next = nextLookNanos;
        next = latest.isThrough() ? next : Math.min(next, nextLatestPageNanos);
        next = whole.isThrough() ? next : Math.min(next, nextWholePageNanos);
        return Math.max(0, next - clock.nanoTime());
    }

    /** Begins the passes that are needed now. */
    private void look(long now) {
        List<Partition> present = List.copyOf(partitions.get());
        boolean newGround = !scouted.containsAll(present);
        scouted = present;
        whole.retain(scouted);
        latest.retain(scouted);
        Set<String> wanted = toScout.get();
        if (whole.isThrough()) {
            names = wanted;
        } else if (!names.containsAll(wanted)) {
            names = new TreeSet<>(names);
            names.addAll(wanted);
        }
        if (!names.isEmpty() && (newGround || whole.isThrough())) {
            whole = SweepPass.through(scouted, now);
        }
        if (latest.isThrough()) {
            lookAtLatest(now);
        }
    }

    private void lookAtLatest(long now) {
        long until = clock.storeTime().minus(terms.age).toEpochMilli();
        if (!names.isEmpty()) {
            // One interval is read twice, because some rows are committed late.
            long from = Math.min(lookedUntilMillis, until) - terms.interval.toMillis();
            latest = SweepPass.behind(scouted, from, now);
        }
        lookedUntilMillis = until;
    }

    /** Reads a page, and returns the nanoseconds that this took. */
    private long readPage(SweepPass way) {
        long started = clock.nanoTime();
        int rows = Pages.lookedAt(1, way.cursors().size());
        DuePage<DueRow> page =
                reads.store().overdue(way.cursors(), clock.storeTime().minus(terms.age), names, rows, rows);
        due.offer(page.rows(), started);
        way.advance(page, Set.of());
        reads.tell(roleName(), page.rows().size(), started);
        return clock.nanoTime() - started;
    }
}
