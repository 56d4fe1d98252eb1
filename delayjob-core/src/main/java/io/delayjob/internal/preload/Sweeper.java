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
 * Finds every waiting row that is overdue. A sweep looks only at the state and the due time of a row, not at leases,
 * cursors or memory. Therefore <em>the sweep guarantees that every committed row is found</em> after it has become due.
 *
 * <pre>
 *   every interval    all names with room:  |-- page --|-- page --|----|   from the oldest to the newest overdue row
 *                                                 '-- a name without room leaves the pass
 *   when it has room  that name alone:      |-- page --| . . . |-- page --| . . .
 * </pre>
 *
 * <p>An engine has two sweeps. The second adopts rows that have been overdue for very long in partitions of other
 * leaders.
 */
public final class Sweeper implements Agent {

    /** A pass of one name may start again from the oldest row only after this number of intervals. */
    private static final int LONGEST_BACKLOG_PASS = 10;

    /** The interval divided by this number is the pause after a page of rows with keys. */
    private static final int KEY_RESTS_PER_INTERVAL = 5;

    private final Reads reads;
    private final EngineClock clock;
    private final Supplier<Set<String>> names;
    private final Capacity capacity;
    private final SweepRules rules;

    private final Map<String, SweepPass> backlogs = new LinkedHashMap<>();

    /** The names that have had a page since the pass began. */
    private final Set<String> served = new HashSet<>();

    private List<Partition> swept = List.of();

    /** The queues that had overdue rows when the present pass began. */
    private Set<String> overdueQueues = Set.of();

    private SweepPass pass;
    private long nextPassNanos;
    private long nextPassPageNanos;
    private long nextBacklogPageNanos;
    private final AtomicBoolean startsAnew = new AtomicBoolean();

    /** Maximum age of the next view; {@code null} after the view was read. */
    private @Nullable Duration youngerThan;

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

    /** Makes the next call of {@link #doWork} begin a new pass, because an earlier pass may have left out rows. */
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
        backlogs.values().forEach(backlog -> backlog.goOnIn(swept));
        // The overdue rows of a name without a free place are read when there are free places again.
        names.get().stream()
                .filter(name -> roomFor(name) <= 0)
                .forEach(name -> backlogs.putIfAbsent(name, SweepPass.through(swept, now)));
    }

    private boolean isToRead(String name, SweepPass backlog) {
        return backlog.mayGoOn(roomFor(name)) && !hasHadItsPage(name);
    }

    private boolean hasHadItsPage(String name) {
        return served.contains(name) && rules.enoughOf().test(name);
    }

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
        // The pass may have to skip millions of overdue rows of slow handlers.
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
     * A pass that takes long to reach its first row gets more time. Otherwise, the pass would never reach that row.
     * Rows without a key get at least as much time as the rows with keys before them.
     */
    private boolean isOld(SweepPass backlog) {
        if (backlog.isOfKeys()) {
            // Rows of other keys may come after these rows.
            return false;
        }
        long enough = Math.max(
                LONGEST_BACKLOG_PASS * rules.interval().toNanos(), SweepPass.REST_PER_WORK * backlog.approachNanos());
        long ofKeys = backlog.freeSinceNanos() - backlog.startedNanos();
        return clock.nanoTime() - backlog.freeSinceNanos() > Math.max(enough, ofKeys);
    }

    /** A name gets a pass of its own if it has no free place, has enough rows, or has nearly only rows with keys. */
    private void readPage() {
        Set<String> queues = queuesOf(swept);
        if (names.get().stream().noneMatch(name -> hasPlaceIn(queues, name))) {
            pass.retain(List.of());
            return;
        }
        leaveOutWhatIsEmpty();
        Set<String> roomy = names.get().stream()
                .filter(name -> !backlogs.containsKey(name) && roomFor(name) > 0)
                .collect(Collectors.toSet());
        if (roomy.isEmpty()) {
            pass.retain(List.of());
            return;
        }
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

    private boolean hasPlaceIn(Set<String> queues, String name) {
        return !backlogs.containsKey(name) && capacity.roomFor(name) > 0 || capacity.hasNewQueue(name, queues);
    }

    private static Set<String> queuesOf(List<Partition> partitions) {
        return partitions.stream().map(Partition::queue).collect(Collectors.toSet());
    }

    /** If no row was kept, memory has enough rows of these keys, so the pause is longer. */
    private void rest(SweepPass backlog, List<DueRow> page) {
        long interval = rules.interval().toNanos();
        long restNanos = capacity.keepsAny(page) ? interval / KEY_RESTS_PER_INTERVAL : interval;
        backlog.restUntil(clock.nanoTime() + restNanos);
    }

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

    private void leaveOutWhatIsEmpty() {
        Duration atMost = youngerThan;
        if (atMost != null) {
            long started = clock.nanoTime();
            Outlook.View view = reads.outlook().youngerThan(atMost);
            Instant until = clock.storeTime().minus(rules.age());
            List<Partition> overdue = swept.stream()
                    .filter(partition -> !view.isEmpty(partition, until))
                    .toList();
            pass.retain(overdue);
            overdueQueues = queuesOf(overdue);
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
     * An accepted row may be claimed before the free places are counted again. The place of such a row must not be used
     * a second time.
     */
    private Offer offer(String name, List<DueRow> rows, long asOfNanos) {
        int before = roomFor(name);
        Set<JobId> refused =
                rules.due().offer(rows, asOfNanos).stream().map(DueRow::id).collect(Collectors.toSet());
        int taken = rows.size() - refused.size();
        return new Offer(refused, Math.max(0, Math.min(before - taken, roomFor(name))));
    }

    /** A queue that is new to the handler has room for a page. */
    private int roomFor(String name) {
        int room = capacity.roomFor(name);
        return room <= 0 && capacity.hasNewQueue(name, overdueQueues) ? reads.batchSize() : room;
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

    /** A page has about as many rows as there are free places, so few rows are read in vain. */
    private int pageSize(SweepPass from, Set<String> roomy) {
        int partitions = from.cursors().size();
        if (from.isOfKeys()) {
            // Rows that wait for their keys need no free place.
            return Pages.lookedAt(1, partitions);
        }
        long room = roomy.stream().mapToLong(this::roomFor).sum();
        return (int) Math.min(Pages.perPartition(reads.batchSize(), partitions), room / partitions + 1);
    }
}
