package io.delayjob.internal.preload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.DueSink;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests a scout that looks every second for rows that are overdue by 200 ms. The sweep brings the rows of key a, so the
 * scout finds no room for them. Each other key has room for 1,000 rows. Its earliest rows start first.
 */
class ScoutTest {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration FAILURE_TAKES = Duration.ofMillis(300);

    private final HandClock clock = new HandClock();
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final List<Partition> partitions = new ArrayList<>(List.of(new Partition("default", 0)));
    private final Set<JobId> taken = new LinkedHashSet<>();
    private final Map<String, PriorityQueue<DueRow>> waiting = new HashMap<>();
    private final List<DueRow> started = new ArrayList<>();
    private final Set<String> toScout = new HashSet<>();
    private Duration readTakes = Duration.ZERO;
    private int lastId;

    private final Scout scout = new Scout(
            new Reads(
                    store.asStore(),
                    new Outlook(store.asStore(), clock),
                    clock,
                    new JobListeners(List.of(new JobListener() {
                        @Override
                        public void preloaded(String role, int rows, Duration took) {
                            clock.advance(readTakes);
                        }
                    })),
                    10),
            () -> partitions,
            () -> {
                Scout.Ground ground =
                        new Scout.Ground(Set.copyOf(toScout), toScout.isEmpty() ? Set.of() : Set.of("default"));
                toScout.clear();
                return ground;
            },
            new Scout.Intakes((rows, asOf) -> offer(rows, 1_000), (rows, asOf) -> offer(rows, 4_000)),
            new Scout.Terms(INTERVAL, Duration.ofMillis(200)));

    /** Takes each row once, as long as its key has room. */
    private List<DueRow> offer(List<DueRow> offered, int most) {
        List<DueRow> refused = new ArrayList<>();
        for (DueRow row : offered) {
            PriorityQueue<DueRow> ofKey = waiting.computeIfAbsent(
                    row.fairKey(), key -> new PriorityQueue<>(Comparator.comparingLong(DueRow::dueMillis)));
            if ("a".equals(row.fairKey())) {
                refused.add(row);
                toScout.add(row.name());
            } else if (taken.contains(row.id())) {
                continue;
            } else if (ofKey.size() >= most) {
                refused.add(row);
            } else {
                taken.add(row.id());
                ofKey.add(row);
            }
        }
        return refused;
    }

    @Test
    void nothingIsRead_whileNoSweepWaits() {
        write("a", -60_000, 20);
        write("b", -60_000, 20);
        pass(Duration.ofMinutes(1));

        assertThat(store.calls("overdue")).isEmpty();
        assertThat(taken).isEmpty();
    }

    @Test
    void rowBehindABacklog_isFound() {
        write("a", -60_000, 20_000);
        List<JobId> behind = write("b", -50_000, 3);
        toScout.add("render");
        pass(INTERVAL);

        assertThat(taken).containsExactlyElementsOf(behind);
    }

    @Test
    void readsEnd_whenNoSweepWaitsAnyMore() {
        write("a", -60_000, 20);
        toScout.add("render");
        pass(INTERVAL.multipliedBy(3));
        assertThat(store.calls("overdue")).isNotEmpty();
        rows.claim(
                rows.overdue(
                                List.of(PartitionCursor.start(partitions.get(0))),
                                clock.storeTime(),
                                Set.of("render"),
                                100,
                                100)
                        .rows(),
                1,
                7,
                clock.storeTime());
        pass(INTERVAL.multipliedBy(3));
        store.forgetCalls();

        pass(Duration.ofMinutes(1));

        assertThat(store.calls("overdue")).isEmpty();
    }

    @Test
    void wholePass_usesASixthOfTheTime() {
        write("a", -60_000, 100_000);
        List<JobId> behind = write("b", -50_000, 1);
        toScout.add("render");
        readTakes = Duration.ofMillis(15);
        Instant begin = clock.storeTime();
        while (taken.isEmpty()) {
            clock.advance(Duration.ofNanos(scout.doWork()));
        }

        assertThat(taken).containsExactlyElementsOf(behind);
        // 20 pages, each with five times as much rest.
        assertThat(Duration.between(begin, clock.storeTime()))
                .isBetween(Duration.ofMillis(1_700), Duration.ofSeconds(3));
    }

    @Test
    void rowThatHasJustComeDue_isFoundWithinTwoIntervals_howeverLongTheBacklog() {
        write("a", -60_000, 100_000);
        toScout.add("render");
        readTakes = Duration.ofMillis(300);
        // A whole pass takes 36 seconds.
        pass(Duration.ofSeconds(5));
        List<JobId> now = write("b", 0, 1);
        readTakes = Duration.ofMillis(15);
        pass(Duration.ofMillis(2_000));

        assertThat(taken).containsExactlyElementsOf(now);
    }

    @Test
    void rowThatIsCommittedWithinAnIntervalAfterItsDueTime_isFoundWithTheLatest() {
        write("a", -60_000, 100_000);
        toScout.add("render");
        readTakes = Duration.ofMillis(300);
        pass(Duration.ofSeconds(5));
        List<JobId> late = write("b", -1_000, 1);
        pass(Duration.ofMillis(2_600));

        assertThat(taken).containsExactlyElementsOf(late);
    }

    @Test
    void rowThatIsCommittedLate_isFoundByTheNextWholePass() {
        write("a", -60_000, 6_000);
        toScout.add("render");
        pass(INTERVAL);
        List<JobId> late = write("b", -60_500, 1);
        pass(INTERVAL.multipliedBy(2));

        assertThat(taken).containsExactlyElementsOf(late);
    }

    @Test
    void newPartition_isReadFromItsOldestRow() {
        write("a", -60_000, 100_000);
        toScout.add("render");
        readTakes = Duration.ofMillis(300);
        pass(Duration.ofSeconds(5));
        Partition gained = new Partition("default", 1);
        partitions.add(gained);
        List<JobId> ids = write(gained, "b", -90_000, 1);
        pass(Duration.ofSeconds(4));

        assertThat(taken).containsExactlyElementsOf(ids);
    }

    @Test
    void partitionsThatComeAndGo_doNotKeepThePassFromItsEnd() {
        write("a", -60_000, 60_000);
        List<JobId> behind = write("b", -50_000, 1);
        toScout.add("render");
        readTakes = Duration.ofMillis(100);
        Partition flapping = new Partition("default", 1);
        for (int i = 0; i < 12 && taken.isEmpty(); i++) {
            partitions.add(flapping);
            pass(INTERVAL);
            partitions.remove(flapping);
            pass(INTERVAL);
        }

        assertThat(taken).containsExactlyElementsOf(behind);
    }

    @Test
    void queueInWhichNoSweepWaits_isNotRead() {
        partitions.add(new Partition("bulk", 0));
        write(partitions.get(1), "a", -60_000, 100);
        write(partitions.get(1), "b", -50_000, 1);
        List<JobId> ids = write("b", -50_000, 1);
        toScout.add("render");
        pass(INTERVAL.multipliedBy(3));

        assertThat(taken).containsExactlyElementsOf(ids);
    }

    @Test
    void handlerWhoseRowsAreHiddenLater_isReadFromItsOldestRow() {
        List<JobId> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.addAll(write("other", partitions.get(0), "other", -60_000 + 5_000 * i, 600));
            write("render", partitions.get(0), "a", -59_000 + 5_000 * i, 10_000);
        }
        toScout.add("render");
        readTakes = Duration.ofMillis(200);
        pass(Duration.ofSeconds(5));
        toScout.add("other");
        pass(Duration.ofSeconds(30));

        assertThat(taken).containsExactlyElementsOf(others.subList(0, 1_000));
    }

    // ---- order

    @Test
    void rowsOfAKey_startInTheirOrder_evenIfItsBacklogIsLongerThanItsRoom() {
        for (int i = 0; i < 5_000; i++) {
            write("a", -60_000 + 10L * i, 8);
            write("b", -60_000 + 10L * i, 1);
        }
        toScout.add("render");
        readTakes = Duration.ofMillis(15);
        for (int i = 0; i < 120; i++) {
            pass(Duration.ofMillis(100));
            start("b", 30);
        }

        assertThat(started).hasSize(3_600).isSortedAccordingTo(Comparator.comparingLong(DueRow::dueMillis));
    }

    @Test
    void newRowsOfAKey_waitForThoseOfItsBacklog() {
        write("a", -60_000, 20_000);
        for (int i = 0; i < 5_000; i++) {
            write("b", -50_000 + i, 1);
        }
        toScout.add("render");
        readTakes = Duration.ofMillis(15);
        for (int second = 0; second < 20; second++) {
            write("b", 0, 10);
            pass(INTERVAL);
            start("b", 100);
        }

        assertThat(started).hasSize(2_000).isSortedAccordingTo(Comparator.comparingLong(DueRow::dueMillis));
    }

    // ---- a slow or failing store

    @Test
    void pageWithoutAReply_isReadAgain() {
        write("a", -60_000, 10);
        List<JobId> ids = write("b", -50_000, 1);
        toScout.add("render");
        store.loseCallOf("overdue");
        assertThatThrownBy(scout::doWork).isInstanceOf(StoreException.class);
        pass(INTERVAL);

        assertThat(taken).containsExactlyElementsOf(ids);
    }

    @Test
    void afterAReadThatWaited_rowsThatHaveJustComeDueAreSoonFound() {
        write("a", -60_000, 100_000);
        toScout.add("render");
        readTakes = Duration.ofSeconds(10);
        scout.doWork();
        List<JobId> now = write("b", 0, 1);
        readTakes = Duration.ofMillis(15);
        pass(Duration.ofMillis(2_200));

        assertThat(taken).containsExactlyElementsOf(now);
        int pages = store.calls("overdue").size();
        pass(INTERVAL.multipliedBy(2));
        assertThat(store.calls("overdue").size() - pages)
                .as("pages of the whole pass")
                .isGreaterThan(10);
    }

    @Test
    void latestRowsThatCannotBeRead_doNotStopTheWholePass_andNoReadIsRepeatedAtOnce() {
        write("a", -60_000, 10_000);
        List<JobId> ids = write("b", -50_000, 1);
        toScout.add("render");
        readTakes = Duration.ofMillis(15);
        store.fail(this::isLookAtLatest, StoreException.unavailable("no answer", new IllegalStateException()));
        assertThatThrownBy(scout::doWork).isInstanceOf(StoreException.class);
        int reads = store.calls("overdue").size();
        assertThat(scout.doWork()).as("rest").isPositive();
        assertThat(store.calls("overdue")).hasSize(reads);
        for (int i = 0; i < 3; i++) {
            clock.advance(FAILURE_TAKES);
            assertThatThrownBy(scout::doWork).isInstanceOf(StoreException.class);
        }

        assertThat(taken).containsExactlyElementsOf(ids);
    }

    /** Tells whether a call reads the latest rows. Such a call takes its time. */
    private boolean isLookAtLatest(FaultyStore.Call call) {
        boolean is = call.method().equals("overdue")
                && call.arguments().get(0) instanceof List<?> cursors
                && cursors.get(0) instanceof PartitionCursor first
                && first.dueMillis() > HandClock.START.toEpochMilli() - 10_000;
        if (is) {
            clock.advance(FAILURE_TAKES);
        }
        return is;
    }

    // ---- helpers

    /** Calls the scout for this time, as its thread does. */
    private void pass(Duration time) {
        Instant until = clock.storeTime().plus(time);
        while (!clock.storeTime().isAfter(until)) {
            clock.advance(Duration.ofNanos(scout.doWork()));
        }
    }

    /** Starts this number of the waiting rows of a key, the earliest first. */
    private void start(String fairKey, int count) {
        for (int i = 0; i < count; i++) {
            started.add(waiting.get(fairKey).remove());
        }
    }

    private List<JobId> write(String fairKey, long millisFromNow, int count) {
        return write(partitions.get(0), fairKey, millisFromNow, count);
    }

    private List<JobId> write(Partition partition, String fairKey, long millisFromNow, int count) {
        return write("render", partition, fairKey, millisFromNow, count);
    }

    private List<JobId> write(String name, Partition partition, String fairKey, long millisFromNow, int count) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(GivenJob.given()
                    .id(GivenJob.id(++lastId))
                    .name(name)
                    .partition(partition)
                    .fairKey(fairKey)
                    .plannedAt(clock.storeTime().plusMillis(millisFromNow))
                    .toBeWritten());
        }
        rows.submit(jobs, DueSink.NONE);
        return jobs.stream().map(NewJob::id).toList();
    }
}
