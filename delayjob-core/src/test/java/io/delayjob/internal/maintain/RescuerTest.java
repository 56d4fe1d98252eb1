package io.delayjob.internal.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.CapturedLog;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.internal.preload.Outlook;
import io.delayjob.internal.preload.Reads;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with a liveness of 10 s. At first this instance leads partition 0, but not partition 1. */
class RescuerTest {

    private static final Partition LED = new Partition("default", 0);
    private static final Partition NOT_LED = new Partition("default", 1);
    private static final Duration LIVENESS = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final RandomGenerator random = new SplittableRandom(7);
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final List<DueRow> handedOver = new ArrayList<>();
    private final List<JobId> told = new ArrayList<>();
    private final long alive = rows.instances().register("alive#1", Set.of("default"), Set.of());
    private final long lost = rows.instances().register("lost#1", Set.of("default"), Set.of());
    private List<Partition> led = List.of(LED);
    private List<Partition> notLed = List.of(NOT_LED);
    private int departures;
    private Set<Long> known = Set.of(alive, lost);
    private final Outlook outlook = new Outlook(store.asStore(), clock);
    private final JobListeners listeners = new JobListeners(List.of(new JobListener() {
        @Override
        public void rescued(Collection<JobId> jobs) {
            told.addAll(jobs);
        }
    }));
    private ToIntFunction<Partition> groups = partition -> 0;
    private final Rescuer rescuer = new Rescuer(
            new Reads(store.asStore(), outlook, clock, listeners, 500),
            () -> led,
            () -> notLed,
            new Owners(() -> departures, () -> known, register()),
            new LostRows(
                    lost -> store.asStore().rescue(lost, clock.storeTime(), random.nextLong()),
                    partition -> groups.applyAsInt(partition),
                    this::takeOver,
                    listeners,
                    clock),
            LIVENESS);
    private long handedOverAsOfNanos;
    private int lastId;
    private int registerReads;
    private boolean registerAway;

    // ---- lost attempts

    private List<DueRow> takeOver(List<DueRow> rescued, long asOfNanos) {
        handedOver.addAll(rescued);
        handedOverAsOfNanos = asOfNanos;
        return List.of();
    }

    @Test
    void jobsOfLostInstances_waitAgain_andTheirRowsArePassedOn() {
        Job mine = running(LED, alive);
        Job gone = running(LED, lost);
        leave();
        clock.advanceMillis(500);
        assertThat(look()).isEqualTo(LIVENESS);
        Job rescued = job(gone);
        assertThat(rescued.state()).isEqualTo(JobState.DELAYED);
        assertThat(rescued.token()).isNotEqualTo(gone.token());
        assertThat(rescued.dueAt()).isEqualTo(clock.storeTime());
        assertThat(handedOver).containsExactly(rescued.toDueRow());
        assertThat(told).containsExactly(gone.id());
        assertThat(job(mine)).isEqualTo(mine);
    }

    @Test
    void rescuedRow_isOlderThanAChangeBeforeTheAnswerCame() {
        running(LED, lost);
        leave();
        long before = clock.nanoTime();
        store.during("rescue", () -> clock.advanceMillis(10));
        look();
        assertThat(handedOver).hasSize(1);
        assertThat(handedOverAsOfNanos).isEqualTo(before);
    }

    @Test
    void lostAttempt_afterTheClockWasSetBack_isFound() {
        Job gone = running(LED, lost);
        look();
        clock.setStore(Duration.ofHours(-1));
        leave();
        look();
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(gone).dueAt()).as("due at once").isEqualTo(clock.storeTime());
    }

    @Test
    void listeners_whenNothingWasLost_areNotTold() {
        running(LED, alive);
        look();
        assertThat(told).isEmpty();
        assertThat(handedOver).isEmpty();
        assertThat(store.calls("rescue")).isEmpty();
    }

    @Test
    void rescueWithoutAReply_isRepeatedWithoutHarm() {
        Job gone = running(LED, lost);
        leave();
        store.loseAnswerOf("rescue");
        assertThatThrownBy(rescuer::doWork).isInstanceOf(StoreException.class);
        look();
        assertThat(job(gone).rescues()).isEqualTo(1);
        assertThat(job(gone).inDoubt()).isEqualTo(1);
    }

    // ---- rows that the store refuses to rescue

    @Test
    void otherLostRowsOfThePage_areRescued_ifTheStoreRefusesOneRow() {
        List<Job> gone = running(7);
        Job bad = gone.get(3);
        leave();
        store.refuse(rescues(bad));

        assertThat(look()).isEqualTo(LIVENESS);

        List<Job> others = without(bad, gone);
        assertThat(others).extracting(job -> job(job).state()).containsOnly(JobState.DELAYED);
        assertThat(job(bad)).isEqualTo(bad);
        assertThat(told).containsExactlyElementsOf(others.stream().map(Job::id).toList());
        assertThat(handedOver)
                .containsExactlyElementsOf(
                        others.stream().map(job -> job(job).toDueRow()).toList());
    }

    @Test
    void otherPagesAndPartitions_areSearched_ifTheStoreRefusesOneRow() {
        led = List.of(LED, NOT_LED);
        notLed = List.of();
        Job bad = running(LED, lost);
        backlog(Rescuer.PAGE);
        Job behind = running(LED, lost, clock.storeTime());
        Job there = running(NOT_LED, lost);
        leave();
        store.refuse(rescues(bad));

        look();

        assertThat(job(behind).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(there).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(bad)).isEqualTo(bad);
    }

    @Test
    void refusedRow_isRescuedByALaterSearch_whenTheStoreAcceptsIt() {
        Job bad = running(LED, lost);
        leave();
        store.refuse(rescues(bad));
        look();
        assertThat(job(bad)).isEqualTo(bad);

        store.heal();
        clock.advance(LIVENESS);
        look();

        assertThat(job(bad).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void refusedRow_isLoggedOnce_howeverManySearchesMeetIt() {
        notLed = List.of();
        Job bad = running(LED, lost);
        leave();
        store.fail(rescues(bad), new IllegalArgumentException("no such state"));
        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < 5; i++) {
                look();
                clock.advance(LIVENESS);
            }
            assertThat(store.calls("rescue")).as("one in each search").hasSize(5);
            assertThat(log.lines("LostRows"))
                    .singleElement()
                    .asString()
                    .contains("WARN", "cannot rescue job %s (%s)".formatted(bad.id(), bad.name()), "no such state");
        }
    }

    @Test
    void rescueWithoutAReply_isNotDivided() {
        List<Job> gone = running(4);
        leave();
        store.loseCallOf("rescue");

        assertThatThrownBy(rescuer::doWork).isInstanceOf(StoreException.class);
        clock.advanceMillis(50);
        look();

        assertThat(store.calls("rescue").stream().map(call -> call.rows().size()))
                .containsExactly(4, 4);
        assertThat(gone).extracting(job -> job(job).state()).containsOnly(JobState.DELAYED);
    }

    @Test
    void rowsThatWereRescuedBeforeTheStoreWentAway_arePassedOn() {
        List<Job> gone = running(4);
        leave();
        store.refuse(rescues(gone.get(3))).fail(rescues(gone.get(2)), StoreException.unavailable("away"));

        assertThatThrownBy(rescuer::doWork).hasMessage("away");

        assertThat(told).containsExactly(gone.get(0).id(), gone.get(1).id());
        assertThat(handedOver).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {LostRows.MAX_REFUSED_FIRST, 20, 3 * LostRows.MAX_REFUSED})
    void searchFails_andIsRepeatedSoon_ifTheStoreRefusesTheFirstRowsAndAcceptsNone(int count) {
        List<Job> gone = running(count);
        leave();
        store.refuse(call -> call.method().equals("rescue"));
        try (CapturedLog log = new CapturedLog()) {
            assertThatThrownBy(rescuer::doWork).hasMessage("refused");
            assertThat(store.calls("rescue")).hasSizeLessThan(25);
            assertThat(log.lines("LostRows")).isEmpty();
        }

        store.heal();
        clock.advanceMillis(50);
        look();
        assertThat(gone).extracting(job -> job(job).state()).containsOnly(JobState.DELAYED);
    }

    @ParameterizedTest
    @CsvSource({
        "5, '0 1 2 3 4', 1",
        "9, '0 1 2 3 4 5 6 7', 2",
        "200, '0 25 50 100 101 102 103 104', 2",
        "200, first 60, 5",
        "200, last 60, 5",
        "200, every 3, 5",
        "200, first 199, 6",
        "1000, first 999, 15",
        "5000, '0 625 1250 2500', 1",
        "5000, every 5, 11",
        "5000, every 2, 26"
    })
    void healthyRowsAreRescued_howeverDamagedRowsLie(int count, String damaged, int searches) {
        List<Job> gone = running(count);
        Set<JobId> bad = IntStream.range(0, count)
                .filter(isDamaged(damaged, count))
                .mapToObj(i -> gone.get(i).id())
                .collect(Collectors.toSet());
        leave();
        store.refuse(rescuesAny(bad));

        search(searches);

        assertThat(gone)
                .filteredOn(job -> job(job).state() != JobState.DELAYED)
                .extracting(Job::id)
                .containsExactlyInAnyOrderElementsOf(bad);
    }

    private static IntPredicate isDamaged(String damaged, int count) {
        String[] words = damaged.split(" ");
        return switch (words[0]) {
            case "first" -> i -> i < Integer.parseInt(words[1]);
            case "last" -> i -> i >= count - Integer.parseInt(words[1]);
            case "every" -> i -> i % Integer.parseInt(words[1]) == 0;
            default -> i -> List.of(words).contains(String.valueOf(i));
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, LostRows.MAX_REFUSED_FIRST, 2 * LostRows.MAX_REFUSED})
    void nextPageIsSearched_althoughAllLostRowsOfTheFirstAreDamaged(int damaged) {
        notLed = List.of();
        Set<JobId> bad = running(damaged).stream().map(Job::id).collect(Collectors.toSet());
        backlog(Rescuer.PAGE);
        Job behind = running(LED, lost, clock.storeTime());
        leave();
        store.refuse(rescuesAny(bad));
        try (CapturedLog log = new CapturedLog()) {
            search(30);

            assertThat(job(behind).state()).isEqualTo(JobState.DELAYED);
            assertThat(log.lines("cannot rescue")).as("lines in five minutes").hasSize(1);
        }
    }

    @Test
    void rowThatWasRefusedBefore_costsOneCallInEachSearch() {
        List<Job> gone = running(200);
        Job bad = gone.get(77);
        leave();
        store.refuse(rescues(bad));
        search(1);
        store.forgetCalls();

        search(6);

        assertThat(store.calls("rescue").stream().map(call -> call.rows().size()))
                .hasSizeGreaterThan(2)
                .containsOnly(1);
    }

    @Test
    void allRowsAreRescuedWithFewCalls_afterTheStoreHasRefusedEverything() {
        List<Job> gone = running(200);
        leave();
        store.refuse(call -> call.method().equals("rescue"));
        search(10);
        assertThat(gone).extracting(job -> job(job).state()).containsOnly(JobState.RUNNING);
        store.heal();
        store.forgetCalls();

        search(1);

        assertThat(gone).extracting(job -> job(job).state()).containsOnly(JobState.DELAYED);
        assertThat(store.calls("rescue")).hasSizeLessThan(3);
    }

    @Test
    void searchThatDividesARescue_logsOneLineAboutAllRescuedJobs() {
        List<Job> gone = running(200);
        leave();
        store.refuse(rescues(gone.get(77))).refuse(rescues(gone.get(150)));
        try (CapturedLog log = new CapturedLog()) {
            search(1);

            assertThat(log.lines("have lost their instance"))
                    .singleElement()
                    .asString()
                    .contains("198 running jobs");
        }
    }

    @Test
    void refusedRowIsNamed_ifTheSearchFailsAfterOtherRowsWereRescued() {
        List<Job> gone = running(4);
        leave();
        store.refuse(rescues(gone.get(2)));
        store.fail(
                call -> call.method().equals("rescue")
                        && call.<DueRow>rows().stream()
                                .map(DueRow::id)
                                .toList()
                                .equals(List.of(gone.get(3).id())),
                StoreException.unavailable("away"));
        try (CapturedLog log = new CapturedLog()) {
            assertThatThrownBy(rescuer::doWork).hasMessage("away");

            assertThat(log.lines("cannot rescue"))
                    .singleElement()
                    .asString()
                    .contains(gone.get(2).id().toString());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsOfOtherGroups_areTold_ifTheCallForOneGroupFails(boolean passing) {
        led = List.of(LED, NOT_LED);
        notLed = List.of();
        groups = Partition::index;
        Job first = running(LED, lost);
        Job bad = running(NOT_LED, lost);
        Job last = running(LED, lost);
        leave();
        store.fail(rescues(bad), passing ? StoreException.unavailable("away") : StoreException.refused("refused"));

        search(1);

        assertThat(told).containsExactlyInAnyOrder(first.id(), last.id());
        assertThat(handedOver).hasSize(2);
        assertThat(job(bad)).isEqualTo(bad);
    }

    /** Searches as often as the engine does: soon after a failure, and otherwise after a liveness period. */
    private void search(int times) {
        for (int i = 0; i < times; i++) {
            try {
                look();
                clock.advance(LIVENESS);
            } catch (StoreException failure) {
                clock.advanceMillis(800);
            }
        }
    }

    private static Predicate<FaultyStore.Call> rescuesAny(Set<JobId> ids) {
        return call ->
                call.method().equals("rescue") && call.<DueRow>rows().stream().anyMatch(row -> ids.contains(row.id()));
    }

    @Test
    void searchFails_ifTheStoreAcceptsSomeRowsAndRefusesVeryManyOthers() {
        List<Job> gone = running(3 * LostRows.MAX_REFUSED);
        Set<JobId> accepted = Set.of(gone.get(0).id(), gone.get(1).id());
        leave();
        store.refuse(call -> call.method().equals("rescue")
                && call.<DueRow>rows().stream().anyMatch(row -> !accepted.contains(row.id())));

        assertThatThrownBy(rescuer::doWork).hasMessage("refused");

        assertThat(told).containsExactlyInAnyOrderElementsOf(accepted);
        assertThat(store.calls("rescue").stream().filter(call -> call.rows().size() == 1))
                .hasSize(LostRows.MAX_REFUSED + 1);
    }

    @Test
    void allRefusedRows_shareOneLogLineInTenMinutes() {
        notLed = List.of();
        List<Job> gone = running(7);
        leave();
        store.refuse(rescues(gone.get(2))).refuse(rescues(gone.get(4)));
        try (CapturedLog log = new CapturedLog()) {
            look();
            assertThat(log.lines("LostRows"))
                    .filteredOn(line -> line.contains("cannot rescue"))
                    .hasSize(1);
            clock.advance(Duration.ofMinutes(10));
            look();
            assertThat(log.lines("LostRows"))
                    .filteredOn(line -> line.contains("cannot rescue"))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("like 1 earlier failures");
        }
    }

    private List<Job> running(int count) {
        return IntStream.range(0, count).mapToObj(i -> running(LED, lost)).toList();
    }

    private static List<Job> without(Job left, List<Job> jobs) {
        return jobs.stream().filter(job -> !job.equals(left)).toList();
    }

    private static Predicate<FaultyStore.Call> rescues(Job job) {
        return rescuesAny(Set.of(job.id()));
    }

    // ---- the partitions

    @Test
    void rowOfAnInstanceThatRegisteredAfterTheLastLook_isNotRescued() {
        Job unseen = running(LED, rows.instances().register("new#1", Set.of("default"), Set.of()));
        Job gone = running(LED, lost);
        leave();
        look();
        assertThat(job(unseen)).isEqualTo(unseen);
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
        assertThat(told).containsExactly(gone.id());
    }

    @Test
    void instanceThatRegistersAndClaimsWhileRowsAreRead_isNotTreatedAsLost() {
        running(LED, alive);
        List<Job> claimed = new ArrayList<>();
        store.during(
                "claimedByOthers",
                () -> claimed.add(running(LED, rows.instances().register("new#1", Set.of("default"), Set.of()))));
        look();
        assertThat(job(claimed.get(0))).isEqualTo(claimed.get(0));
        assertThat(told).isEmpty();
    }

    @Test
    void registerIsReadOnlyForRowsOfOwnersThatAreNotKnown() {
        running(LED, alive);
        look();
        assertThat(registerReads).isZero();
        Job gone = running(LED, lost);
        leave();
        look();
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
        assertThat(registerReads).isEqualTo(1);
    }

    @Test
    void registerThatCannotBeRead_doesNotMakeAnyRowLost() {
        Job gone = running(LED, lost);
        leave();
        registerAway = true;
        assertThatThrownBy(rescuer::doWork).isInstanceOf(StoreException.class);
        assertThat(job(gone)).isEqualTo(gone);
        registerAway = false;
        clock.advanceMillis(50);
        look();
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
    }

    // ---- the times of searches

    @Test
    void attemptLostBeforeThisInstanceStarted_isFoundAtOnce() {
        Job gone = running(LED, lost);
        depart();
        look();
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void attemptLostWithoutADeparture_isFoundALivenessPeriodLater() {
        look();
        depart();
        Job late = running(LED, lost);
        assertThat(Duration.ofNanos(rescuer.doWork())).isEqualTo(LIVENESS);
        assertThat(job(late)).isEqualTo(late);
        clock.advance(LIVENESS);
        look();
        assertThat(job(late).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void departure_causesASearchAtOnceInLedPartitions_andTwoLivenessPeriodsLaterInOthers() {
        look();
        Job mine = running(LED, lost);
        Job theirs = running(NOT_LED, lost);
        clock.advance(Duration.ofSeconds(1));
        leave();
        look();
        assertThat(job(mine).state()).isEqualTo(JobState.DELAYED);
        clock.advance(LIVENESS.multipliedBy(2).minusNanos(1));
        look();
        assertThat(job(theirs)).isEqualTo(theirs);
        clock.advance(Duration.ofNanos(1));
        look();
        assertThat(job(theirs).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void furtherDepartures_delayNothing() {
        look();
        Job theirs = running(NOT_LED, lost);
        leave();
        look();
        clock.advance(LIVENESS);
        departures++;
        look();
        clock.advance(LIVENESS);
        look();
        assertThat(job(theirs).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void partitionThatIsTakenOver_isSearchedAtOnce() {
        look();
        Job theirs = running(NOT_LED, lost);
        leave();
        look();
        led = List.of(LED, NOT_LED);
        notLed = List.of();
        look();
        assertThat(job(theirs).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void lockedRow_isSearchedAgainALivenessPeriodLater() {
        look();
        Job held = running(NOT_LED, lost);
        leave();
        store.lock(held.id());
        look();
        clock.advance(LIVENESS.multipliedBy(2));
        look();
        assertThat(job(held)).isEqualTo(held);
        store.unlock(held.id());
        clock.advance(LIVENESS);
        look();
        assertThat(job(held).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void partitionThatCannotBeRead_delaysNoOther() {
        led = List.of(LED, NOT_LED);
        notLed = List.of();
        Job gone = running(NOT_LED, lost);
        leave();
        store.timeOut(call -> call.method().equals("claimedByOthers")
                && call.<PartitionCursor>rows().stream()
                        .anyMatch(cursor -> cursor.partition().equals(LED)));
        assertThatThrownBy(rescuer::doWork).isInstanceOf(StoreException.class);
        clock.advanceMillis(50);
        assertThatThrownBy(rescuer::doWork).isInstanceOf(StoreException.class);
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void partitionThatCouldNotBeReadIsReadWithTheOthersAgain() {
        led = List.of(LED, NOT_LED);
        notLed = List.of();
        running(LED, alive);
        running(NOT_LED, alive);
        store.loseAnswerOf("claimedByOthers");
        assertThatThrownBy(rescuer::doWork).isInstanceOf(StoreException.class);
        clock.advanceMillis(50);
        look();
        store.forgetCalls();
        clock.advance(LIVENESS);
        look();
        assertThat(store.calls("claimedByOthers")).hasSize(1);
    }

    // ---- the amount of reading

    @Test
    void partitionWithoutDueRows_isNotRead() {
        rows.submit(
                List.of(given(LED).plannedAt(clock.storeTime().plusMillis(1)).toBeWritten()), DueSink.NONE);
        assertThat(look()).isEqualTo(LIVENESS);
        assertThat(store.calls("claimedByOthers")).isEmpty();
        clock.advance(LIVENESS);
        look();
        assertThat(store.calls("claimedByOthers").get(0).<PartitionCursor>rows())
                .extracting(PartitionCursor::partition)
                .containsExactly(LED);
    }

    @Test
    void viewOfAnotherRead_replacesALook() {
        outlook.youngerThan(Duration.ZERO);
        clock.advanceMillis(2_400);
        assertThat(look()).isEqualTo(LIVENESS.minusMillis(2_400));
        assertThat(store.calls("partitionsInUse")).hasSize(1);
    }

    @Test
    void partitions_areSearchedWithOneStatement() {
        led = List.of(LED, NOT_LED);
        notLed = List.of();
        Job here = running(LED, lost);
        Job there = running(NOT_LED, lost);
        leave();
        assertThat(look()).isEqualTo(LIVENESS);
        assertThat(store.calls("claimedByOthers")).hasSize(1);
        assertThat(job(here).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(there).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void backlogInOnePartition_delaysNoOther() {
        led = List.of(LED, NOT_LED);
        notLed = List.of();
        backlog(Rescuer.PAGE);
        Job gone = running(NOT_LED, lost);
        leave();
        assertThat(rescuer.doWork()).as("more of the backlog").isZero();
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
        assertThat(look()).isEqualTo(LIVENESS);
        assertThat(store.calls("claimedByOthers"))
                .as("half a page, and a whole one")
                .hasSize(2);
        assertThat(store.calls("claimedByOthers").get(1).<PartitionCursor>rows())
                .extracting(PartitionCursor::partition)
                .containsExactly(LED);
    }

    @Test
    void backlog_afterADeparture_isReadFromTheBeginningWithoutRest() {
        backlog(2 * Rescuer.PAGE + 1);
        pageTakes(Duration.ofMillis(10));
        rescuer.doWork();
        Job gone = running(LED, lost);
        leave();
        assertThat(rescuer.doWork())
                .as("the second page of the first search is replaced")
                .isZero();
        assertThat(job(gone).state()).isEqualTo(JobState.DELAYED);
        rescuer.doWork();
        rescuer.doWork();
        assertThat(store.calls("claimedByOthers")).hasSize(4);
        assertThat(Duration.ofNanos(rescuer.doWork())).isEqualTo(LIVENESS);
    }

    @Test
    void backlog_withoutADeparture_isReadWithRests() {
        notLed = List.of();
        backlog(2 * Rescuer.PAGE + 1);
        pageTakes(Duration.ofMillis(10));
        assertThat(Duration.ofNanos(rescuer.doWork())).isEqualTo(Duration.ofMillis(500));
        Job late = running(LED, lost);
        depart();
        assertThat(Duration.ofNanos(rescuer.doWork()))
                .as("woken before the end of the pause")
                .isPositive();
        assertThat(store.calls("claimedByOthers")).hasSize(1);
        for (int page = 0; page < 4; page++) {
            clock.advance(LIVENESS);
            rescuer.doWork();
        }
        assertThat(job(late).state()).as("found by the next search").isEqualTo(JobState.DELAYED);
    }

    @Test
    void backlog_withoutADeparture_isReadWithLongerRests_ifOtherInstancesLeadPartitions() {
        notLed = List.of(NOT_LED, new Partition("default", 2));
        backlog(3 * Rescuer.PAGE);
        assertThat(Duration.ofNanos(rescuer.doWork())).isEqualTo(Duration.ofMillis(1_500));
        led = List.of(LED, NOT_LED);
        notLed = List.of(new Partition("default", 2));
        clock.advanceMillis(1_500);
        assertThat(Duration.ofNanos(rescuer.doWork())).isEqualTo(Duration.ofMillis(750));
    }

    @Test
    void pages_areNotShared_withPartitionsOfOtherInstances() {
        notLed = List.of(NOT_LED, new Partition("default", 2));
        backlog(3 * Rescuer.PAGE);
        backlog(NOT_LED, 3 * Rescuer.PAGE);
        look();
        clock.advance(LIVENESS.multipliedBy(2));
        rescuer.doWork();
        clock.advance(LIVENESS);
        rescuer.doWork();
        assertThat(store.calls("claimedByOthers"))
                .hasSize(3)
                .allSatisfy(call -> assertThat(call.<PartitionCursor>rows())
                        .extracting(PartitionCursor::partition)
                        .containsExactly(LED));
    }

    @Test
    void rest_isNeverLongerThanALivenessPeriod() {
        led = List.of();
        notLed = IntStream.range(0, 100)
                .mapToObj(index -> new Partition("default", index))
                .toList();
        backlog(2 * Rescuer.PAGE);
        look();
        clock.advance(LIVENESS.multipliedBy(2));
        assertThat(Duration.ofNanos(rescuer.doWork())).isEqualTo(LIVENESS);
        assertThat(store.calls("claimedByOthers")).hasSize(1);
    }

    /** Calls the agent until it pauses. Returns the length of the pause. */
    private Duration look() {
        long pause = rescuer.doWork();
        while (pause == 0) {
            pause = rescuer.doWork();
        }
        return Duration.ofNanos(pause);
    }

    /** Removes the owner from the register without telling the rescuer. */
    private void depart() {
        rows.instances().deregister(lost);
        known = Set.of(alive);
    }

    private void leave() {
        depart();
        departures++;
    }

    /** Returns the store's register. Its reads are counted and may fail. */
    private InstanceStore register() {
        return (InstanceStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {InstanceStore.class}, (proxy, method, arguments) -> {
                    registerReads++;
                    if (registerAway) {
                        throw StoreException.unavailable("away", new IllegalStateException());
                    }
                    return method.invoke(rows.instances(), arguments);
                });
    }

    private void pageTakes(Duration time) {
        store.timeOut(call -> {
            if (call.method().equals("claimedByOthers")) {
                clock.advance(time);
            }
            return false;
        });
    }

    private void backlog(int waiting) {
        backlog(LED, waiting);
    }

    private void backlog(Partition partition, int waiting) {
        List<NewJob> jobs = new ArrayList<>(waiting);
        for (int i = 0; i < waiting; i++) {
            jobs.add(given(partition).toBeWritten());
        }
        rows.submit(jobs, DueSink.NONE);
    }

    /** Returns a running job that is due before any backlog. */
    private Job running(Partition partition, long owner) {
        return running(partition, owner, HandClock.START.minusSeconds(1));
    }

    private Job running(Partition partition, long owner, Instant due) {
        NewJob job = given(partition).plannedAt(due).toBeWritten();
        rows.submit(List.of(job), DueSink.NONE);
        DueRow row = rows.find(job.id()).orElseThrow().toDueRow();
        return rows.claim(List.of(row), owner, random.nextLong(), clock.storeTime())
                .get(0);
    }

    private GivenJob given(Partition partition) {
        return GivenJob.given().id(GivenJob.id(++lastId)).partition(partition).token(lastId);
    }

    private Job job(Job job) {
        return rows.find(job.id()).orElseThrow();
    }
}
