package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.status.BusyMutex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutexes on one instance. */
class MutexesTest {

    private static final long ELSEWHERE = 4_711;

    private final Map<JobId, CompletableFuture<Object>> attempts = new LinkedHashMap<>();
    private final Station station = station(4, 1_000);

    private Station station(int slots, int maxReady) {
        Station made = new Station(slots, maxReady, new Station.TextCodec());
        for (String name : List.of("debit", "credit", "single")) {
            Handler.Builder handler = Handler.named(name);
            made.handler((name.equals("single") ? handler.concurrency(1) : handler).calls((arguments, job) -> {
                CompletableFuture<Object> attempt = new CompletableFuture<>();
                attempts.put(job.id(), attempt);
                return attempt;
            }));
        }
        return made;
    }

    @Test
    void jobsOfOneMutex_runOneAfterAnother_andOtherJobsGoOn() {
        DueRow first = due("debit", "account-7");
        DueRow second = due("credit", "account-7");
        DueRow other = due("debit", "account-8");
        DueRow without = station.due("debit");
        station.offer(List.of(first, other, without));
        station.work();

        station.offer(List.of(second));
        station.work();

        assertThat(attempts).containsOnlyKeys(first.id(), other.id(), without.id());
        assertThat(station.state(second.id())).as("not claimed").isEqualTo(JobState.DELAYED);
        assertThat(station.slotsTaken()).isEqualTo(3);
        assertThat(station.lanes.occupancy().busyMutexes())
                .containsExactly(new BusyMutex("default", "account-7", first.id(), 1));

        end(first);

        assertThat(attempts).containsKey(second.id());
        end(second);
        assertThat(station.state(second.id())).isEqualTo(JobState.FINISHED);
        assertThat(station.lanes.occupancy().busyMutexes()).isEmpty();
    }

    @Test
    void mutexes_takeTurns() {
        List<DueRow> rows = new ArrayList<>();
        for (String mutex : List.of("a", "a", "a", "b", "b", "b")) {
            rows.add(due("single", mutex));
        }
        station.offer(rows);
        station.work();
        List<String> order = new ArrayList<>();
        while (order.size() < rows.size()) {
            DueRow running = rows.stream()
                    .filter(row -> attempts.containsKey(row.id())
                            && !attempts.get(row.id()).isDone())
                    .findFirst()
                    .orElseThrow();
            order.add(running.mutex());
            end(running);
        }
        assertThat(order).containsExactly("a", "b", "a", "b", "a", "b");
    }

    @Test
    void waitingJobs_costNoStatement() {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rows.add(due("debit", "account-7"));
        }
        station.offer(rows);
        station.work();
        long claims = station.store.calls("claim").size();
        long reads = station.store.calls("claimedByOthers").size();

        for (int i = 0; i < 100; i++) {
            station.clock.advanceMillis(100);
            station.offer(rows);
            station.work();
        }

        assertThat(station.store.calls("claim")).hasSize((int) claims);
        assertThat(station.store.calls("claimedByOthers")).hasSize((int) reads);
        assertThat(attempts).hasSize(1);
    }

    @Test
    void jobsWithoutAMutex_areNeverReadForMutexes() {
        station.offer(station.due("debit", 10));
        station.work();

        assertThat(station.store.calls("claimedByOthers")).isEmpty();
        assertThat(station.watchWakes).isZero();
    }

    @Test
    void rowOfAnotherLeader_isDropped() {
        DueRow row = due("debit", "account-7");
        station.term = 0;

        assertThat(station.offer(List.of(row))).as("refused").isEmpty();
        assertThat(station.lanes.intake().isRunHere(row)).isFalse();
        station.work();

        assertThat(attempts).isEmpty();
        assertThat(station.lanes.held(Set.of(row.id()))).isEmpty();
        station.term = 1;
        station.offer(List.of(row));
        station.work();
        assertThat(attempts).containsOnlyKeys(row.id());
    }

    @Test
    void readyRow_whoseLeaseEndsBeforeItsClaim_isDropped() {
        DueRow first = due("debit", "account-7");
        station.offer(List.of(first));
        station.work();
        end(first);
        DueRow row = due("debit", "account-7");
        station.offer(List.of(row));
        station.term = 0;

        station.work();

        assertThat(attempts).containsOnlyKeys(first.id());
        assertThat(station.lanes.held(Set.of(row.id()))).isEmpty();
    }

    /** After a sleep of the machine, a lease is not trusted for a while, and then it is the same lease. */
    @Test
    void waitingRows_whoseMutexBecomesFreeWhileTheLeaseIsNotTrusted_startUnderTheSameLeaseLater() {
        DueRow first = due("debit", "account-7");
        List<DueRow> rows = due(3, "account-7");
        station.offer(List.of(first));
        station.work();
        station.offer(rows);
        station.work();

        station.term = 0;
        attempts.get(first.id()).complete(null);
        // The agent that removes the rows of a lost lease does not run meanwhile.
        station.claimer.doWork();
        station.term = 1;
        DueRow last = rows.get(2);
        station.offer(List.of(last));
        station.work();

        assertThat(attempts).containsOnlyKeys(first.id(), last.id());
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "account-8")
    void rowThatGetsAnotherMutexJustBeforeItsClaim_leavesItsTurnToTheNextRow(@Nullable String mutex) {
        DueRow busy = due("single", "another");
        DueRow holder = due("credit", "account-7");
        station.offer(List.of(busy, holder));
        station.work();
        DueRow second = due("single", "account-7");
        DueRow third = due("single", "account-7");
        station.offer(List.of(second, third));
        station.work();
        end(holder);

        station.offer(List.of(newer(second, mutex)));
        end(busy);

        assertThat(attempts).containsOnlyKeys(busy.id(), holder.id(), third.id());
        end(third);
        assertThat(station.lanes.occupancy().busyMutexes()).isEmpty();
    }

    @Test
    void claimThatIsAnsweredUnderAnotherLease_isGivenBack_andNotStarted() {
        DueRow first = due("debit", "account-7");
        station.offer(List.of(first));
        station.work();
        end(first);
        DueRow row = due("debit", "account-7");
        station.offer(List.of(row));
        station.store.during("claim", () -> station.term = 2);

        station.work();

        assertThat(attempts).containsOnlyKeys(first.id());
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        station.offerAsItStands(row.id());
        station.work();
        assertThat(attempts).containsKey(row.id());
    }

    @Test
    void jobThatAnotherInstanceRuns_holdsItsMutex_untilItHasEnded() {
        Job elsewhere = runningElsewhere("account-7");
        DueRow row = due("debit", "account-7");
        DueRow other = due("debit", "account-8");
        station.offer(List.of(row, other));

        station.work();

        assertThat(attempts).containsOnlyKeys(other.id());
        assertThat(station.lanes.occupancy().busyMutexes())
                .containsExactly(new BusyMutex("default", "account-7", elsewhere.id(), 1));
        station.clock.advanceMillis(1_000);
        station.work();
        assertThat(attempts).containsOnlyKeys(other.id());

        station.rows.release(List.of(elsewhere.toDueRow()), 0, station.random.nextLong(), station.clock.storeTime());
        station.clock.advanceMillis(1_000);
        station.work();
        assertThat(attempts).containsOnlyKeys(other.id(), row.id());
    }

    @Test
    void jobThatComesLater_letsTheRunningRowsOfOthersBeReadAgain() {
        Job elsewhere = runningElsewhere("account-7");
        station.offer(List.of(due("debit", "account-8")));
        station.work();
        int wakes = station.watchWakes;

        DueRow row = due("debit", "account-7");
        station.offer(List.of(row));
        assertThat(station.watchWakes).isEqualTo(wakes + 1);

        station.rows.release(List.of(elsewhere.toDueRow()), 0, station.random.nextLong(), station.clock.storeTime());
        station.clock.advanceMillis(1_000);
        station.work();
        assertThat(attempts).containsKey(row.id());
    }

    @Test
    void ownJobThatRuns_holdsItsMutex_whenTheLeaseIsTakenAgain() {
        DueRow first = due("debit", "account-7");
        station.offer(List.of(first));
        station.work();
        station.term = 2;
        DueRow second = due("debit", "account-7");
        station.offer(List.of(second));
        station.work();
        assertThat(attempts).containsOnlyKeys(first.id());

        end(first);

        assertThat(attempts).containsKey(second.id());
    }

    @Test
    void lostLease_dropsTheRowsThatWait() {
        DueRow first = due("debit", "account-7");
        DueRow second = due("debit", "account-7");
        station.offer(List.of(first, second));
        station.work();
        station.term = 0;
        station.work();

        assertThat(station.lanes.held(Set.of(first.id(), second.id()))).containsExactly(first.id());
        end(first);
        assertThat(attempts).containsOnlyKeys(first.id());
    }

    @Test
    void pause_forgetsTheRowsThatWait() {
        DueRow first = due("debit", "account-7");
        DueRow second = due("debit", "account-7");
        DueRow third = due("credit", "account-7");
        station.offer(List.of(first, second, third));
        station.work();

        station.lanes.follow(Paused.handlers(Set.of("debit")));
        assertThat(station.lanes.held(Set.of(first.id(), second.id(), third.id())))
                .containsExactlyInAnyOrder(first.id(), third.id());
        end(first);

        assertThat(attempts).containsOnlyKeys(first.id(), third.id());
    }

    @Test
    void pauseJustBeforeTheDueTime_forgetsTheClaimedRow_andThoseThatWaitForItsMutex() {
        Instant soon = station.clock.storeTime().plusMillis(10);
        List<DueRow> rows = List.of(dueAt(soon, "debit", "account-7"), dueAt(soon, "debit", "account-7"));
        station.offer(rows);
        station.work();

        station.lanes.follow(Paused.handlers(Set.of("debit")));

        assertThat(station.lanes.held(Set.of(rows.get(0).id(), rows.get(1).id())))
                .isEmpty();
    }

    @Test
    void laneWithoutSlots_doesNotHoldBackOtherLanesOfItsMutex() {
        DueRow busy = due("single", "another");
        DueRow stuck = due("single", "account-7");
        DueRow free = due("credit", "account-7");
        station.offer(List.of(busy));
        station.work();

        station.offer(List.of(stuck, free));
        station.work();

        assertThat(attempts).containsOnlyKeys(busy.id(), free.id());
    }

    @Test
    void mutexWithManyRows_leavesRoomForOthers() {
        Station small = station(4, 400);
        List<DueRow> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(due(small, "debit", "many"));
        }
        assertThat(small.offer(many)).as("refused").isEmpty();
        small.work();
        List<DueRow> few = List.of(due(small, "debit", "few"), due(small, "debit", "few"));
        small.offer(few);
        small.work();

        assertThat(small.lanes.occupancy().busyMutexes()).hasSize(2).satisfies(busy -> {
            assertThat(busy.get(0).mutex()).isEqualTo("many");
            assertThat(busy.get(0).waiting()).isBetween(100, 200);
            assertThat(busy.get(1).waiting()).isEqualTo(1);
        });
    }

    @Test
    void claimThatPassesTheRowOver_givesTheMutexBack() {
        DueRow first = due("debit", "account-7");
        DueRow second = due("debit", "account-7");
        station.store.lock(first.id());
        station.offer(List.of(first, second));

        station.work();

        assertThat(attempts).containsOnlyKeys(second.id());
    }

    @Test
    void claimWithALostAnswer_keepsTheMutexUntilItsReleaseIsAnswered() {
        station.store.loseAnswerOf("claim");
        DueRow first = due("debit", "account-7");
        DueRow second = due("debit", "account-7");
        station.offer(List.of(first, second));
        try {
            station.work();
        } catch (RuntimeException unanswered) {
            assertThat(station.lanes.occupancy().busyMutexes()).hasSize(1);
        }

        station.work();

        assertThat(attempts).containsOnlyKeys(second.id());
        assertThat(station.state(first.id())).isEqualTo(JobState.DELAYED);
    }

    @Test
    void mutexOfAnotherQueue_isAnotherMutex() {
        Station two = station(4, 1_000);
        DueRow here = due(two, "debit", "account-7");
        DueRow there = due(
                two,
                GivenJob.given()
                        .name("debit")
                        .partition(new Partition("busy", 0))
                        .mutex("account-7"));
        two.offer(List.of(here, there));

        two.work();

        assertThat(attempts).containsOnlyKeys(here.id(), there.id());
    }

    @Test
    void jobThatAnotherInstanceHasClaimedAgain_holdsItsMutex_whenTheOwnAttemptAtItEnds() {
        DueRow first = due("debit", "account-7");
        station.offer(List.of(first));
        station.work();
        Job here = station.job(first.id());
        station.rows.release(List.of(here.toDueRow()), 0, station.random.nextLong(), station.clock.storeTime());
        Job elsewhere = claimElsewhere(station.job(first.id()).toDueRow());
        station.term = 2;
        DueRow second = due("debit", "account-7");
        station.offer(List.of(second));
        station.work();

        end(first);

        assertThat(attempts).containsOnlyKeys(first.id());
        station.rows.release(List.of(elsewhere.toDueRow()), 0, station.random.nextLong(), station.clock.storeTime());
        station.clock.advanceMillis(1_000);
        station.work();
        assertThat(attempts).containsOnlyKeys(first.id(), second.id());
    }

    @Test
    void rowsOfOneMutexThatHaveAllChanged_costFewClaims() {
        DueRow first = due("debit", "account-7");
        station.offer(List.of(first));
        station.work();
        List<DueRow> cancelled = due(100, "account-7");
        station.offer(cancelled);
        cancelled.forEach(row -> station.store.lock(row.id()));
        station.store.forgetCalls();

        end(first);
        station.clock.advanceMillis(1_000);
        station.work();

        assertThat(station.store.calls("claim")).hasSizeBetween(3, 10);
        DueRow live = due("debit", "account-7");
        station.offer(List.of(live));
        station.work();
        assertThat(attempts).containsOnlyKeys(first.id(), live.id());
    }

    @Test
    void rowsThatHaveChanged_areForgotten_onlyIfSeveralChangedInARow() {
        DueRow first = due("debit", "account-7");
        station.offer(List.of(first));
        station.work();
        List<DueRow> rows = due(12, "account-7");
        station.offer(rows);
        for (int i = 0; i < rows.size(); i += 2) {
            station.store.lock(rows.get(i).id());
        }

        end(first);
        for (int i = 1; i < rows.size(); i += 2) {
            end(rows.get(i));
        }

        assertThat(attempts).hasSize(7);
    }

    @Test
    void mutex_keepsALimitedNumberOfRows() {
        Station large = station(4, 100_000);
        large.offer(due(large, 3_000, "many"));

        assertThat(large.lanes.occupancy().busyMutexes())
                .singleElement()
                .satisfies(busy -> assertThat(busy.waiting()).isEqualTo(1_000));
    }

    @Test
    void rowsThatWait_areAllCounted_althoughTheListOfMutexesIsCut() {
        Station large = station(200, 100_000);
        for (int i = 0; i < 120; i++) {
            large.offer(due(large, 3, "account-" + i));
        }
        large.work();

        assertThat(large.lanes.occupancy().busyMutexes()).hasSize(BusyMutex.MOST_LISTED);
        assertThat(large.lanes.occupancy().waitingForMutex()).isEqualTo(240);
    }

    @Test
    void rowsThatWaitForMutexes_useTheRoomOfAll_andLeaveHalfOfIt() {
        Station small = station(4, 400);
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            rows.addAll(due(small, 20, "account-" + i));
        }
        small.offer(rows);
        int waiting = small.lanes.held(ids(rows)).size();
        assertThat(waiting).isBetween(150, 200);

        List<DueRow> others = small.due("credit", 1_000);
        small.offer(others);

        assertThat(small.lanes.held(ids(others)).size()).isBetween(90, 400 - waiting);
    }

    @Test
    void newerVersionOfARow_waitsForItsOwnMutexOnly() {
        DueRow first = due("debit", "account-7");
        DueRow second = due("debit", "account-7");
        DueRow third = due("debit", "account-7");
        station.offer(List.of(first, second, third));
        station.work();
        station.store.forgetCalls();

        station.offer(List.of(newer(second, null), newer(third, "account-8")));
        station.work();

        assertThat(station.lanes.occupancy().busyMutexes()).isEmpty();
        assertThat(station.store.calls("claim"))
                .flatExtracting(FaultyStore.Call::rows)
                .contains(newer(second, null), newer(third, "account-8"));
        end(first);
        assertThat(station.lanes.held(Set.of(first.id()))).isEmpty();
    }

    @Test
    void newerVersionOfARow_inAnotherQueue_doesNotWaitForTheMutexOfItsFormerQueue() {
        DueRow first = due("debit", "account-7");
        DueRow second = due("debit", "account-7");
        station.offer(List.of(first, second));
        station.work();
        station.store.forgetCalls();

        DueRow moved = new DueRow(
                second.id(), new Partition("busy", 0), "debit", second.dueMillis(), second.token() + 1, second.keys());
        station.offer(List.of(moved));
        station.work();

        assertThat(station.lanes.occupancy().busyMutexes()).isEmpty();
        assertThat(station.store.calls("claim"))
                .flatExtracting(FaultyStore.Call::rows)
                .contains(moved);
    }

    @Test
    void jobsThatComeTogether_keepTheirOrder() {
        DueRow before = due("debit", "account-7");
        station.offer(List.of(before));
        station.work();
        end(before);
        List<DueRow> rows = due(5, "account-7");
        station.offer(rows);
        station.work();
        rows.forEach(this::end);

        assertThat(List.copyOf(attempts.keySet()).subList(1, 6))
                .containsExactlyElementsOf(rows.stream().map(DueRow::id).toList());
    }

    @Test
    void newLease_isLearnedAbout_beforeALongLookIsThrough() {
        DueRow early = due("debit", "account-7");
        claimElsewhere(early);
        station.due("debit", 6_000);
        station.clock.advanceMillis(10);
        claimElsewhere(due("debit", "account-8"));
        station.offer(List.of(due("debit", "account-7"), due("debit", "account-8")));
        station.work();
        station.clock.advanceMillis(1_000);
        assertThat(station.watch.doWork()).as("a look has begun").isPositive();
        station.term = 2;
        DueRow row = due("debit", "account-9");
        station.offer(List.of(row));

        station.watch.doWork();
        station.watch.doWork();

        assertThat(station.lanes.occupancy().busyMutexes())
                .extracting(BusyMutex::mutex)
                .doesNotContain("account-9");
        station.work();
        assertThat(attempts).containsOnlyKeys(row.id());
    }

    @Test
    void rate_doesNotKeepTheRowsOfAMutexFromBeingAdopted() {
        station.handler(Handler.named("limited")
                .rate(RateLimit.of("1/min"))
                .mutex(arguments -> "account-7")
                .calls((arguments, job) -> null));
        station.run(GivenJob.given().name("limited").mutex("account-7"));

        assertThat(station.lanes.intake().adopting().roomFor("limited", "default"))
                .isPositive();
    }

    private static DueRow newer(DueRow row, @Nullable String mutex) {
        ClaimKeys keys = mutex == null ? null : new ClaimKeys(mutex, null, null);
        return new DueRow(row.id(), row.partition(), row.name(), row.dueMillis(), row.token() + 1, keys);
    }

    private static Set<JobId> ids(List<DueRow> rows) {
        return rows.stream().map(DueRow::id).collect(Collectors.toSet());
    }

    private Job claimElsewhere(DueRow row) {
        return station.rows
                .claim(List.of(row), ELSEWHERE, station.random.nextLong(), station.clock.storeTime())
                .get(0);
    }

    private Job runningElsewhere(String mutex) {
        return claimElsewhere(due("debit", mutex));
    }

    private List<DueRow> due(int count, String mutex) {
        return due(station, count, mutex);
    }

    private static List<DueRow> due(Station at, int count, String mutex) {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(due(at, "debit", mutex));
        }
        return rows;
    }

    private DueRow due(String name, String mutex) {
        return due(station, name, mutex);
    }

    private DueRow dueAt(Instant due, String name, String mutex) {
        return due(station, GivenJob.given().name(name).mutex(mutex).plannedAt(due));
    }

    private static DueRow due(Station at, String name, String mutex) {
        return due(at, GivenJob.given().name(name).mutex(mutex));
    }

    private static DueRow due(Station at, GivenJob job) {
        return at.due(job);
    }

    private void end(DueRow row) {
        attempts.get(row.id()).complete(null);
        station.clock.advance(Duration.ofMillis(10));
        station.work();
    }
}
