package io.delayjob.internal.preload;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Partition;
import io.delayjob.store.DueSink;
import io.delayjob.time.HandClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests with a window of 10 s and room for five rows. */
class WaitingRowsTest {

    private static final Partition PARTITION = new Partition("default", 0);

    private final HandClock clock = new HandClock();
    private final TimingWheel wheel =
            TimingWheel.builder(clock::nanoTime).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
    private final List<DueRow> due = new ArrayList<>();
    private boolean runsHere = true;
    private int room = 1;
    private String fullQueue = "";
    private final Capacity capacity = new Capacity() {
        @Override
        public Map<String, Integer> roomIn(String queue, Set<String> names) {
            return GivenRoom.of(names, name -> runsHere && !queue.equals(fullQueue) ? room : 0);
        }

        @Override
        public boolean isRunHere(DueRow row) {
            return runsHere;
        }
    };
    private final WaitingRows waiting = new WaitingRows(
            wheel, clock, capacity, (rows, asOf) -> take(rows), LeadTime.NONE, Duration.ofSeconds(10), 5);
    private long lastId;

    // ---- the time

    @Test
    void row_isPassedOnAtItsMillisecond_andNotBefore() {
        DueRow row = row(5_000);
        assertThat(offer(List.of(row))).isEmpty();
        advance(4_999);
        assertThat(due).isEmpty();
        advance(1);
        assertThat(due).containsExactly(row);
        assertThat(waiting.size()).isZero();
    }

    @Test
    void dueRows_arePassedOnAtOnce() {
        DueRow now = row(0);
        DueRow past = row(-60_000);
        offer(List.of(now, past));
        assertThat(due).containsExactly(now, past);
        assertThat(waiting.size()).isZero();
    }

    @Test
    void rowsBeyondTheWindow_areLeftToTheReader() {
        assertThat(offer(List.of(row(10_001)))).isEmpty();
        assertThat(waiting.size()).isZero();
        offer(List.of(row(10_000)));
        assertThat(waiting.size()).isEqualTo(1);
    }

    @Test
    void noRowIsEarly_afterTheEstimateOfStoreTimeWasLowered() {
        DueRow row = row(5_000);
        offer(List.of(row));
        clock.lowerEstimate(Duration.ofMillis(30));
        advance(5_001);
        assertThat(due).isEmpty();
        advance(30);
        assertThat(due).containsExactly(row);
    }

    @Test
    void deadlines_areComputedAgain_afterTheStoresClockWasSetForward() {
        DueRow row = row(9_000);
        offer(List.of(row));
        clock.setStore(Duration.ofSeconds(8));
        assertThat(waiting.followClock()).isTrue();
        advance(1_001);
        assertThat(due).containsExactly(row);
        assertThat(waiting.followClock()).isFalse();
    }

    @Test
    void rowsThatAreBeyondTheWindow_afterTheStoresClockWasSetBack_areRemoved() {
        offer(List.of(row(9_000)));
        clock.setStore(Duration.ofHours(-1));
        waiting.followClock();
        assertThat(waiting.size()).isZero();
        advance(60_000);
        assertThat(due).isEmpty();
    }

    // ---- changes in the wrong order

    @Test
    void changesOfOneJob_thatAreHandedOverInTheWrongOrder_leaveTheLaterOne() {
        DueRow first = row(8_000);
        DueRow second =
                new DueRow(first.id(), PARTITION, first.name(), clock.storeMillis() + 5_000, first.token() + 1, null);
        DueSink ofFirst = waiting.asOfNow();
        clock.advance(Duration.ofNanos(1));
        DueSink ofSecond = waiting.asOfNow();
        clock.advance(Duration.ofNanos(1));

        ofSecond.accept(List.of(second));
        ofFirst.accept(List.of(first));

        advance(5_000);
        assertThat(due).containsExactly(second);
    }

    @Test
    void change_replacesWhatWasReadBetweenItsLockAndItsHandOver() {
        DueRow before = row(8_000);
        DueRow after = new DueRow(
                before.id(), PARTITION, before.name(), clock.storeMillis() + 5_000, before.token() + 1, null);
        DueSink ofChange = waiting.asOfNow();
        clock.advance(Duration.ofNanos(1));
        waiting.offer(List.of(before), clock.nanoTime());

        ofChange.accept(List.of(after));

        advance(5_000);
        assertThat(due).containsExactly(after);
    }

    // ---- before the due time

    @Test
    void row_isPassedOnBeforeItsDueTimeByTheTimeOfItsClaim() {
        Lead lead = new Lead();
        WaitingRows ahead = waiting(lead);
        DueRow row = row(5_000);
        ahead.offer(List.of(row), clock.nanoTime());
        lead.millis = 8;
        advance(4_990);
        lead.millis = 6;
        advance(3);
        assertThat(due).isEmpty();
        advance(1);
        assertThat(due).containsExactly(row);
        assertThat(ahead.size()).isZero();
    }

    @Test
    void rowThatIsDueSoonerThanAClaimTakes_isPassedOnAtOnce() {
        Lead lead = new Lead();
        lead.millis = 8;
        DueRow row = row(8);
        waiting(lead).offer(List.of(row), clock.nanoTime());
        assertThat(due).containsExactly(row);
    }

    @Test
    void rowThatArrivesWithinTheMaximumLead_isPassedOnInTime() {
        Lead lead = new Lead();
        lead.millis = 8;
        DueRow row = row(12);
        waiting(lead).offer(List.of(row), clock.nanoTime());
        advance(3);
        assertThat(due).isEmpty();
        advance(1);
        assertThat(due).containsExactly(row);
    }

    private WaitingRows waiting(LeadTime lead) {
        return new WaitingRows(wheel, clock, capacity, (rows, asOf) -> take(rows), lead, Duration.ofSeconds(10), 5);
    }

    private static final class Lead implements LeadTime {

        private long millis;

        @Override
        public long offerMillis(long dueMillis) {
            return dueMillis - millis;
        }

        @Override
        public long earliestOfferMillis(long dueMillis) {
            return dueMillis - 20;
        }
    }

    // ---- versions of a row

    @Test
    void rowWithTheSameTokenIsADuplicate() {
        DueRow row = row(5_000);
        offer(List.of(row, row));
        offer(List.of(row));
        assertThat(waiting.size()).isEqualTo(1);
        advance(5_001);
        assertThat(due).containsExactly(row);
    }

    @Test
    void rowWithANewToken_replacesTheFormerRow() {
        DueRow before = row(5_000);
        DueRow sooner = moved(before, 1_000);
        offer(List.of(before));
        offer(List.of(sooner));
        assertThat(waiting.size()).isEqualTo(1);
        advance(1_001);
        assertThat(due).containsExactly(sooner);
        advance(10_000);
        assertThat(due).hasSize(1);
    }

    @Test
    void pageThatIsOlderThanAKnownChange_changesNothing() {
        DueRow before = row(5_000);
        DueRow sooner = moved(before, 1_000);
        DueRow dueAlready = moved(before, 0);
        long read = clock.nanoTime();
        advance(1);
        waiting.accept(List.of(sooner));
        assertThat(waiting.offer(List.of(before), read)).isEmpty();
        assertThat(waiting.offer(List.of(dueAlready), read)).isEmpty();
        assertThat(due).isEmpty();
        advance(1_000);
        assertThat(due).containsExactly(sooner);
        advance(10_000);
        assertThat(due).hasSize(1);
    }

    @Test
    void formerRow_whenTheNewOneIsDueNowOrBeyondTheWindow_leavesTheWheel() {
        DueRow run = row(5_000);
        DueRow postponed = row(6_000);
        offer(List.of(run, postponed));
        DueRow now = moved(run, 0);
        waiting.accept(List.of(now, moved(postponed, 60_000)));
        assertThat(waiting.size()).isZero();
        assertThat(wheel.size()).isZero();
        advance(10_000);
        assertThat(due).containsExactly(now);
    }

    @Test
    void recomputedDeadlines_doNotReplaceALaterChange() {
        DueRow row = row(5_000);
        long read = clock.nanoTime();
        offer(List.of(row));
        advance(1);
        clock.setStore(Duration.ofSeconds(1));
        waiting.followClock();
        DueRow later = moved(row, 7_000);
        waiting.accept(List.of(later));
        waiting.offer(List.of(row), read);
        advance(7_001);
        assertThat(due).containsExactly(later);
    }

    @Test
    void rowWithANewToken_withoutRoom_replacesTheFormerRow() {
        DueRow first = row(5_000);
        offer(List.of(first, row(5_000), row(5_000), row(5_000), row(5_000)));
        DueRow later = moved(first, 6_000);
        assertThat(offer(List.of(later))).isEmpty();
        advance(6_001);
        assertThat(due).hasSize(5).contains(later).doesNotContain(first);
    }

    @Test
    void nameThatDoesNotRunHereIsNotKept() {
        runsHere = false;
        assertThat(offer(List.of(row(5_000)))).isEmpty();
        assertThat(waiting.size()).isZero();
    }

    @Test
    void nameWithMoreOverdueThanItCanStart_fillsAtMostHalfOfTheRoom() {
        room = 0;
        assertThat(offer(List.of(row(5_000), row(5_000), row(5_000)))).isEmpty();
        assertThat(waiting.size()).isEqualTo(2);
        room = 1;
        offer(List.of(row(5_000)));
        assertThat(waiting.size()).isEqualTo(3);
    }

    @Test
    void nameWithMoreOverdueThanItCanStart_mayFillAllOfTheRoomInAnotherQueue() {
        fullQueue = "other";
        assertThat(offer(List.of(row(5_000), row(5_000), row(5_000)))).isEmpty();
        assertThat(waiting.size()).isEqualTo(3);
    }

    @Test
    void rowsBeyondTheLimit_areRefusedInOrder() {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            rows.add(row(5_000));
        }
        assertThat(offer(rows)).isEqualTo(rows.subList(5, 8));
        assertThat(waiting.isFull()).isTrue();
        advance(5_001);
        assertThat(offer(List.of(row(5_000)))).isEmpty();
    }

    // ---- the end

    @Test
    void clearedRows_areNotPassedOn_andMayBeOfferedAgain() {
        DueRow row = row(5_000);
        offer(List.of(row));
        waiting.clear();
        advance(5_001);
        assertThat(due).isEmpty();
        assertThat(wheel.size()).isZero();
        offer(List.of(row));
        assertThat(due).containsExactly(row);
    }

    @Test
    void rowForAStoppedEngine_isIgnored() {
        wheel.close();
        waiting.accept(List.of(row(5_000)));
        assertThat(waiting.size()).isZero();
    }

    @Test
    void writersAndTheWheel_neverLoseOrDoubleARow() throws Exception {
        int writers = 4;
        int rowsEach = 5_000;
        List<DueRow> came = Collections.synchronizedList(new ArrayList<>());
        WaitingRows all = new WaitingRows(
                wheel,
                clock,
                GivenRoom.of(name -> 1),
                (rows, asOf) -> {
                    came.addAll(rows);
                    return List.of();
                },
                LeadTime.NONE,
                Duration.ofSeconds(10),
                1_000_000);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        CountDownLatch done = new CountDownLatch(writers);
        for (int w = 0; w < writers; w++) {
            long first = w * (long) rowsEach;
            threads.execute(() -> {
                SplittableRandom random = new SplittableRandom(first);
                for (int i = 0; i < rowsEach; i++) {
                    long millis = 1 + random.nextInt(50);
                    DueRow row =
                            new DueRow(GivenJob.id(first + i), PARTITION, "a", clock.storeMillis() + millis, i, null);
                    all.accept(List.of(row));
                    all.accept(List.of(row));
                }
                done.countDown();
            });
        }
        while (done.getCount() > 0) {
            advance(1);
        }
        advance(100);
        threads.shutdown();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(came.stream().map(DueRow::id).distinct()).hasSize(writers * rowsEach);
        assertThat(all.size()).isZero();
    }

    private List<DueRow> offer(List<DueRow> rows) {
        return waiting.offer(rows, clock.nanoTime());
    }

    private List<DueRow> take(List<DueRow> rows) {
        due.addAll(rows);
        return List.of();
    }

    private void advance(long millis) {
        clock.advanceMillis(millis);
        long wait;
        do {
            wait = wheel.poll(); // one poll fires only a limited number of rows
        } while (wait == 0);
    }

    private DueRow row(long millisFromNow) {
        return new DueRow(GivenJob.id(++lastId), PARTITION, "a", clock.storeMillis() + millisFromNow, lastId, null);
    }

    private DueRow moved(DueRow row, long millisFromNow) {
        return new DueRow(row.id(), PARTITION, "a", clock.storeMillis() + millisFromNow, ++lastId, null);
    }
}
