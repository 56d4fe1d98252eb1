package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Paused;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimerTest {

    private final Station station = new Station(4).handler("a", (arguments, job) -> null);
    private final Claimer claimer = station.claimer;

    // ---- the outcome of a claim is unknown

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void claimOfUnknownOutcomeIsReleasedBeforeAnythingElseIsClaimed(boolean applied) {
        DueRow row = station.due("a");
        station.offer(List.of(row));
        loseClaim(applied);
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThat(station.state(row.id())).isEqualTo(applied ? JobState.RUNNING : JobState.DELAYED);

        station.offer(List.of(station.due("a")));
        station.store.loseCallOf("release").loseAnswerOf("release").forgetCalls();
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThat(station.store.calls("claim")).as("nothing is claimed before").isEmpty();

        station.work();
        assertThat(station.store.calls("release")).hasSize(3);
        assertThat(station.store.calls("claim")).hasSize(1);
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.slotsTaken()).isZero();
    }

    private void loseClaim(boolean applied) {
        if (applied) {
            station.store.loseAnswerOf("claim");
        } else {
            station.store.loseCallOf("claim");
        }
    }

    @Test
    void rowOfUnknownOutcomeIsKnownUntilItsReleaseIsAnswered() {
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.store.loseAnswerOf("claim").loseAnswerOf("release");
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        station.offer(List.of(row));
        assertThat(station.lanes.ready()).as("a duplicate").isZero();
        station.work();
        station.offerAsItStands(row.id());
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    static Stream<Throwable> whatStoresThrow() {
        return Stream.of(
                StoreException.refused("no", new IllegalStateException()),
                new IllegalStateException("bug"),
                new AssertionError("bug"),
                new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("whatStoresThrow")
    void whateverTheStoreThrowsTheRowsComeFree(Throwable thrown) {
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.store.fail("claim", thrown);
        assertThatThrownBy(claimer::doWork).isSameAs(thrown);
        station.work();
        assertThat(station.store.calls("release")).hasSize(1);
        station.offerAsItStands(row.id());
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void oneThatFailsIsBusyUntilItWorksAgain_soThatTheOtherIsWoken() {
        station.offer(station.due("a", 1));
        station.store.loseCallOf("claim");
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThat(claimer.isBusy()).isTrue();
        station.store.loseCallOf("release");
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThat(claimer.isBusy()).isTrue();
        station.work();
        assertThat(claimer.isBusy()).isFalse();
    }

    @Test
    void whileAClaimOfABacklogHangs_theOtherClaimsWhatComesDue() {
        Station large = twoHandlersAndABacklog(700);
        List<Integer> claimed = new ArrayList<>();
        large.store.refuse(call -> {
            if (call.method().equals("claim")) {
                claimed.add(call.rows().size());
                if (claimed.size() == 1) {
                    large.offer(large.due("b", 3));
                    large.promptClaimer.doWork();
                    large.promptClaimer.doWork();
                }
            }
            return false;
        });
        large.claimer.doWork();
        assertThat(claimed).containsExactly(500, 3);
    }

    @Test
    void whileAReleaseHangs_theOtherClaimsWhatComesDue() {
        Station large = twoHandlersAndABacklog(0);
        large.offer(large.due("b", 1));
        large.store.loseCallOf("claim");
        assertThatThrownBy(large.claimer::doWork).isInstanceOf(StoreException.class);
        large.store.forgetCalls();
        large.store.refuse(call -> {
            if (call.method().equals("release")) {
                large.offer(large.due("a", 700));
                large.promptClaimer.doWork();
                assertThat(large.store.calls("claim")).hasSize(1);
            }
            return false;
        });

        large.claimer.doWork();

        assertThat(large.store.calls("claim").get(0).rows()).hasSize(100);
    }

    @Test
    void promptClaimer_thatLeavesABacklog_wakesTheOther() {
        Station large = twoHandlersAndABacklog(700);
        large.store.forgetCalls();

        large.promptClaimer.doWork();

        assertThat(large.store.calls("claim")).isEmpty();
        assertThat(large.wokenByOther).containsExactly(Claimer.Role.PROMPT);
    }

    private static Station twoHandlersAndABacklog(int overdue) {
        Station large = new Station(4, 10_000, new Station.TextCodec())
                .handler("a", (arguments, job) -> null)
                .handler("b", (arguments, job) -> null);
        large.run(GivenJob.given().name("a"));
        large.lanes.intake().offerOverdue(large.due("a", overdue), large.clock.nanoTime());
        return large;
    }

    @Test
    void jobThatWasPausedWhileItsClaimWasUnderWay_isReleasedByWhoeverClaimedIt() {
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.store.refuse(call -> {
            if (call.method().equals("claim")) {
                station.lanes.follow(Paused.handlers(Set.of("a")));
            }
            return false;
        });
        assertThat(claimer.doWork()).as("pause").isZero();
        claimer.doWork();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
    }

    @Test
    void slotsOfAnUnknownClaimAreFreeAfterItsRelease() {
        station.offer(station.due("a", 4));
        station.store.loseAnswerOf("claim");
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        station.work();
        station.store.forgetCalls();
        station.offer(station.due("a", 4));
        claimer.doWork();
        assertThat(station.store.calls("claim").get(0).rows()).hasSize(4);
    }

    @Test
    void rowsThatSomebodyHoldsAreReleasedLaterAndKeepNobodyWaiting() {
        List<DueRow> rows = station.due("a", 2);
        JobId held = rows.get(0).id();
        station.offer(rows);
        station.store.loseAnswerOf("claim");
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        station.store.lock(held);

        station.offer(List.of(station.due("a")));
        station.work();

        assertThat(station.state(rows.get(1).id())).isEqualTo(JobState.DELAYED);
        assertThat(station.state(held)).isEqualTo(JobState.RUNNING);
        assertThat(station.store.calls("claim")).as("others go on").hasSize(2);
        station.offer(List.of(rows.get(0)));
        assertThat(station.lanes.ready()).as("the held one is a duplicate").isZero();
        assertThat(Duration.ofNanos(claimer.doWork())).isEqualTo(Duration.ofMillis(100));

        station.store.unlock(held);
        station.clock.advanceMillis(100);
        station.work();
        assertThat(station.state(held)).isEqualTo(JobState.DELAYED);
        assertThat(claimer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        station.offerAsItStands(held);
        station.work();
        assertThat(station.state(held)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void rowThatIsNotDueYetAfterAllGoesBackToTheWheel() {
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.clock.lowerEstimate(Duration.ofMillis(23));
        station.work();
        assertThat(station.store.calls("claim")).isEmpty();
        assertThat(station.early).containsExactly(row);
        station.clock.advanceMillis(23);
        station.offer(station.early);
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    // ---- ahead of their time

    @Test
    void jobClaimedAheadOfItsTimeStartsWhenThatComes() {
        DueRow row = offerAhead(7);
        assertThat(station.state(row.id())).isEqualTo(JobState.RUNNING);
        station.clock.advanceMillis(6);
        station.work();
        assertThat(station.events).isEmpty();
        assertThat(station.slotsTaken()).isZero();
        station.clock.advanceMillis(1);
        station.work();
        assertThat(station.events).containsExactly("started a");
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void jobsClaimedAheadOfTheirTime_startEachAtItsOwn_andLeaveNoTimersBehind() {
        DueRow later = offerAhead(9);
        DueRow sooner = offerAhead(3);
        station.clock.advanceMillis(3);
        station.work();
        assertThat(station.state(sooner.id())).isEqualTo(JobState.FINISHED);
        assertThat(station.state(later.id())).isEqualTo(JobState.RUNNING);
        for (int i = 0; i < 50; i++) {
            offerAhead(9);
            offerAhead(3);
            station.clock.advanceMillis(5);
            station.work();
            assertThat(station.wheel.size()).as("timers").isLessThanOrEqualTo(4);
        }
        assertThat(station.state(later.id())).isEqualTo(JobState.FINISHED);
        station.clock.advanceMillis(9);
        station.work();
        assertThat(station.events).hasSize(102);
        assertThat(station.wheel.size()).as("timers").isZero();
    }

    @Test
    void jobWhoseTimeComesWhileItIsClaimedStartsAtOnce() {
        station.store.during("claim", () -> station.clock.advanceMillis(7));
        DueRow row = offerAhead(7);
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void jobClaimedAheadOfItsTimeDoesNotStartEarlyWhenTheEstimateWasLowered() {
        offerAhead(7);
        station.clock.lowerEstimate(Duration.ofMillis(3));
        station.clock.advanceMillis(9);
        station.work();
        assertThat(station.events).isEmpty();
        station.clock.advanceMillis(1);
        station.work();
        assertThat(station.events).containsExactly("started a");
    }

    @Test
    void jobClaimedAheadOfItsTimeIsReleasedWhenTheStoresClockWasSetBack() {
        DueRow row = offerAhead(7);
        station.clock.setStore(Duration.ofHours(-1));
        station.clock.advanceMillis(7);
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.events).isEmpty();
        station.clock.advance(Duration.ofHours(1));
        station.offerAsItStands(row.id());
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void jobIsReleasedWhenTheStoresClockWasSetBackDuringItsClaim() {
        station.store.during("claim", () -> station.clock.setStore(Duration.ofHours(-1)));
        DueRow row = offerAhead(0);
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.events).isEmpty();
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void jobThatWaitsForItsSlotIsReleasedWhenTheStoresClockWasSetBack() {
        DueRow row = station.due("a");
        station.offer(List.of(row));
        claimer.doWork();
        station.clock.setStore(Duration.ofHours(-1));
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.events).isEmpty();
    }

    @Test
    void claimerLooksAgainSoonWhileWhatItHasClaimedIsStillToCome() {
        station.offer(List.of(
                station.due(GivenJob.given().plannedAt(station.clock.storeTime().plusMillis(7)))));
        assertThat(claimer.doWork()).isLessThanOrEqualTo(Duration.ofMillis(500).toNanos());
    }

    @Test
    void whatWasClaimedAheadOfItsTimeIsReleasedByAStop() {
        DueRow row = offerAhead(7);
        assertThat(claimer.close()).isEqualTo(1);
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        station.clock.advanceMillis(7);
        station.work();
        assertThat(station.events).isEmpty();
    }

    @Test
    void whatWasClaimedAheadOfItsTimeIsReleasedWhenItIsPaused() {
        DueRow row = offerAhead(7);
        station.lanes.follow(new Paused(Set.of("a"), Set.of()));
        station.clock.advanceMillis(7);
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.events).isEmpty();
    }

    @Test
    void whatWasClaimedAheadOfItsTimeIsReleasedWhenThisInstanceWasGivenUp() {
        DueRow row = offerAhead(7);
        station.lanes.forget();
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
    }

    @Test
    void attemptMayBeMadeOfWhatWasClaimedAheadOfItsTime() {
        DueRow row = offerAhead(7);
        assertThat(station.lanes.held(Set.of(row.id()))).containsExactly(row.id());
    }

    @Test
    void claimsOfWhatComesDueAreMeasured_andThoseOfABacklogAreNot() {
        long due = station.clock.storeMillis() + 60_000;
        station.store.during("claim", () -> station.clock.advanceMillis(3));
        DueRow old = station.due("a");
        station.clock.advance(Duration.ofSeconds(2));
        station.offer(List.of(old));
        station.work();
        assertThat(station.lanes.lead().offerMillis(due)).isEqualTo(due);
        offerAhead(0);
        assertThat(due - station.lanes.lead().offerMillis(due)).isBetween(6L, 10L);
    }

    /** Offers a job that comes due in so many milliseconds, and has it claimed. */
    private DueRow offerAhead(long millis) {
        DueRow row =
                station.due(GivenJob.given().plannedAt(station.clock.storeTime().plusMillis(millis)));
        station.offer(List.of(row));
        station.work();
        return row;
    }

    // ---- rows that do not come back

    @Test
    void rowThatWasPassedOverIsOfferedOnceMoreAndThenLeftToTheSweep() {
        DueRow row = station.due("a");
        station.store.lock(row.id());
        station.offer(List.of(row));
        claimer.doWork();
        station.clock.advanceMillis(49);
        station.work();
        assertThat(station.store.calls("claim")).hasSize(1);
        for (int i = 0; i < 100; i++) {
            station.clock.advanceMillis(50);
            station.work();
        }
        assertThat(station.store.calls("claim")).hasSize(2);
        assertThat(claimer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);

        station.store.unlock(row.id());
        station.offerAsItStands(row.id());
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void rowThatWasPassedOverPushesAsideNothingNewer() {
        Station one = new Station(1).handler("a", (arguments, job) -> null);
        DueRow before = one.due("a");
        one.store.lock(before.id());
        one.offer(List.of(before));
        one.claimer.doWork();
        one.rows.reschedule(before.id(), one.clock.storeTime(), 77, DueSink.NONE);
        one.store.unlock(before.id());
        // The one slot is taken while the newer row comes, and the older one is offered again.
        one.offer(List.of(one.due("a")));
        one.claimer.doWork();
        one.offerAsItStands(before.id());
        one.clock.advanceMillis(50);
        one.work();
        assertThat(one.state(before.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void rowThatWasLockedForAMomentRunsSoonAfter() {
        DueRow row = station.due("a");
        station.store.lock(row.id());
        station.offer(List.of(row));
        claimer.doWork();
        station.store.unlock(row.id());
        station.clock.advanceMillis(50);
        station.work();
        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void rowThatSomebodyElseClaimedIsGone() {
        DueRow row = station.due("a");
        station.rows.claim(List.of(row), 99, 5, station.clock.storeTime());
        station.offer(List.of(row));
        station.work();
        station.clock.advanceMillis(50);
        station.work();
        station.clock.advanceMillis(5_000);
        station.work();
        assertThat(station.store.calls("claim")).hasSize(2);
        assertThat(station.job(row.id()).owner()).isEqualTo(99);
        assertThat(station.slotsTaken()).isZero();
    }

    // ---- what is not started

    @Test
    void claimedJobWithoutASlotForASecondIsReleased() {
        Station one = new Station(1).handler("a", (arguments, job) -> null);
        one.run(GivenJob.given().name("a"));
        List<DueRow> rows = one.due("a", 3);
        one.offer(rows);
        one.claimer.doWork();
        assertThat(rows).allMatch(row -> one.state(row.id()) == JobState.RUNNING);
        one.clock.advanceMillis(900);
        one.claimer.doWork();
        assertThat(one.store.calls("release")).isEmpty();
        one.clock.advanceMillis(200);
        one.claimer.doWork();
        assertThat(rows.stream().filter(row -> one.state(row.id()) == JobState.RUNNING))
                .as("the one with the slot")
                .hasSize(1);
        one.workers.runAll();
        assertThat(one.slotsTaken()).isZero();
    }

    @Test
    void agentComesBackToLookAfterJobsWithoutASlot() {
        Station one = new Station(1).handler("a", (arguments, job) -> null);
        one.run(GivenJob.given().name("a"));
        one.offer(one.due("a", 3));
        assertThat(Duration.ofNanos(one.claimer.doWork())).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void nothingIsClaimedWithoutALivingHeart() {
        station.alive = false;
        station.offer(station.due("a", 3));
        assertThat(Duration.ofNanos(claimer.doWork())).isLessThanOrEqualTo(Duration.ofMillis(10));
        assertThat(station.store.calls("claim")).isEmpty();
    }

    @Test
    void nothingIsClaimedWhileTooMuchWaitsToBeWritten() {
        // Batches of 500: more than eight of them may not wait.
        for (int i = 0; i < 4_001; i++) {
            station.completer.add(
                    station.ended(GivenJob.given().id(GivenJob.id(10_000 + i)).done()));
        }
        station.offer(station.due("a", 3));
        assertThat(Duration.ofNanos(claimer.doWork())).isLessThanOrEqualTo(Duration.ofMillis(10));
        assertThat(station.store.calls("claim")).isEmpty();
        station.work();
        assertThat(station.store.calls("claim")).isNotEmpty();
    }

    @Test
    void jobsClaimedAheadStartAsSoonAsTheBacklogIsWritten() {
        station.run(GivenJob.given().name("a"));
        station.offer(station.due("a", 10));
        claimer.doWork();
        assertThat(station.lanes.hasClaimed()).isTrue();
        station.alive = false;
        assertThat(Duration.ofNanos(claimer.doWork())).isLessThanOrEqualTo(Duration.ofMillis(10));
    }

    @Test
    void dueRowsAreClaimedInOneStatement() {
        station.run(GivenJob.given().name("a"));
        station.store.forgetCalls();
        station.offer(station.due("a", 50));
        station.work();
        assertThat(station.store.calls("claim")).hasSize(1);
        assertThat(station.store.calls("complete").size()).isLessThanOrEqualTo(2);
    }

    @Test
    void closeReleasesWhatWasClaimedAndNotStarted() {
        Station one = new Station(1).handler("a", (arguments, job) -> null);
        one.run(GivenJob.given().name("a"));
        List<DueRow> rows = one.due("a", 3);
        one.offer(rows);
        one.claimer.doWork();
        assertThat(one.claimer.close()).isEqualTo(2);
        assertThat(rows.stream().map(DueRow::id).filter(id -> one.state(id) == JobState.RUNNING))
                .hasSize(1);
        one.workers.runAll();
        one.claimer.close();
        one.completer.doWork();
        assertThat(rows.stream().map(DueRow::id).map(one::state))
                .containsExactlyInAnyOrder(JobState.FINISHED, JobState.DELAYED, JobState.DELAYED);
        assertThat(one.slotsTaken()).isZero();
    }

    @Test
    void closeTellsWhatItReleasedBeforeTheStoreWentAway() {
        Station one = new Station(1).handler("a", (arguments, job) -> null);
        one.run(GivenJob.given().name("a"));
        one.offer(one.due("a", 3));
        one.claimer.doWork();
        one.store.fail("release", StoreException.unavailable("away", new IllegalStateException()));

        assertThat(one.claimer.close()).as("nothing yet").isZero();
        assertThat(one.claimer.close()).isEqualTo(2);
        assertThat(one.claimer.close()).as("told already").isZero();
    }

    @Test
    void closeReleasesClaimsOfUnknownOutcome() {
        JobId id = station.due("a").id();
        station.offerAsItStands(id);
        station.store.loseAnswerOf("claim");
        assertThatThrownBy(claimer::doWork).isInstanceOf(StoreException.class);
        assertThat(claimer.close()).as("nobody knows whether it was claimed").isZero();
        Job released = station.job(id);
        assertThat(released.state()).isEqualTo(JobState.DELAYED);
        assertThat(released.failures()).isZero();
    }

    @Test
    void staleClaimGivenBackBesideALaterOneDoesNotReleaseItsSuccessor() {
        DueRow row = station.due("a");
        Job stale = station.rows
                .claim(List.of(row), 99, 4711, station.clock.storeTime())
                .get(0);
        station.rescue();
        DueRow other = station.due("a");
        station.offer(List.of(station.job(row.id()).toDueRow(), other));
        claimer.doWork();
        assertThat(station.job(other.id()).token())
                .isEqualTo(station.job(row.id()).token());
        giveBack(station.job(other.id()));
        giveBack(stale);
        claimer.doWork();
        assertThat(station.state(other.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.state(row.id()))
                .as("claimed under the same token, and running")
                .isEqualTo(JobState.RUNNING);
    }

    private void giveBack(Job claimed) {
        Ticket ticket = new Ticket(
                station.lanes.openLane(claimed.name(), "default"), claimed.toDueRow(), 0, Ticket.Kind.ON_TIME);
        ticket.claimed(claimed);
        ticket.giveBack();
    }
}
