package io.delayjob.internal.preload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListeners;
import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.DueSink;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests with a window of 10 s, pages of 10 rows, room for 50 rows, and a grace of 200 ms. */
class WindowReaderTest {

    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final TimingWheel wheel =
            TimingWheel.builder(clock::nanoTime).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
    private final List<JobId> due = new ArrayList<>();
    private boolean lanesAreFull;
    private final WaitingRows waiting = new WaitingRows(
            wheel,
            clock,
            GivenRoom.of(name -> name.equals("saturated") ? 0 : 1),
            (offered, asOf) -> {
                if (lanesAreFull) {
                    return offered;
                }
                offered.forEach(row -> due.add(row.id()));
                return List.of();
            },
            LeadTime.NONE,
            WINDOW,
            50);
    private final List<Partition> led = new ArrayList<>();
    private final Outlook outlook = new Outlook(store.asStore(), clock);
    private final WindowReader reader = new WindowReader(
            new Reads(store.asStore(), outlook, clock, new JobListeners(List.of()), 10),
            () -> led,
            waiting,
            WINDOW,
            Duration.ofMillis(200));
    private int lastId;

    @Test
    void withoutALease_noRowIsRead() {
        write(0, 1_000);
        assertThat(reader.doWork()).isEqualTo(WINDOW.dividedBy(2).toNanos());
        assertThat(store.calls("dueAfter")).isEmpty();
    }

    @Test
    void everyRowOfTheWindow_isReadOncePerLease_andStartsOnTime() {
        lead(0, 1);
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ids.add(write(i % 2, 100 + i * 300));
        }
        JobId beyond = write(0, 10_001);
        readAll();
        assertThat(waiting.size()).isEqualTo(30);
        runFor(5_000);
        readAll();
        runFor(5_000);
        assertThat(due).containsExactlyElementsOf(ids);
        runFor(2);
        assertThat(due).contains(beyond);
    }

    @Test
    void rowsOfOneMillisecondArePagedById() {
        lead(0);
        for (int i = 0; i < 35; i++) {
            write(0, 5_000);
        }
        assertThat(reader.doWork()).isZero();
        assertThat(waiting.size()).isEqualTo(10);
        readAll();
        assertThat(waiting.size()).isEqualTo(35);
    }

    @Test
    void nextRead_readsNewRowsOfTheWindow_andNoRowTwice() {
        lead(0);
        write(0, 9_000);
        readAll();
        JobId entering = write(0, 12_000);
        clock.advanceMillis(5_000);
        store.forgetCalls();
        reader.doWork();
        assertThat(cursors().get(0).dueMillis()).isEqualTo(HandClock.START.toEpochMilli() + 10_000);
        assertThat(waiting.size()).isEqualTo(2);
        runFor(7_001);
        assertThat(due).contains(entering);
    }

    private List<PartitionCursor> cursors() {
        return List.copyOf(store.calls("dueAfter").get(0).<PartitionCursor>rows());
    }

    @Test
    void newLeaseLeavesNoGapToTheSweep() {
        lead(0);
        JobId justMissed = write(0, -199);
        JobId sweeps = write(0, -200);
        readAll();
        assertThat(due).contains(justMissed).doesNotContain(sweeps);
    }

    @Test
    void partitionLedAgainIsReadFromNowOn() {
        lead(0);
        readAll();
        led.clear();
        reader.doWork();
        JobId meanwhile = write(0, 3_000);
        lead(0);
        readAll();
        runFor(3_001);
        assertThat(due).containsExactly(meanwhile);
    }

    @Test
    void rowsWithoutRoom_areReadAgainWhenThereIsRoom() {
        lead(0, 1);
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            ids.add(write(i % 2, 2_000 + i * 50));
        }
        long pause = 0;
        for (int millis = 0; millis < 9_000; millis += 50) {
            pause -= Duration.ofMillis(50).toNanos();
            if (pause <= 0) {
                pause = reader.doWork();
                while (pause == 0) {
                    pause = reader.doWork();
                }
            }
            assertThat(waiting.size()).isLessThanOrEqualTo(50);
            runFor(50);
        }
        assertThat(due).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void dueRowsWithoutRoom_delayNoLaterRows() {
        lead(0);
        write(0, -100);
        JobId behind = write(0, 5_000);
        lanesAreFull = true;
        readAll();
        JobId later = write(0, 14_000);
        clock.advanceMillis(4_500);
        readAll();
        lanesAreFull = false;
        runFor(10_000);
        assertThat(due).containsExactly(behind, later);
    }

    @Test
    void saturatedName_delaysNoLaterRows() {
        lead(0);
        for (int i = 0; i < 60; i++) {
            write(0, "saturated", 1_000);
        }
        JobId behind = write(0, 2_000);
        readAll();
        runFor(2_001);
        assertThat(due).hasSize(25 + 1).endsWith(behind);
    }

    @Test
    void storeClockThatWasSetBack_restartsTheRead() {
        lead(0);
        JobId waits = write(0, 9_000);
        readAll();
        clock.setStore(Duration.ofHours(-1));
        JobId written = write(0, 12_000);
        clock.advanceMillis(5_000);
        readAll();
        assertThat(waiting.size()).isEqualTo(1);
        runForReading(7_001);
        assertThat(due).containsExactly(written);
        runForReading(Duration.ofHours(1).toMillis());
        assertThat(due).containsExactly(written, waits);
    }

    @Test
    void storeClockThatWasSetForward_makesRowsDueEarlier() {
        lead(0);
        JobId soon = write(0, 9_000);
        JobId later = write(0, 65_000);
        readAll();
        clock.setStore(Duration.ofSeconds(60));
        readAll();
        assertThat(due).contains(soon);
        runFor(5_001);
        assertThat(due).contains(later);
    }

    @Test
    void pageWithoutAReply_isReadAgain() {
        lead(0);
        JobId id = write(0, 5_000);
        store.loseCallOf("dueAfter");
        assertThatThrownBy(reader::doWork).isInstanceOf(StoreException.class);
        readAll();
        runFor(5_001);
        assertThat(due).containsExactly(id);
    }

    @Test
    void partitionsWithoutRowsInTheWindow_areNotRead() {
        lead(0);
        write(0, 60_000);
        reader.doWork();
        assertThat(store.calls("dueAfter")).as("the new partition").hasSize(1);
        clock.advance(WINDOW.dividedBy(2));
        outlook.youngerThan(Duration.ZERO);
        assertThat(reader.doWork()).isEqualTo(WINDOW.dividedBy(2).toNanos());
        assertThat(store.calls("dueAfter")).hasSize(1);
    }

    /** To read a new view may take longer than to read the window. */
    @Test
    void withoutARecentView_itReads() {
        lead(0);
        reader.doWork();
        clock.advance(WINDOW.dividedBy(2));
        reader.doWork();
        assertThat(store.calls("dueAfter")).hasSize(2);
        assertThat(store.calls("partitionsInUse")).isEmpty();
    }

    @Test
    void rowWrittenAfterAnEmptyView_comesAtItsTime() {
        lead(0);
        reader.doWork();
        JobId id = write(0, 10_001);
        runFor(5_000);
        readAll();
        runFor(5_000);
        assertThat(due).isEmpty();
        runFor(1);
        assertThat(due).containsExactly(id);
    }

    @Test
    void viewOfAnotherReader_countsFromTheTimeOfTheView() {
        lead(0);
        reader.doWork();
        clock.advanceMillis(3_000);
        outlook.youngerThan(Duration.ZERO);
        JobId late = write(0, 10_001);
        clock.advanceMillis(2_000);
        assertThat(reader.doWork()).isEqualTo(Duration.ofSeconds(3).toNanos());
        assertThat(store.calls("partitionsInUse")).hasSize(1);
        runFor(3_000);
        readAll();
        runFor(5_002);
        assertThat(due).containsExactly(late);
    }

    @Test
    void newLease_doesNotUseAnOldView() {
        outlook.youngerThan(Duration.ZERO);
        JobId id = write(0, 1_000);
        lead(0);
        readAll();
        runFor(1_001);
        assertThat(due).containsExactly(id);
    }

    @Test
    void page_isLimited_forAnyNumberOfPartitions() {
        for (int index = 0; index < 100; index++) {
            lead(index);
            write(index, 100);
            write(index, 9_000);
        }
        reader.doWork();
        runForReading(11_000);
        assertThat(due).hasSize(200);
        assertThat(store.calls("dueAfter"))
                .allMatch(call -> call.arguments().get(2).equals(1));
    }

    private void lead(int... indexes) {
        for (int index : indexes) {
            led.add(new Partition("default", index));
        }
    }

    private void readAll() {
        int rounds = 0;
        while (reader.doWork() == 0) {
            assertThat(++rounds).isLessThan(1_000);
        }
    }

    /** Advances the time millisecond by millisecond. */
    private void runFor(long millis) {
        for (long i = 0; i < millis; i++) {
            clock.advanceMillis(1);
            wheel.poll();
        }
    }

    /** Advances the time in steps of seconds, with a read after each step. */
    private void runForReading(long millis) {
        for (long i = 0; i < millis; i += 1_000) {
            clock.advanceMillis(Math.min(1_000, millis - i));
            readAll();
            wheel.poll();
        }
    }

    private JobId write(int partition, long millisFromNow) {
        return write(partition, "a", millisFromNow);
    }

    private JobId write(int partition, String name, long millisFromNow) {
        JobId id = GivenJob.id(++lastId);
        rows.submit(
                List.of(GivenJob.given()
                        .id(id)
                        .name(name)
                        .partition(new Partition("default", partition))
                        .plannedAt(clock.storeTime().plusMillis(millisFromNow))
                        .toBeWritten()),
                DueSink.NONE);
        return id;
    }
}
