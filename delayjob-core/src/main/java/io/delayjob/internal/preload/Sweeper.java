package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds every waiting row that is overdue, only by its state and due time. It does not depend on leases, cursors or the
 * memory of any instance. So <em>the sweep guarantees that every committed row is found</em> after it has become due.
 *
 * <pre>
 *   every interval    all names with room:  |-- page --|-- page --|----|   from the oldest to the newest overdue row
 *                                                 '-- a name without room leaves the pass
 *   when it has room  that name alone:      |-- page --| . . . |-- page --| . . .
 * </pre>
 *
 * <p>Each pass leaves out the partitions in which the {@linkplain Outlook outlook} shows no overdue row. If jobs start
 * when they are due, these are all partitions.
 *
 * <p>The backlog of a slow handler does not delay other rows: the store leaves out rows of names that have no handler
 * or no room here. Rows that cannot start here for other reasons are skipped. A page skips at most as many rows as a
 * statement can read in a few milliseconds.
 *
 * <p>An engine has two sweeps. One reads the partitions that this instance leads. The other one adopts rows of other
 * partitions if they are overdue for so long that their leader apparently cannot start them. If enough rows of a name
 * are in memory here, the second sweep reads only one page of this name in each pass. To read more rows would be
 * useless, because their leader will start them.
 */
public final class Sweeper implements Agent {

    /**
     * Number of intervals after which a backlog is read again from its oldest row, because some rows are committed
     * late.
     */
    private static final int LONGEST_BACKLOG_PASS = 10;

    /**
     * Part of the interval for which a sweep rests between two pages of rows with keys. A million rows may wait for
     * one key, and most rows of these pages are read for nothing.
     */
    private static final int KEY_RESTS_PER_INTERVAL = 5;

    private final Reads reads;
    private final EngineClock clock;
    private final Supplier<Set<String>> names;
    private final Capacity capacity;
    private final SweepRules rules;

    private final Map<String, SweepPass> backlogs = new LinkedHashMap<>();

    /** The names of which a page was read since the pass began. */
    private final Set<String> served = new HashSet<>();

    private List<Partition> swept = List.of();
    private SweepPass pass;
    private long nextPassNanos;
    private long nextPassPageNanos;
    private long nextBacklogPageNanos;
    private final AtomicBoolean startsAnew = new AtomicBoolean();

    /**
     * Maximum age of the view that tells which partitions the pass can leave out; {@code null} after it was read.
     */
    private @Nullable Duration youngerThan;

    /** @param names the names of the handlers on this instance */
    public Sweeper(Reads reads, Supplier<Set<String>> names, Capacity capacity, SweepRules rules) {
        this.reads = reads;
        this.clock = reads.clock();
        this.names = names;
        this.capacity = capacity;
        this.rules = rules;
        this.pass = SweepPass.through(swept, clock.nanoTime());
        this.nextPassNanos = clock.nanoTime();
        this.nextPassPageNanos = nextPassNanos;
        this.nextBacklogPageNanos = nextPassNanos;
    }

    @Override
    public String roleName() {
        return rules.role();
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        boolean newGround = startsAnew.getAndSet(false) | followPartitions();
        if (newGround) {
            backlogs.clear();
        }
        if (newGround || pass.isThrough() && now - nextPassNanos >= 0) {
            startPass(now);
            youngerThan = newGround ? Duration.ZERO : rules.oldestView();
        }
        readPages(now);
        return untilNext();
    }

    /** Begins a pass at once, because rows may exist now that were left out before. Takes effect with the next call. */
    public void startAnew() {
        startsAnew.set(true);
    }

    private long untilNext() {
        long now = clock.nanoTime();
        long pause = (pass.isThrough() ? nextPassNanos : nextPassPageNanos) - now;
        for (Map.Entry<String, SweepPass> backlog : backlogs.entrySet()) {
            if (isToRead(backlog.getKey(), backlog.getValue())) {
                long rest = backlog.getValue().restNanos(now);
                pause = Math.min(pause, Math.max(nextBacklogPageNanos - now, rest));
            }
        }
        return Math.max(pause, 0);
    }

    private boolean followPartitions() {
        List<Partition> before = swept;
        swept = List.copyOf(rules.partitions().get());
        pass.retain(swept);
        backlogs.values().forEach(backlog -> backlog.retain(swept));
        return !before.containsAll(swept);
    }

    private void startPass(long now) {
        pass = SweepPass.through(swept, now);
        nextPassNanos = now + rules.interval().toNanos();
        served.clear();
        backlogs.values().removeIf(SweepPass::isThrough);
        backlogs.values().forEach(SweepPass::goOn);
        // A name without room may have a backlog, which is read when there is room again.
        names.get().stream()
                .filter(name -> capacity.roomFor(name) <= 0)
                .forEach(name -> backlogs.putIfAbsent(name, SweepPass.through(swept, now)));
    }

    private boolean isToRead(String name, SweepPass backlog) {
        return backlog.mayGoOn(capacity.roomFor(name)) && !hasHadItsPage(name);
    }

    private boolean hasHadItsPage(String name) {
        return served.contains(name) && rules.enoughOf().test(name);
    }

    /**
     * Reads pages. If a page cannot be read, the other pages are read nevertheless. Then the exception is thrown.
     */
    private void readPages(long now) {
        StoreException failure = null;
        if (!pass.isThrough() && now - nextPassPageNanos >= 0) {
            failure = readPassPage();
        }
        if (now - nextBacklogPageNanos >= 0) {
            StoreException another = readBacklogPages();
            failure = failure == null ? another : failure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable StoreException readPassPage() {
        StoreException failure = pass.read(this::readPage, clock);
        nextPassNanos =
                pass.startedNanos() + Math.max(rules.interval().toNanos(), SweepPass.REST_PER_WORK * pass.workNanos());
        // The pass may have to skip millions of rows of a backlog. The reads of the backlog itself are more important.
        long took = pass.latestWorkNanos();
        nextPassPageNanos = clock.nanoTime() + (backlogs.isEmpty() ? took : SweepPass.REST_PER_WORK * took);
        return failure;
    }

    private @Nullable StoreException readBacklogPages() {
        long started = clock.nanoTime();
        long work = 0;
        StoreException failure = null;
        for (String name : List.copyOf(backlogs.keySet())) {
            SweepPass backlog = Objects.requireNonNull(backlogs.get(name));
            if (isToRead(name, backlog) && backlog.restNanos(started) <= 0) {
                SweepPass way = isOld(backlog) ? SweepPass.through(swept, started) : backlog;
                backlogs.put(name, way);
                StoreException another = way.read(() -> readBacklog(name, way), clock);
                work += way.latestWorkNanos();
                failure = failure == null ? another : failure;
            }
        }
        nextBacklogPageNanos = clock.nanoTime() + work;
        return failure;
    }

    /**
     * Tells whether a backlog must be read again from its oldest row. If it takes long to reach the rows of a backlog,
     * its pass gets more time. Otherwise the pass would never reach them. Rows without a key may come after many rows
     * with keys. To read them, the pass gets at least as much time as the rows with keys took.
     */
    private boolean isOld(SweepPass backlog) {
        if (backlog.isOfKeys()) {
            // Rows of other keys may follow.
            return false;
        }
        long enough = Math.max(
                LONGEST_BACKLOG_PASS * rules.interval().toNanos(), SweepPass.REST_PER_WORK * backlog.approachNanos());
        long ofKeys = backlog.freeSinceNanos() - backlog.startedNanos();
        return clock.nanoTime() - backlog.freeSinceNanos() > Math.max(enough, ofKeys);
    }

    /**
     * Reads a page of rows of all names with room. If a name has no more room, or enough rows, the pass continues
     * without this name.
     */
    private void readPage() {
        Set<String> roomy = names.get().stream()
                .filter(name -> !backlogs.containsKey(name) && capacity.roomFor(name) > 0)
                .collect(Collectors.toSet());
        if (roomy.isEmpty()) {
            pass.retain(List.of());
            return;
        }
        leaveOutWhatIsEmpty();
        long asOf = clock.nanoTime();
        DuePage<DueRow> page = read(pass, roomy);
        Map<String, List<DueRow>> byName = page.rows().stream()
                .collect(Collectors.groupingBy(DueRow::name, LinkedHashMap::new, Collectors.toList()));
        byName.forEach((name, ofName) -> {
            Offer offer = offer(name, ofName, asOf);
            if (!offer.refused.isEmpty()) {
                backlogs.computeIfAbsent(name, n -> pass.copy()).heldUp(offer.roomLeft);
            }
        });
        pass.advance(page, Set.of());
        served.addAll(byName.keySet());
        byName.keySet().stream()
                .filter(name -> !pass.isThrough() && hasHadItsPage(name))
                .forEach(name -> backlogs.computeIfAbsent(name, n -> pass.copy()));
        byName.forEach((name, ofName) -> {
            if (!pass.isThrough() && isOfKeys(ofName)) {
                rest(backlogs.computeIfAbsent(name, n -> pass.copy()), ofName);
            }
        });
    }

    /**
     * Lets a pass rest after a page of rows with keys. If none of them was kept, enough rows of their keys are in
     * memory, and the rest is longer.
     */
    private void rest(SweepPass backlog, List<DueRow> page) {
        long interval = rules.interval().toNanos();
        long restNanos = capacity.keepsAny(page) ? interval / KEY_RESTS_PER_INTERVAL : interval;
        backlog.restUntil(clock.nanoTime() + restNanos);
    }

    /** Tells whether nearly all of these rows have a key. */
    private boolean isOfKeys(List<DueRow> rows) {
        int others = 0;
        for (DueRow row : rows) {
            others += capacity.hasKey(row) ? 0 : 1;
            if (10 * others > rows.size()) {
                return false;
            }
        }
        return !rows.isEmpty();
    }

    /** Removes partitions without any overdue job from the pass. Usually these are all partitions. */
    private void leaveOutWhatIsEmpty() {
        Duration atMost = youngerThan;
        if (atMost != null) {
            long started = clock.nanoTime();
            Outlook.View view = reads.outlook().youngerThan(atMost);
            Instant until = clock.storeTime().minus(rules.age());
            pass.retain(swept.stream()
                    .filter(partition -> !view.isEmpty(partition, until))
                    .toList());
            youngerThan = null;
            if (pass.isThrough()) {
                reads.tell(rules.role(), 0, started);
            }
        }
    }

    private void readBacklog(String name, SweepPass backlog) {
        long asOf = clock.nanoTime();
        DuePage<DueRow> page = read(backlog, Set.of(name));
        served.add(name);
        if (!page.rows().isEmpty()) {
            backlog.arrive();
        }
        Offer offer = offer(name, page.rows(), asOf);
        if (isOfKeys(page.rows())) {
            rest(backlog, page.rows());
        } else {
            backlog.restNoLonger(clock.nanoTime());
        }
        backlog.advance(page, offer.refused);
        if (backlog.isThrough()) {
            backlogs.remove(name);
        } else if (offer.refused.isEmpty()) {
            backlog.goOn();
        } else {
            backlog.heldUp(offer.roomLeft);
        }
    }

    /**
     * Offers rows of one name. The remaining room is computed from the room before and the accepted rows. It is not
     * read again, because accepted rows may already be claimed, and their room must not be used a second time.
     */
    private Offer offer(String name, List<DueRow> rows, long asOfNanos) {
        int before = capacity.roomFor(name);
        Set<JobId> refused =
                rules.due().offer(rows, asOfNanos).stream().map(DueRow::id).collect(Collectors.toSet());
        int taken = rows.size() - refused.size();
        return new Offer(refused, Math.max(0, Math.min(before - taken, capacity.roomFor(name))));
    }

    private record Offer(Set<JobId> refused, int roomLeft) {}

    private DuePage<DueRow> read(SweepPass from, Set<String> roomy) {
        if (from.isThrough()) {
            return DuePage.none();
        }
        int rows = pageSize(from, roomy);
        int lookAt = Pages.lookedAt(rows, from.cursors().size());
        long started = clock.nanoTime();
        DuePage<DueRow> page =
                reads.store().overdue(from.cursors(), clock.storeTime().minus(rules.age()), roomy, rows, lookAt);
        reads.tell(rules.role(), page.rows().size(), started);
        return page;
    }

    /**
     * Returns the number of rows to read from each partition: about as many as there is room for, so that few rows are
     * read in vain.
     */
    private int pageSize(SweepPass from, Set<String> roomy) {
        int partitions = from.cursors().size();
        if (from.isOfKeys()) {
            // Rows that wait for their keys need no room, and other keys may lie behind many of them.
            return Pages.lookedAt(1, partitions);
        }
        long room = roomy.stream().mapToLong(capacity::roomFor).sum();
        return (int) Math.min(Pages.perPartition(reads.batchSize(), partitions), room / partitions + 1);
    }
}
