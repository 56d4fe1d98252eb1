package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.CapturedLog;
import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobState;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests releases that the store refuses permanently because of a single row. */
class RefusedReleasesTest {

    private final CapturedLog log = new CapturedLog();
    private final Station station = new Station(4).handler("a", (arguments, job) -> null);
    private final Claimer claimer = station.claimer;

    @AfterEach
    void close() {
        log.close();
    }

    // ---- the other rows

    static Stream<RuntimeException> lastingFailures() {
        return Stream.of(StoreException.refused("the row is cut"), new IllegalArgumentException("no such state"));
    }

    @ParameterizedTest
    @MethodSource("lastingFailures")
    void otherRowsAreReleased_ifOneRowMakesTheReleaseFail(RuntimeException failure) {
        List<DueRow> rows = station.due("a", 4);
        DueRow bad = rows.get(2);
        loseClaimOf(rows);
        station.store.fail(releases(bad), failure);

        claimer.doWork();

        assertThat(rows)
                .filteredOn(row -> station.state(row.id()) == JobState.RUNNING)
                .containsExactly(bad);
        rows.forEach(row -> station.offerAsItStands(row.id()));
        station.work();
        assertThat(rows)
                .filteredOn(row -> station.state(row.id()) != JobState.FINISHED)
                .containsExactly(bad);
    }

    @Test
    void claimsContinueInAllSlots_whileOneRowCannotBeReleased() {
        refuseOneOf(station.due("a", 4));
        List<DueRow> later = station.due("a", 4);
        station.store.forgetCalls();

        station.offer(later);
        station.work();

        assertThat(station.store.calls("claim").get(0).rows()).hasSize(4);
        assertThat(later).extracting(row -> station.state(row.id())).containsOnly(JobState.FINISHED);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void handlerWithOneSlotContinues_ifItsOnlyClaimedRowCannotBeReleased() {
        station.handler(Handler.named("single").concurrency(1).calls((arguments, job) -> null));
        refuseOneOf(List.of(station.due("single")));
        DueRow later = station.due("single");

        station.offer(List.of(later));
        station.work();

        assertThat(station.state(later.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void mutexOfTheRefusedRowIsFree_becauseThatRowDoesNotStart() {
        refuseOneOf(List.of(station.due(withMutex())));
        DueRow later = station.due(withMutex());

        station.offer(List.of(later));
        station.work();

        assertThat(station.state(later.id())).isEqualTo(JobState.FINISHED);
        assertThat(station.lanes.occupancy().busyMutexes()).isEmpty();
    }

    private static GivenJob withMutex() {
        return GivenJob.given().name("a").mutex("account-7");
    }

    // ---- the refused row

    @Test
    void refusedRowIsTriedAgainAfterGrowingPauses_andReleasedWhenTheStoreAcceptsIt() {
        DueRow bad = refuseOneOf(station.due("a", 4));
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Duration pause = Duration.ofNanos(claimer.doWork());
            pauses.add(pause);
            station.clock.advance(pause);
        }
        assertThat(pauses.subList(0, 4))
                .containsExactly(
                        Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(800));
        assertThat(pauses.subList(4, 12)).containsOnly(Duration.ofMillis(1_600));

        station.store.heal();
        assertThat(claimer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(station.state(bad.id())).isEqualTo(JobState.DELAYED);
        station.offerAsItStands(bad.id());
        station.work();
        assertThat(station.state(bad.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void allJobsStartSoon_afterTheStoreHasRefusedEverythingForAWhile() {
        List<DueRow> rows = station.due("a", 4);
        loseClaimOf(rows);
        station.store.fail(call -> true, new IllegalStateException("The disk is full."));
        Duration refused = Duration.ZERO;
        while (refused.compareTo(Duration.ofSeconds(28)) < 0) {
            Duration pause = Duration.ofNanos(
                    Math.min(claimer.doWork(), Duration.ofSeconds(1).toNanos()));
            station.clock.advance(pause);
            refused = refused.plus(pause);
        }
        assertThat(log.lines("Releases")).as("one line for all rows").hasSize(1);
        assertThat(log.lines("Releases").get(0)).doesNotContain("delete");

        station.store.heal();
        station.clock.advance(Duration.ofMillis(1_600));
        claimer.doWork();
        rows.forEach(row -> station.offerAsItStands(row.id()));
        station.work();

        assertThat(rows).extracting(row -> station.state(row.id())).containsOnly(JobState.FINISHED);
    }

    @Test
    void refusedRowIsNotClaimedAgainBeforeItsRelease() {
        List<DueRow> rows = station.due("a", 4);
        DueRow bad = rows.get(0);
        station.offer(rows);
        station.store.refuse(releases(bad)).loseCallOf("claim");
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        claimer.doWork();
        assertThat(station.state(bad.id())).isEqualTo(JobState.DELAYED);

        station.offer(List.of(bad));

        assertThat(station.lanes.ready()).as("a duplicate").isZero();
    }

    @Test
    void newerVersionOfTheRefusedRowIsClaimed() {
        DueRow bad = refuseOneOf(station.due("a", 4));
        station.rows.release(List.of(station.job(bad.id()).toDueRow()), 0, 77, station.clock.storeTime());

        station.offerAsItStands(bad.id());
        station.work();

        assertThat(station.state(bad.id())).isEqualTo(JobState.FINISHED);
        station.store.heal();
        station.clock.advance(Duration.ofSeconds(1));
        assertThat(claimer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
    }

    @Test
    void refusedRowIsLoggedOnceWithItsJobAndTheReason() {
        DueRow bad = refuseOneOf(station.due("a", 4));
        for (int i = 0; i < 5; i++) {
            station.clock.advance(Duration.ofMinutes(1));
            claimer.doWork();
        }
        assertThat(log.lines("Releases"))
                .singleElement()
                .asString()
                .contains("WARN", "cannot release job %s (a)".formatted(bad.id()), "refused");
    }

    @Test
    void rowThatIsRefusedSoonAfterAnotherIsNamedTenMinutesAfterIt() {
        DueRow repaired = refuseOneOf(station.due("a", 4));
        refuseForMinutes(4);
        DueRow bad = refuseOneOf(station.due("a", 4));
        station.store.heal();
        station.store.refuse(releases(bad));
        refuseForMinutes(10);

        assertThat(log.lines("Releases")).hasSize(2);
        assertThat(log.lines("Releases").get(0)).contains(repaired.id().toString());
        assertThat(log.lines("Releases").get(1)).contains(bad.id().toString());
    }

    private void refuseForMinutes(int minutes) {
        for (int i = 0; i < 2 * minutes; i++) {
            station.clock.advance(Duration.ofSeconds(30));
            claimer.doWork();
        }
    }

    @Test
    void dueJobWaitsForOneRefusalAtMost_howeverManyRowsWaitApart() {
        Station large = new Station(2 * Releases.MAX_APART, 10_000, new Station.TextCodec())
                .handler("a", (arguments, job) -> null);
        large.offer(large.due("a", Releases.MAX_APART - 2));
        large.store.loseAnswerOf("claim");
        assertThatThrownBy(large.claimer::doWork).isInstanceOf(StoreException.class);
        large.store.refuse(call -> call.method().equals("release"));
        for (int i = 0; i < 1_000; i++) {
            large.clock.advance(Duration.ofNanos(large.claimer.doWork()));
        }
        large.clock.advance(Duration.ofSeconds(2));
        large.store.forgetCalls();

        large.offer(List.of(large.due("a")));
        large.claimer.doWork();

        assertThat(large.store.calls("claim")).hasSize(1);
        assertThat(large.store.calls("release")).hasSizeLessThan(2);

        DueRow row = large.due("a");
        large.offer(List.of(row));
        large.store.loseAnswerOf("claim");
        assertThatThrownBy(large.claimer::doWork).isInstanceOf(StoreException.class);
        large.clock.advance(Duration.ofSeconds(2));
        large.store.forgetCalls();
        large.claimer.doWork();

        assertThat(large.store.calls("release").get(0).<DueRow>rows())
                .as("the release of a new claim comes before the rows apart")
                .extracting(DueRow::id)
                .containsExactly(row.id());
    }

    @Test
    void rowThatIsRefusedForAMomentIsNotLogged() {
        refuseOneOf(station.due("a", 4));
        for (int i = 0; i < 3; i++) {
            station.clock.advance(Duration.ofNanos(claimer.doWork()));
        }
        station.store.heal();
        assertThat(claimer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(log.lines("Releases")).isEmpty();
    }

    @Test
    void refusedRowIsReleasedLater_ifItsLogLineFails() {
        DueRow bad = station.due("a");
        loseClaimOf(List.of(bad));
        station.store.fail(releases(bad), new IllegalStateException() {
            @Override
            public String toString() {
                throw new OutOfMemoryError("pretended");
            }
        });
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 12; i++) {
                        station.clock.advance(Duration.ofNanos(claimer.doWork()));
                    }
                })
                .isInstanceOf(OutOfMemoryError.class);

        station.store.heal();
        station.clock.advance(Duration.ofMinutes(1));
        station.work();
        station.offerAsItStands(bad.id());
        station.work();

        assertThat(station.state(bad.id())).isEqualTo(JobState.FINISHED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void rowsAreReleasedLater_ifOneReleaseEndsWithAnError(int call) {
        List<DueRow> rows = station.due("a", 4);
        loseClaimOf(rows);
        AtomicInteger calls = new AtomicInteger();
        station.store.refuse(releases(rows.get(3)));
        station.store.during("release", () -> {
            if (calls.incrementAndGet() == call) {
                throw new OutOfMemoryError("pretended");
            }
        });
        assertThatThrownBy(claimer::doWork).isInstanceOf(OutOfMemoryError.class);

        station.work();
        rows.forEach(row -> station.offerAsItStands(row.id()));
        station.work();

        assertThat(rows)
                .filteredOn(row -> station.state(row.id()) != JobState.FINISHED)
                .containsExactly(rows.get(3));
    }

    // ---- jobs whose claim is known

    @Test
    void closeReleasesTheOtherJobs_andDoesNotWaitForTheRefusedOne() {
        Station one = new Station(1).handler("a", (arguments, job) -> null);
        one.run(GivenJob.given().name("a"));
        List<DueRow> rows = one.due("a", 4);
        one.offer(rows);
        one.claimer.doWork();
        DueRow bad = rows.get(3);
        one.store.refuse(releases(bad));

        assertThat(one.claimer.close()).isEqualTo(2);
        assertThat(one.claimer.close()).isZero();

        assertThat(one.state(bad.id())).isEqualTo(JobState.RUNNING);
    }

    @Test
    void closeReleasesARowThatWasRefusedBefore_ifTheStoreAcceptsItNow() {
        DueRow bad = refuseOneOf(station.due("a", 4));
        for (int i = 0; i < 12; i++) {
            station.clock.advance(Duration.ofNanos(claimer.doWork()));
        }
        claimer.doWork();
        station.store.heal();

        claimer.close();

        assertThat(station.state(bad.id())).isEqualTo(JobState.DELAYED);
    }

    // ---- failures that no row causes

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void releaseWithoutAReply_isRepeatedAsAWholeBeforeAnyOther(boolean divided) {
        List<DueRow> rows = station.due("a", 4);
        loseClaimOf(rows);
        if (divided) {
            station.store.fail("release", StoreException.refused("the row is cut"));
        }
        station.store.loseCallOf("release").loseCallOf("release");
        station.offer(station.due("a", 1));
        station.store.forgetCalls();

        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThat(station.store.calls("claim")).isEmpty();
        station.work();

        assertThat(station.store.calls("release").stream()
                        .map(call -> call.rows().size()))
                .containsExactlyElementsOf(divided ? List.of(4, 2, 2, 2, 2) : List.of(4, 4, 4));
        assertThat(rows).extracting(row -> station.state(row.id())).containsOnly(JobState.DELAYED);
    }

    @Test
    void claimsWait_whileTheStoreRefusesVeryManyRows() {
        Station large = new Station(2 * Releases.MAX_APART, 10_000, new Station.TextCodec())
                .handler("a", (arguments, job) -> null);
        List<DueRow> rows = large.due("a", Releases.MAX_APART + 50);
        large.offer(rows);
        large.store.loseAnswerOf("claim");
        assertThatThrownBy(large.claimer::doWork).isInstanceOf(StoreException.class);
        large.store.refuse(call -> call.method().equals("release")).forgetCalls();
        large.offer(large.due("a", 1));

        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(large.claimer::doWork).hasMessage("refused");
            large.clock.advance(Duration.ofMinutes(1));
        }
        assertThat(large.store.calls("claim")).isEmpty();
        assertThat(log.lines("Releases"))
                .as("the failure of the task is logged instead")
                .isEmpty();

        List<FaultyStore.Call> releases = large.store.calls("release");
        DueRow next =
                releases.get(releases.size() - 1).<DueRow>rows().iterator().next();
        large.store.heal();
        large.store.refuse(releases(next));
        large.clock.advance(Duration.ofMinutes(1));
        large.work();
        assertThat(rows)
                .filteredOn(row -> large.state(row.id()) != JobState.DELAYED)
                .containsExactly(next);
        assertThat(large.store.calls("claim")).hasSize(1);
    }

    /** Loses the answer to the claim of these rows. Then the store refuses to release the last of them. */
    private DueRow refuseOneOf(List<DueRow> rows) {
        DueRow bad = rows.get(rows.size() - 1);
        loseClaimOf(rows);
        station.store.refuse(releases(bad));
        claimer.doWork();
        assertThat(station.state(bad.id())).isEqualTo(JobState.RUNNING);
        return bad;
    }

    private void loseClaimOf(List<DueRow> rows) {
        station.offer(rows);
        station.store.loseAnswerOf("claim");
        assertThatThrownBy(station::work).isInstanceOf(StoreException.class);
    }

    private static Predicate<FaultyStore.Call> releases(DueRow row) {
        return call -> call.method().equals("release")
                && call.<DueRow>rows().stream().anyMatch(each -> each.id().equals(row.id()));
    }
}
