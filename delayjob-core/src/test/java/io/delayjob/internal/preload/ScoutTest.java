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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests a scout that looks every second for rows that are overdue by 200 ms. There is no room for key a. */
class ScoutTest {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final HandClock clock = new HandClock();
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final List<Partition> partitions = new ArrayList<>(List.of(new Partition("default", 0)));
    private final List<JobId> taken = new ArrayList<>();
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
                Set<String> names = Set.copyOf(toScout);
                toScout.clear();
                return names;
            },
            this::offer,
            new Scout.Terms(INTERVAL, Duration.ofMillis(200)));

    /** Refuses all rows of key a, and takes each other row once. */
    private List<DueRow> offer(List<DueRow> offered, long asOfNanos) {
        List<DueRow> refused = new ArrayList<>();
        for (DueRow row : offered) {
            if ("a".equals(row.fairKey())) {
                refused.add(row);
                toScout.add(row.name());
            } else if (!taken.contains(row.id())) {
                taken.add(row.id());
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
    void pageWithoutAReply_isReadAgain() {
        write("a", -60_000, 10);
        List<JobId> ids = write("b", -50_000, 1);
        toScout.add("render");
        store.loseCallOf("overdue");
        assertThatThrownBy(scout::doWork).isInstanceOf(StoreException.class);
        pass(INTERVAL);

        assertThat(taken).containsExactlyElementsOf(ids);
    }

    // ---- helpers

    /** Calls the scout for this time, as its thread does. */
    private void pass(Duration time) {
        Instant until = clock.storeTime().plus(time);
        while (!clock.storeTime().isAfter(until)) {
            clock.advance(Duration.ofNanos(scout.doWork()));
        }
    }

    private List<JobId> write(String fairKey, long millisFromNow, int count) {
        return write(partitions.get(0), fairKey, millisFromNow, count);
    }

    private List<JobId> write(Partition partition, String fairKey, long millisFromNow, int count) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(GivenJob.given()
                    .id(GivenJob.id(++lastId))
                    .name("render")
                    .partition(partition)
                    .fairKey(fairKey)
                    .plannedAt(clock.storeTime().plusMillis(millisFromNow))
                    .toBeWritten());
        }
        rows.submit(jobs, DueSink.NONE);
        return jobs.stream().map(NewJob::id).toList();
    }
}
