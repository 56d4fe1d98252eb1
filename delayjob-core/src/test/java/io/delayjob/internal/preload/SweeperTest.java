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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests a sweep that runs every second. It reads rows that are overdue by 200 ms, in pages of ten rows for each
 * partition.
 */
class SweeperTest {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final HandClock clock = new HandClock();
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final Shelf shelf = new Shelf();
    private final List<Partition> partitions = new ArrayList<>(List.of(new Partition("default", 0)));
    private final Set<String> enough = new HashSet<>();
    private final Sweeper sweeper = new Sweeper(
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
            () -> Set.of("a", "b", "c"),
            shelf,
            new SweepRules(
                    "sweep",
                    () -> partitions,
                    (name, queue) -> enough.contains(name) || enough.contains(name + " in " + queue),
                    (offered, asOf) -> shelf.offer(offered),
                    INTERVAL,
                    Duration.ofMillis(200),
                    Duration.ZERO));
    private Duration readTakes = Duration.ZERO;
    private int lastId;

    // ---- the rows that it finds

    @Test
    void rows_areTakenOnlyAfterTheGrace() {
        JobId overdue = write("a", -200);
        write("a", -199);
        write("a", 5_000);
        sweep();
        assertThat(shelf.taken).containsExactly(overdue);
    }

    @Test
    void sweep_runsOncePerInterval_evenIfItIsWokenOften() {
        sweep();
        store.forgetCalls();
        write("a", -500);
        for (int i = 0; i < 9; i++) {
            clock.advanceMillis(100);
            assertThat(sweeper.doWork()).isPositive();
        }
        assertThat(store.calls("overdue")).isEmpty();
        clock.advanceMillis(100);
        sweep();
        assertThat(shelf.taken).hasSize(1);
    }

    @Test
    void rowThatIsCommittedLate_isFoundByTheNextSweep() {
        write("a", -500);
        sweep();
        JobId late = write("a", -60_000);
        nextInterval();
        assertThat(shelf.taken).contains(late);
    }

    @Test
    void newPartitionIsSweptAtOnce() {
        sweep();
        Partition gained = new Partition("default", 1);
        JobId id = write(gained, "a", -500);
        partitions.add(gained);
        sweep();
        assertThat(shelf.taken).containsExactly(id);
    }

    @Test
    void partitionThatIsNoLongerLed_isNotSwept() {
        sweep();
        partitions.clear();
        write("a", -500);
        nextInterval();
        assertThat(shelf.taken).isEmpty();
    }

    @Test
    void namesThatHaveNoHandlerOrNoRoomAreLeftOut() {
        write("unknown", -500);
        write("b", -500);
        shelf.room.put("b", 0);
        JobId id = write("a", -400);
        sweep();
        assertThat(shelf.taken).containsExactly(id);
        assertThat(shelf.refusals).isZero();
    }

    @Test
    void sweepWithoutAReply_isRepeated() {
        JobId id = write("a", -500);
        store.loseCallOf("overdue");
        assertThatThrownBy(sweeper::doWork).isInstanceOf(StoreException.class);
        sweep();
        assertThat(shelf.taken).containsExactly(id);
    }

    @Test
    void partitionsWithoutOverdueRows_areNotRead() {
        write("a", 5_000);
        write("a", -199);
        sweep();
        nextInterval();
        assertThat(store.calls("partitionsInUse")).hasSize(2);
        assertThat(store.calls("overdue")).hasSize(1);
    }

    @Test
    void partitionsWithoutOverdueRows_areLeftOut() {
        Partition other = new Partition("default", 1);
        partitions.add(other);
        write("a", 5_000);
        write(other, "a", -500);
        sweep();
        assertThat(store.calls("overdue"))
                .allMatch(call -> call.<PartitionCursor>rows().stream()
                        .allMatch(cursor -> cursor.partition().equals(other)));
        assertThat(shelf.taken).hasSize(1);
    }

    @Test
    void viewWithoutAReply_isReadAgain() {
        JobId id = write("a", -500);
        store.loseCallOf("partitionsInUse");
        assertThatThrownBy(sweeper::doWork).isInstanceOf(StoreException.class);
        sweep();
        assertThat(shelf.taken).containsExactly(id);
    }

    // ---- backlogs

    @Test
    void backlog_isReadPageAfterPage_whileThereIsRoom() {
        List<JobId> ids = write("a", -500, 1_000);
        sweep();
        assertThat(shelf.taken).containsExactlyElementsOf(ids);
    }

    @Test
    void backlog_goesOnWhereRoomEnded_andReadsNoRowTwice() {
        shelf.room.put("a", 25);
        List<JobId> ids = write("a", -500, 100);
        sweep();
        assertThat(shelf.taken).containsExactlyElementsOf(ids.subList(0, 25));
        for (int more = 50; more <= 100; more += 25) {
            shelf.workOff();
            clock.advanceMillis(10);
            sweep();
            assertThat(shelf.taken).containsExactlyElementsOf(ids.subList(0, more));
        }
        assertThat(shelf.duplicates)
                .as("rows still waiting in memory were read again")
                .isLessThanOrEqualTo(10);
    }

    @Test
    void backlog_whenItsRowsAreClaimedAtOnce_goesOn() {
        shelf.room.put("a", 5);
        shelf.claimsAtOnce = true;
        List<JobId> ids = write("a", -500, 100);
        sweep();
        assertThat(shelf.taken).containsExactlyElementsOf(ids);
    }

    @Test
    void withoutRoomNothingIsReadUntilRoomIsAnnounced() {
        shelf.room.put("a", 5);
        shelf.room.put("b", 0);
        shelf.room.put("c", 0);
        write("a", -500, 50);
        sweep();
        store.forgetCalls();
        for (int i = 0; i < 50; i++) {
            clock.advanceMillis(100);
            sweep();
        }
        assertThat(store.calls("overdue")).isEmpty();
        shelf.workOff();
        sweep();
        assertThat(shelf.taken).hasSize(10);
    }

    @Test
    void nameThatWasSaturatedWhenItsRowsBecameDue_isSweptWhenItHasRoom() {
        shelf.room.put("a", 0);
        JobId id = write("a", -500);
        sweep();
        shelf.room.put("a", 5);
        clock.advanceMillis(10);
        sweep();
        assertThat(shelf.taken).containsExactly(id);
    }

    @Test
    void backlogOfOneName_delaysNoOther() {
        shelf.room.put("a", 5);
        write("a", -60_000, 500);
        JobId neighbour = write("b", -500);
        sweep();
        assertThat(shelf.taken).contains(neighbour);
    }

    @Test
    void rowThatIsCommittedLate_isFound_duringTheBacklogOfAnotherName() {
        shelf.room.put("a", 5);
        write("a", -60_000, 2_000);
        sweep();
        JobId late = write("b", -120_000);
        for (int i = 0; i < 100; i++) {
            shelf.workOff();
            clock.advanceMillis(10);
            sweep();
        }
        assertThat(shelf.taken).contains(late).hasSizeGreaterThan(400);
    }

    @Test
    void rowThatIsCommittedLate_isFound_duringTheBacklogOfItsOwnName() {
        shelf.room.put("a", 5);
        write("a", -60_000, 2_000);
        sweep();
        shelf.workOff();
        sweep();
        JobId late = write("a", -120_000);
        for (int i = 0; i < 105; i++) {
            shelf.workOff();
            clock.advanceMillis(100);
            sweep();
        }
        assertThat(shelf.taken).contains(late).hasSizeLessThan(1_000);
    }

    @Test
    void nameWithEnoughRowsInMemory_getsOnePageAPass() {
        List<JobId> ids = write("a", -500, 100);
        enough.add("a");
        sweep();
        assertThat(shelf.taken).containsExactlyElementsOf(ids.subList(0, 10));
        clock.advance(INTERVAL.minusMillis(1));
        sweep();
        assertThat(shelf.taken).hasSize(10);
        clock.advanceMillis(1);
        sweep();
        assertThat(shelf.taken).containsExactlyElementsOf(ids.subList(0, 20));
    }

    @Test
    void nameThatNoLongerHasEnoughRows_isReadAgain() {
        List<JobId> ids = write("a", -500, 100);
        enough.add("a");
        sweep();
        enough.clear();
        clock.advanceMillis(10);
        sweep();
        assertThat(shelf.taken).containsExactlyElementsOf(ids);
    }

    @Test
    void nameWithEnoughRowsInMemory_delaysNoOther() {
        write("a", -60_000, 500);
        List<JobId> neighbours = write("b", -500, 30);
        enough.add("a");
        sweep();
        assertThat(shelf.taken).hasSize(40).containsAll(neighbours);
    }

    @Test
    void newPartitionIsSweptForNamesWithABacklogAsWell() {
        shelf.room.put("a", 5);
        write("a", -500, 100);
        sweep();
        Partition gained = new Partition("default", 1);
        JobId id = write(gained, "a", -60_000);
        partitions.add(gained);
        shelf.workOff();
        sweep();
        assertThat(shelf.taken).contains(id);
    }

    @Test
    void rowsThatCannotStartHere_areSkipped() {
        write("a", -60_000, 300).forEach(shelf.unreadable::add);
        JobId behind = write("a", -500);
        sweep();
        assertThat(shelf.taken).containsExactly(behind);
    }

    @Test
    void longPass_isFollowedByALongPause() {
        write("a", -60_000, 30).forEach(shelf.unreadable::add);
        shelf.offerTakes = Duration.ofMillis(500);
        long pause = sweeper.doWork();
        while (store.calls("overdue").size() < 4) {
            assertThat(Duration.ofNanos(pause)).as("as long as the work").isEqualTo(Duration.ofMillis(500));
            clock.advance(Duration.ofNanos(pause));
            pause = sweeper.doWork();
        }
        // The pass began 3 s ago: three pages took 0.5 s each, with a pause of 0.5 s after each page.
        assertThat(Duration.ofNanos(pause))
                .as("a pass begins five times its 1.5 s of work after the one before")
                .isEqualTo(Duration.ofMillis(5 * 1_500 - 3_000));
    }

    @Test
    void readThatWaitsLong_isFollowedByNoLongPause() {
        store.during("overdue", () -> clock.advance(Duration.ofSeconds(20)));
        write("a", -500);
        sweep();
        store.during("overdue", () -> {});
        JobId late = write("a", -60_000);
        nextInterval();
        assertThat(shelf.taken).contains(late);
    }

    @Test
    void readsThatWaitInVain_areFollowedByAShortPause() {
        JobId id = write("a", -500);
        store.during("overdue", () -> clock.advance(Duration.ofSeconds(20)));
        store.timeOut(call -> call.method().equals("overdue"));
        sweepDespiteFailures();
        sweepDespiteFailures();
        store.heal();
        store.during("overdue", () -> {});
        clock.advanceMillis(500);
        sweep();
        assertThat(shelf.taken).containsExactly(id);
        JobId late = write("a", -60_000);
        nextInterval();
        assertThat(shelf.taken).contains(late);
    }

    @Test
    void readOfABacklogThatWaitsLong_isFollowedByNoLongPause() {
        shelf.room.put("a", 5);
        List<JobId> ids = write("a", -500, 12);
        sweep();
        store.during("overdue", () -> clock.advance(Duration.ofSeconds(20)));
        shelf.workOff();
        nextInterval();
        store.during("overdue", () -> {});
        shelf.workOff();
        nextInterval();
        assertThat(shelf.taken).containsAll(ids);
    }

    @Test
    void rowsThatAreRefusedDespiteRoom_causeNoBusyLoop() {
        shelf.refuseAll = true;
        write("a", -500, 50);
        sweep();
        store.forgetCalls();
        for (int i = 0; i < 10; i++) {
            clock.advanceMillis(100);
            sweep();
        }
        assertThat(store.calls("overdue").size()).isLessThanOrEqualTo(3);
        shelf.refuseAll = false;
        nextInterval();
        assertThat(shelf.taken).hasSize(50);
    }

    @Test
    void page_isLimited_forAnyNumberOfPartitions() {
        for (int index = 1; index < 500; index++) {
            partitions.add(new Partition("default", index));
        }
        for (Partition partition : partitions) {
            write(partition, "a", -500);
            write(partition, "a", -500);
        }
        sweep();
        assertThat(shelf.taken).hasSize(1_000);
        assertThat(shelf.largestPage)
                .as("full pages of eight partitions, and one row of each")
                .isLessThanOrEqualTo(500);
    }

    @Test
    void page_skipsALimitedNumberOfOtherRows() {
        write("unknown", -60_000, 11_000);
        JobId behind = write("a", -500);
        sweep();
        assertThat(shelf.taken).containsExactly(behind);
        assertThat(store.calls("overdue"))
                .as("two full reads, and one that reaches the end")
                .hasSize(3)
                .allSatisfy(call -> assertThat(call.arguments().get(4)).isEqualTo(5_000));
    }

    @Test
    void passThatCannotBeRead_delaysNoBacklog() {
        shelf.room.put("a", 25);
        List<JobId> ids = write("a", -500, 100);
        sweep();
        store.timeOut(call ->
                call.method().equals("overdue") && call.arguments().get(2).equals(Set.of("b", "c")));
        for (int i = 0; i < 10; i++) {
            shelf.workOff();
            clock.advance(INTERVAL);
            sweepDespiteFailures();
        }
        assertThat(shelf.taken).containsExactlyElementsOf(ids);
    }

    @Test
    void backlogThatCannotBeRead_delaysNoOther() {
        shelf.room.put("a", 5);
        shelf.room.put("b", 5);
        List<JobId> ids = write("a", -500, 50);
        ids.addAll(write("b", -400, 50));
        sweep();
        for (String stuck : List.of("a", "b")) {
            store.timeOut(call ->
                    call.method().equals("overdue") && call.arguments().get(2).equals(Set.of(stuck)));
            for (int i = 0; i < 11; i++) {
                shelf.workOff();
                clock.advance(INTERVAL);
                sweepDespiteFailures();
            }
            store.heal();
        }
        assertThat(shelf.taken).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void backlogAfterMillionsOfOtherRows_isReached_evenIfThisTakesLong() {
        write("unknown", -60_000, 30_000);
        List<JobId> ids = write("a", -500, 20);
        shelf.room.put("a", 0);
        sweep();
        shelf.room.put("a", 5);
        // Six reads take two seconds each, with a pause of two seconds after each read. That is more than ten
        // intervals.
        readTakes = Duration.ofSeconds(2);
        for (int i = 0; i < 50; i++) {
            clock.advance(Duration.ofNanos(sweeper.doWork()));
            shelf.workOff();
        }
        assertThat(shelf.taken).containsExactlyElementsOf(ids);
    }

    @Test
    void backlogsOfManyLanes_afterMillionsOfOtherRows_areAllReached() {
        write(inQueue("busy"), "a", -500);
        for (Partition partition : List.of(new Partition("default", 0), inQueue("other"))) {
            for (int i = 0; i < 25_000; i++) {
                write(partition, "unknown", -60_000);
            }
            for (String name : List.of("a", "b", "c")) {
                for (int i = 0; i < 20; i++) {
                    write(partition, name, -500);
                }
                shelf.room.put(name + " in " + partition.queue(), 0);
            }
        }
        sweep();
        shelf.room.replaceAll((lane, none) -> 5);
        // Each of the six lanes needs five reads to its first row. Between two reads of a lane, 2.4 s and a pause pass.
        readTakes = Duration.ofMillis(400);
        for (int i = 0; i < 200; i++) {
            clock.advance(Duration.ofNanos(sweeper.doWork()));
            shelf.workOff();
        }
        assertThat(shelf.taken).hasSize(1 + 6 * 20);
    }

    @Test
    void readsOfSeveralLanes_areFollowedByAPauseAsLongAsAllOfThem() {
        for (int queue = 0; queue < 3; queue++) {
            Partition partition = inQueue("queue-" + queue);
            for (int i = 0; i < 30; i++) {
                write(partition, "a", -500);
            }
            shelf.room.put("a in queue-" + queue, 5);
        }
        shelf.room.put("b", 0);
        shelf.room.put("c", 0);
        sweep();
        shelf.workOff();
        clock.advanceMillis(10);
        readTakes = Duration.ofMillis(400);
        sweeper.doWork();
        shelf.workOff();
        store.forgetCalls();
        for (int i = 0; i < 11; i++) {
            clock.advanceMillis(100);
            sweeper.doWork();
        }
        assertThat(store.calls("overdue")).as("reads within the pause of 1.2 s").isEmpty();
        clock.advanceMillis(200);
        sweeper.doWork();
        assertThat(store.calls("overdue")).hasSize(3);
    }

    @Test
    void rowsBehindALongBacklogOfMutexes_areReadPageAfterPage() {
        write("a", -60_000, 10_000, "account-7");
        List<JobId> behind = write("a", -500, 5_300, null);
        sweep();
        // The pages of mutexes take longer than ten intervals.
        readTakes = Duration.ofSeconds(8);
        while (shelf.taken.size() < 10_000) {
            clock.advance(Duration.ofNanos(sweeper.doWork()));
        }
        readTakes = Duration.ofMillis(1);
        store.forgetCalls();
        for (int i = 0; i < 60 && shelf.taken.size() < 10_000 + behind.size(); i++) {
            clock.advance(Duration.ofNanos(sweeper.doWork()));
        }

        assertThat(shelf.taken).containsAll(behind);
        assertThat(shelf.duplicates).as("rows that were read again").isLessThan(20);
    }

    @Test
    void pagesOfABacklogOfMutexes_areFollowedByPauses() {
        write("a", -60_000, 40_000, "account-7");
        readTakes = Duration.ofMillis(1);
        Instant until = clock.storeTime().plusSeconds(1);
        while (clock.storeTime().isBefore(until)) {
            clock.advance(Duration.ofNanos(sweeper.doWork()));
        }
        assertThat(statements().stream().filter(read -> read.containsKey(Set.of("a"))))
                .as("a page in each fifth of the interval")
                .hasSizeBetween(4, 6);
    }

    @Test
    void backlogOfMutexes_isReadAgain_thoughManyRowsLieBehindIt() {
        write("a", -60_000, 6_000, "account-7");
        write("a", -500, 12_000, null);
        readTakes = Duration.ofMillis(20);
        Instant until = clock.storeTime().plusSeconds(30);
        while (clock.storeTime().isBefore(until)) {
            clock.advance(Duration.ofNanos(sweeper.doWork()));
        }
        assertThat(shelf.duplicates).as("rows that were read again").isGreaterThan(5_000);
    }

    // ---- queues

    @Test
    void laneWithoutRoom_isLeftOut_whileItsHandlerHasRoomInAnotherQueue() {
        Partition busy = inQueue("busy");
        shelf.room.put("a in default", 0);
        write("a", -500);
        JobId other = write("b", -500);
        JobId inOtherQueue = write(busy, "a", -500);
        sweep();
        assertThat(shelf.taken).containsExactlyInAnyOrder(other, inOtherQueue);
        assertThat(shelf.refusals).isZero();
        assertThat(statements())
                .containsExactlyInAnyOrder(
                        Map.of(Set.of("b", "c"), Set.of("default")), Map.of(Set.of("a", "b", "c"), Set.of("busy")));
    }

    @Test
    void laneThatIsFullInOneQueue_getsRowsInAnotherQueue_thatComeDuringItsBacklog() {
        Partition busy = inQueue("busy");
        shelf.room.put("a in default", 5);
        write("a", -60_000, 100);
        write(busy, "a", -60_000);
        sweep();
        JobId late = write(busy, "a", -500);
        nextInterval();
        assertThat(shelf.taken).hasSize(7).contains(late);
    }

    @Test
    void fullLane_goesOnAsSoonAsItHasRoom_inItsOwnQueueOnly() {
        Partition busy = inQueue("busy");
        shelf.room.put("a in default", 5);
        List<JobId> ids = write("a", -500, 20);
        JobId other = write(busy, "b", -400);
        sweep();
        store.forgetCalls();
        shelf.workOff();
        clock.advanceMillis(10);
        sweep();
        assertThat(shelf.taken).containsAll(ids.subList(0, 10)).contains(other).hasSize(11);
        assertThat(statements()).containsExactly(Map.of(Set.of("a"), Set.of("default")));
    }

    @Test
    void queuesWithRoomForTheSameNames_shareEachStatement() {
        write("a", -500, 25);
        for (int queue = 0; queue < 3; queue++) {
            Partition partition = inQueue("queue-" + queue);
            for (int i = 0; i < 15; i++) {
                write(partition, "b", -500);
            }
        }
        sweep();
        assertThat(shelf.taken).hasSize(25 + 3 * 15);
        assertThat(store.calls("overdue")).as("pages of ten rows").hasSize(3);
    }

    @Test
    void queueWithoutAnyRoom_leavesThePass() {
        Partition busy = inQueue("busy");
        Set.of("a", "b", "c").forEach(name -> shelf.room.put(name + " in default", 0));
        write("a", -500);
        JobId found = write(busy, "a", -500);
        sweep();
        nextInterval();
        assertThat(shelf.taken).containsExactly(found);
        assertThat(statements()).containsOnly(Map.of(Set.of("a", "b", "c"), Set.of("busy")));
    }

    @Test
    void passWithoutAnyRoom_asksTheStoreForNothing_andBeginsAsSoonAsThereIsRoom() {
        Set.of("a", "b", "c").forEach(name -> shelf.room.put(name, 0));
        JobId id = write("a", -500);
        sweep();
        nextInterval();
        assertThat(store.calls("partitionsInUse")).isEmpty();
        clock.advanceMillis(10);
        shelf.room.put("a", 5);
        sweep();
        assertThat(shelf.taken).containsExactly(id);
    }

    @Test
    void fullLaneInAQueueWithoutOverdueRows_getsNoPassOfItsOwn() {
        Partition busy = inQueue("busy");
        shelf.room.put("a in default", 0);
        write(busy, "a", -500);
        sweep();
        store.forgetCalls();
        shelf.room.clear();
        clock.advanceMillis(10);
        sweep();
        assertThat(store.calls("overdue")).isEmpty();
    }

    @Test
    void laneWithEnoughRowsInMemory_getsOnePageAPass_andItsHandlerGetsMoreInAnotherQueue() {
        Partition busy = inQueue("busy");
        for (int i = 0; i < 30; i++) {
            write("a", -60_000);
            write(busy, "a", -60_000);
        }
        enough.add("a in default");
        sweep();
        assertThat(shelf.taken).hasSize(10 + 30);
        nextInterval();
        assertThat(shelf.taken).hasSize(20 + 30);
    }

    @Test
    void backlogOfALaneWhosePartitionsAreNoLongerLed_isNotRead() {
        inQueue("busy");
        shelf.room.put("a in default", 5);
        write("a", -500, 20);
        sweep();
        partitions.remove(0);
        store.forgetCalls();
        shelf.workOff();
        sweep();
        assertThat(store.calls("overdue")).isEmpty();
    }

    @Test
    void laneThatWasFullWhenThePassBegan_isAlsoReadInPartitionsWithLaterRows() {
        Partition other = new Partition("default", 1);
        partitions.add(other);
        shelf.room.put("a", 0);
        write("b", -500);
        sweep();
        JobId id = write(other, "a", -500);
        shelf.room.put("a", 5);
        clock.advanceMillis(10);
        sweep();
        assertThat(shelf.taken).contains(id);
    }

    @Test
    void laneThatBecomesFullDuringAPass_withoutRefusingARow_isReadWhenItHasRoomAgain() {
        Partition busy = inQueue("busy");
        write("unknown", -60_000, 30_000);
        shelf.room.put("a in busy", 10);
        for (int i = 0; i < 30; i++) {
            write(busy, "a", -500);
        }
        sweeper.doWork();
        for (int i = 0; i < 5; i++) {
            clock.advance(Duration.ofNanos(sweeper.doWork()));
            shelf.workOff();
        }
        assertThat(shelf.taken).hasSize(30);
        assertThat(shelf.refusals).isZero();
        assertThat(store.calls("partitionsInUse")).as("passes").hasSize(1);
    }

    @Test
    void severalReadsThatWaitInVain_areFollowedByOneShortPause() {
        List.of("a", "b", "c").forEach(name -> {
            write(inQueue("of-" + name), name, -500);
            shelf.room.put(name + " in of-" + name, 0);
        });
        sweep();
        List<JobId> ids = List.of("b", "c", "a").stream()
                .map(name -> write(new Partition("of-a", 0), name, -60_000))
                .toList();
        store.during("overdue", () -> clock.advance(Duration.ofSeconds(20)));
        store.timeOut(call -> call.method().equals("overdue"));
        clock.advance(INTERVAL);
        sweepDespiteFailures();
        store.heal();
        store.during("overdue", () -> {});
        clock.advanceMillis(5 * 500);
        sweep();
        assertThat(shelf.taken).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
    }

    @Test
    void laneThatHasRoomAgain_isReadWithinAnInterval_evenIfNobodySaysSo() {
        shelf.room.put("a", 0);
        write("a", -500);
        write("b", -60_000, 30).forEach(shelf.unreadable::add);
        shelf.offerTakes = Duration.ofMillis(500);
        for (int i = 0; i < 10; i++) {
            long pause = sweeper.doWork();
            assertThat(Duration.ofNanos(pause)).isLessThanOrEqualTo(INTERVAL);
            clock.advance(Duration.ofNanos(pause));
        }
    }

    @Test
    void twoNamesOfOneLane_areReadInTurns() {
        shelf.ofOneLane = Set.of("a", "b");
        shelf.room.put("a", 5);
        shelf.room.put("b", 5);
        List<JobId> ofA = write("a", -60_000, 100);
        List<JobId> ofB = write("b", -50_000, 100);
        sweep();
        for (int i = 0; i < 8; i++) {
            shelf.workOff();
            clock.advanceMillis(10);
            sweep();
        }
        assertThat(shelf.taken).containsAnyElementsOf(ofA.subList(10, 15)).containsAnyElementsOf(ofB.subList(10, 15));
    }

    private Partition inQueue(String queue) {
        Partition partition = new Partition(queue, 0);
        partitions.add(partition);
        return partition;
    }

    /** Returns the names and the queues of each read of overdue rows. */
    private List<Map<Object, Set<String>>> statements() {
        return store.calls("overdue").stream()
                .map(call -> Map.of(
                        call.arguments().get(2),
                        call.<PartitionCursor>rows().stream()
                                .map(cursor -> cursor.partition().queue())
                                .collect(Collectors.toSet())))
                .toList();
    }

    private void nextInterval() {
        clock.advance(INTERVAL);
        sweep();
    }

    /** Calls the agent again after failures, as its supervisor does. */
    private void sweepDespiteFailures() {
        try {
            sweep();
        } catch (StoreException unread) {
            assertThat(unread.isTransient()).isTrue();
        }
    }

    /** Calls the agent until it asks for a pause. */
    private void sweep() {
        int rounds = 0;
        while (sweeper.doWork() <= 0) {
            assertThat(++rounds).as("it comes to an end").isLessThan(1_000);
        }
    }

    private List<JobId> write(String name, long millisFromNow, int count) {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(write(name, millisFromNow));
        }
        return ids;
    }

    private JobId write(String name, long millisFromNow) {
        return write(new Partition("default", 0), name, millisFromNow);
    }

    private List<JobId> write(String name, long millisFromNow, int count, @Nullable String mutex) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            GivenJob job = GivenJob.given()
                    .id(GivenJob.id(++lastId))
                    .name(name)
                    .plannedAt(clock.storeTime().plusMillis(millisFromNow));
            jobs.add((mutex == null ? job : job.mutex(mutex)).toBeWritten());
        }
        rows.submit(jobs, DueSink.NONE);
        return jobs.stream().map(NewJob::id).toList();
    }

    private JobId write(Partition partition, String name, long millisFromNow) {
        JobId id = GivenJob.id(++lastId);
        rows.submit(
                List.of(GivenJob.given()
                        .id(id)
                        .name(name)
                        .partition(partition)
                        .plannedAt(clock.storeTime().plusMillis(millisFromNow))
                        .toBeWritten()),
                DueSink.NONE);
        return id;
    }

    /** Replaces the lanes: it has room for each name, drops duplicates, and sets rows aside. */
    private final class Shelf implements Capacity {

        private final Map<String, Integer> room = new HashMap<>();
        private final Map<JobId, DueRow> ready = new HashMap<>();
        private final Set<JobId> unreadable = new HashSet<>();
        private final List<JobId> taken = new ArrayList<>();
        private Set<String> ofOneLane = Set.of();
        private Duration offerTakes = Duration.ZERO;
        private boolean refuseAll;
        private boolean claimsAtOnce;
        private int refusals;
        private int largestPage;
        private int duplicates;

        @Override
        public Map<String, Integer> roomIn(String queue, Set<String> names) {
            return GivenRoom.of(names, name -> room(name, queue));
        }

        private int room(String name, String queue) {
            long kept = ready.values().stream()
                    .filter(row -> row.partition().queue().equals(queue))
                    .filter(row -> row.name().equals(name) || ofOneLane.containsAll(Set.of(name, row.name())))
                    .count();
            return room.getOrDefault(name + " in " + queue, room.getOrDefault(name, 1_000_000)) - (int) kept;
        }

        List<DueRow> offer(List<DueRow> offered) {
            clock.advance(offerTakes);
            largestPage = Math.max(largestPage, offered.size());
            List<DueRow> refused = new ArrayList<>();
            for (DueRow row : offered) {
                if (unreadable.contains(row.id())) {
                    continue;
                }
                if (ready.containsKey(row.id())) {
                    duplicates++;
                } else if (refuseAll || room(row.name(), row.partition().queue()) <= 0) {
                    refusals++;
                    refused.add(row);
                } else {
                    ready.put(row.id(), row);
                    taken.add(row.id());
                }
            }
            if (claimsAtOnce) {
                workOff();
            }
            return refused;
        }

        /** Claims all rows that are ready, so that they are no longer in the table. */
        void workOff() {
            rows.claim(List.copyOf(ready.values()), 1, ++lastId, clock.storeTime());
            ready.clear();
        }
    }
}
