package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.internal.dispatch.Claimer.Role;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.status.SlotUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Lanes alone: what is offered, claimed, started and ended is played by the test. */
class LanesTest {

    private static final Duration FAST = Duration.ofMillis(1);
    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final Duration OVERSTAY = Duration.ofSeconds(1);

    private final Station station = new Station(4, 1_000, new Station.TextCodec())
            .handler("a", (arguments, job) -> null)
            .handler("b", (arguments, job) -> null)
            .handler(Handler.named("single").concurrency(1).calls((arguments, job) -> null));
    private final Lanes lanes = station.lanes;
    private long lastId;

    // ---- rates

    @Test
    void laneWithoutTokens_claimsNothing_andOtherLanesGoOn() {
        station.handler(limited("10/s", 4));
        station.offer(rows("limited", 3));
        assertThat(toClaim(10).rows()).as("a rate begins without tokens").isEmpty();
        station.offer(rows("a", 2));
        assertThat(toClaim(10).rows()).extracting(DueRow::name).containsExactly("a", "a");
        assertThat(lanes.claims().hasClaimable(Role.BACKLOG)).isFalse();
        assertThat(lanes.claims().untilNanos()).isEqualTo(Duration.ofMillis(100).toNanos());
        assertThat(lanes.occupancy().waitingForRate()).containsExactly(Map.entry("limited", 3));

        station.clock.advanceMillis(200);
        assertThat(toClaim(10).rows()).extracting(DueRow::name).containsExactly("limited", "limited");
    }

    @Test
    void tokenOfARowThatTheClaimPassedOver_isSpentOnAnotherRow() {
        station.handler(limited("1/s", 1));
        station.offer(rows("limited", 3));
        toClaim(10);
        station.clock.advanceMillis(1_000);
        Batch passedOver = toClaim(10);
        assertThat(passedOver.rows()).hasSize(1);
        assertThat(toClaim(10).rows()).isEmpty();
        lanes.claims().claimed(passedOver, List.of());
        assertThat(toClaim(10).rows()).hasSize(1);
    }

    @Test
    void laneWithARate_keepsNoMoreOverdueRowsThanStartBeforeTheNextSweeps() {
        Station large = new Station(4, 1_000_000, new Station.TextCodec()).handler(limited("100/s", 20));
        List<DueRow> refused = large.lanes.intake().offerOverdue(rows("limited", 1_000), large.clock.nanoTime());
        assertThat(1_000 - refused.size()).isEqualTo(2 * (100 + 20 + 1));
    }

    @Test
    void instanceWithoutPartitions_claimsNothingOfARate_andAdoptsNothing() {
        station.led = 0;
        station.handler(limited("100/s", 20));
        station.offer(rows("limited", 3));
        station.clock.advanceMillis(10_000);
        assertThat(toClaim(10).rows()).isEmpty();
        assertThat(lanes.intake().adopting().roomFor("limited", "default")).isZero();
        assertThat(lanes.intake().adopting().roomFor("a", "default")).isPositive();
    }

    @Test
    void instanceWhoseTokensAreLeftUnused_adopts() {
        station.handler(limited("100/s", 20));
        station.offer(rows("limited", 30));
        toClaim(1);
        assertThat(lanes.intake().adopting().roomFor("limited", "default")).isZero();
        station.clock.advanceMillis(1_000);
        assertThat(lanes.intake().adopting().roomFor("limited", "default")).isPositive();
        toClaim(1);
        assertThat(lanes.intake().adopting().roomFor("limited", "default")).isZero();
    }

    @Test
    void restingHandler_claimsNothing_untilTheRestIsOver() {
        Ticket asking = running("a");
        asking.rest(Duration.ofMillis(700));
        station.offer(List.of(row("a"), row("b")));
        assertThat(toClaim(10).rows()).extracting(DueRow::name).containsExactly("b");
        assertThat(lanes.occupancy().waitingForRate()).containsExactly(Map.entry("a", 1));
        assertThat(lanes.claims().untilNanos()).isEqualTo(Duration.ofMillis(700).toNanos());

        station.clock.advanceMillis(699);
        assertThat(toClaim(10).rows()).isEmpty();
        station.clock.advanceMillis(1);
        assertThat(toClaim(10).rows()).extracting(DueRow::name).containsExactly("a");
    }

    @Test
    void backlogOfARate_startsBeforeRowsThatComeDueLater() {
        station.handler(limited("10/s", 10));
        List<DueRow> backlog = rows("limited", 3);
        offerOverdue(backlog);
        station.clock.advanceMillis(1_000);
        List<DueRow> later = rows("limited", 2);
        station.offer(later);
        station.clock.advanceMillis(1_000);

        List<DueRow> claimed = toClaim(4).rows();

        assertThat(claimed.subList(0, 3)).containsExactlyInAnyOrderElementsOf(backlog);
        assertThat(claimed.get(3)).isEqualTo(later.get(0));
    }

    @Test
    void handlerThatRests_claimsNothingInAQueueThatIsNewToIt() {
        running("a").rest(Duration.ofMillis(700));
        DueRow row = row("a");
        station.offer(
                List.of(new DueRow(row.id(), new Partition("other", 0), "a", row.dueMillis(), row.token(), null)));
        assertThat(toClaim(10).rows()).isEmpty();
        station.clock.advanceMillis(700);
        assertThat(toClaim(10).rows()).hasSize(1);
    }

    @Test
    void restOfADay_endsAfterAMinute() {
        running("a").rest(Duration.ofDays(1));
        station.offer(List.of(row("a")));
        station.clock.advanceMillis(59_999);
        assertThat(toClaim(10).rows()).isEmpty();
        station.clock.advanceMillis(1);
        assertThat(toClaim(10).rows()).hasSize(1);
    }

    private Ticket running(String name) {
        station.offer(List.of(row(name)));
        Batch asked = toClaim(1);
        lanes.claims().claimed(asked, claimed(asked));
        return lanes.toStart().get(0);
    }

    private static Handler limited(String rate, int burst) {
        return Handler.named("limited").rate(RateLimit.of(rate).burst(burst)).calls((arguments, job) -> null);
    }

    // ---- what is known

    @Test
    void rowOfferedAgainWithTheSameTokenIsADuplicate() {
        DueRow row = row("a");
        assertThat(station.offer(List.of(row, row))).isEmpty();
        assertThat(offerOverdue(List.of(row))).isEmpty();
        assertThat(lanes.ready()).isEqualTo(1);
    }

    @Test
    void rowIsKnownUntilItsClaimIsAnswered() {
        DueRow row = row("a");
        station.offer(List.of(row));
        Batch asked = toClaim(10);
        station.offer(List.of(row));
        assertThat(lanes.ready()).isZero();
        lanes.claims().claimed(asked, List.of());
        station.offer(List.of(row));
        assertThat(lanes.ready()).isEqualTo(1);
    }

    @Test
    void rowThatHasMovedOnTakesThePlaceOfItsFormerSelf_thoughThatWasPassedOverMeanwhile() {
        DueRow before = row("a");
        DueRow after = moved(before);
        long now = station.clock.nanoTime();
        lanes.intake().offer(List.of(before), now - 2);
        lanes.intake().offerAgain(lanes.claims().claimed(toClaim(10), List.of()));
        lanes.intake().offer(List.of(after), now - 1);
        assertThat(toClaim(10).rows()).containsExactly(after);
    }

    @Test
    void rowThatHasMovedOnTakesThePlaceOfItsFormerSelf() {
        DueRow before = row("a");
        DueRow after = moved(before);
        station.offer(List.of(before));
        station.offer(List.of(after));
        assertThat(toClaim(10).rows()).containsExactly(after);
    }

    @Test
    void pageThatWasOvertakenByLaterNewsChangesNothing() {
        DueRow before = row("a");
        DueRow after = moved(before);
        long read = station.clock.nanoTime();
        station.clock.advanceMillis(1);
        station.offer(List.of(after));
        assertThat(lanes.intake().offerOverdue(List.of(before), read)).isEmpty();
        assertThat(toClaim(10).rows()).containsExactly(after);
    }

    @Test
    void staleRowNeverPutsAnIdIntoOneClaimTwice() {
        DueRow before = row("a");
        DueRow after = moved(before);
        station.offer(List.of(before));
        station.offer(List.of(after));
        station.offer(List.of(before));
        assertThat(toClaim(10).rows()).containsExactly(before);
    }

    @Test
    void jobOfferedAgainAndAgainWithNewTokens_leavesOneEntryInASaturatedLane() {
        Station large = new Station(4, 1_000_000, new Station.TextCodec()).handler("a", (arguments, job) -> null);
        DueRow other = row("a");
        DueRow row = row("a");
        large.offer(List.of(other, row));
        for (int i = 0; i < 10_000; i++) {
            row = moved(row);
            assertThat(large.offer(List.of(row))).isEmpty();
        }

        assertThat(large.lanes.ready()).isEqualTo(2);
        assertThat(toClaim(large.lanes, 10).rows()).containsExactlyInAnyOrder(other, row);
        assertThat(large.lanes.ready()).isZero();
    }

    @Test
    void namesAndQueuesThatAreNotServedHereAreDropped() {
        DueRow unknown = row("unknown");
        DueRow off = new DueRow(GivenJob.id(99), new Partition("off", 0), "a", 0, 1, null);
        assertThat(station.offer(List.of(unknown, off))).isEmpty();
        assertThat(lanes.ready()).isZero();
        assertThat(lanes.intake().roomFor("unknown", "default")).isZero();
    }

    @Test
    void rowThatIsNotDueAnyMoreIsForgottenAndMayComeBack() {
        DueRow row = row("a");
        station.offer(List.of(row));
        station.clock.setStore(Duration.ofHours(-1));
        assertThat(toClaim(10).rows()).isEmpty();
        station.clock.setStore(Duration.ofHours(1));
        station.offer(List.of(row));
        assertThat(toClaim(10).rows()).containsExactly(row);
    }

    @Test
    void newerVersionOfAReadyRow_inAnotherQueue_waitsForASlotOfThatQueue() {
        running("single");
        DueRow first = row("single");
        station.offer(List.of(first));
        assertThat(toClaim(10).rows())
                .as("the only slot of the handler is taken")
                .isEmpty();

        station.offer(List.of(inAnotherQueue(first)));

        assertThat(toClaim(10).rows()).containsExactly(inAnotherQueue(first));
    }

    @Test
    void formerVersionOfARow_thatHasMovedToAnotherQueue_isNotClaimed() {
        Ticket running = running("single");
        DueRow first = row("single");
        station.offer(List.of(first));
        station.offer(List.of(inAnotherQueue(first)));
        assertThat(toClaim(10).rows()).containsExactly(inAnotherQueue(first));

        running.finished(Duration.ZERO);

        assertThat(toClaim(10).rows()).isEmpty();
        assertThat(lanes.ready()).isZero();
    }

    @Test
    void rowThatMovesToAnotherQueueAndBack_isClaimedOnce() {
        Ticket running = running("single");
        DueRow first = row("single");
        DueRow back = new DueRow(first.id(), first.partition(), "single", first.dueMillis(), first.token() + 2, null);
        station.offer(List.of(first));
        station.offer(List.of(inAnotherQueue(first)));
        station.offer(List.of(back));

        running.finished(Duration.ZERO);

        assertThat(toClaim(10).rows()).containsExactly(back);
        assertThat(lanes.ready()).isZero();
    }

    private static DueRow inAnotherQueue(DueRow row) {
        return new DueRow(row.id(), new Partition("busy", 0), row.name(), row.dueMillis(), row.token() + 1, null);
    }

    // ---- queues that only calls name

    @Test
    void queuesThatHaveLostTheirPlaces_leaveMemory_whenANewQueueComes() {
        station.led = 0;
        for (int day = 1; day <= 50; day++) {
            run(lanes, inQueue("day-" + day, row("a")), FAST);
            station.clock.advance(Duration.ofDays(1));
        }

        assertThat(lanes.occupancy().slotUse()).containsOnlyKeys("day-50");
        assertThat(lanes.all()).hasSize(1);
        assertThat(lanes.queueTurns).hasSize(1);
    }

    @Test
    void queuesWithAPlaceOrARow_stayInMemory_whenANewQueueComes() {
        run(lanes, inQueue("led", row("a")), FAST);
        run(lanes, inQueue("led-too", row("a")), FAST);
        assertThat(lanes.occupancy().slotUse()).containsOnlyKeys("led", "led-too");
        station.led = 0;
        run(lanes, row("a"), FAST);
        station.offer(List.of(inQueue("claiming", row("a"))));
        toClaim(10);
        DueRow plain = inQueue("at-a-gate", row("a"));
        station.offer(List.of(new DueRow(
                plain.id(),
                plain.partition(),
                "a",
                plain.dueMillis(),
                plain.token(),
                new ClaimKeys("mutex", null, null))));
        station.offer(List.of(inQueue("ready", row("a"))));
        station.clock.advance(Duration.ofMinutes(1));

        station.offer(List.of(inQueue("new", row("a"))));

        assertThat(lanes.occupancy().slotUse()).containsOnlyKeys("default", "claiming", "at-a-gate", "ready", "new");
    }

    @Test
    void rowThatAClaimHasPassedOver_isClaimedAgain_evenIfItsQueueHasLeftMemory() {
        station.led = 0;
        DueRow row = inQueue("day-1", row("a"));
        station.offer(List.of(row));
        List<Ticket> passedOver = lanes.claims().claimed(toClaim(10), List.of());
        station.clock.advance(Duration.ofMinutes(1));
        run(lanes, inQueue("day-2", row("a")), FAST);
        assertThat(lanes.occupancy().slotUse()).containsOnlyKeys("day-2");

        lanes.intake().offerAgain(passedOver);

        assertThat(toClaim(10).rows()).containsExactly(row);
    }

    @Test
    void rowsOfTwoQueuesInTurn_thatFindNoPlaceHere_leaveTheLanesInMemory() {
        station.led = 0;
        station.handler(limited("100/s", 20));
        run(lanes, row("a"), FAST);
        station.clock.advance(Duration.ofMinutes(1));
        List<DueRow> page = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            page.add(inQueue("one", row("limited")));
            page.add(inQueue("two", row("limited")));
        }

        assertThat(lanes.intake().adopt(page, station.clock.nanoTime())).hasSize(500);

        assertThat(lanes.occupancy().slotUse())
                .as("queues after one look for unused queues")
                .containsOnlyKeys("default", "one", "two");
    }

    private static DueRow inQueue(String queue, DueRow row) {
        return new DueRow(row.id(), new Partition(queue, 0), row.name(), row.dueMillis(), row.token(), row.keys());
    }

    // ---- what is paused

    @Test
    void rowsOfAPausedHandlerAreForgottenAndNotTaken() {
        DueRow other = row("b");
        station.offer(List.of(row("a"), other));
        lanes.follow(Paused.handlers(Set.of("a")));
        assertThat(station.offer(List.of(row("a")))).as("refused").isEmpty();
        assertThat(lanes.ready()).isEqualTo(1);
        assertThat(lanes.intake().roomFor("a", "default")).isZero();
        assertThat(lanes.intake().roomFor("b", "default")).isPositive();
        assertThat(toClaim(10).rows()).containsExactly(other);
        lanes.follow(Paused.NOTHING);
        assertThat(lanes.intake().roomFor("a", "default")).isPositive();
    }

    @Test
    void rowsOfAPausedQueueAreForgottenAndNotTaken() {
        DueRow row = row("a");
        station.offer(List.of(row));
        lanes.follow(Paused.queue(row.partition().queue()));
        station.offer(List.of(row("b")));
        assertThat(lanes.ready()).isZero();
        lanes.follow(Paused.NOTHING);
        station.offer(List.of(row));
        assertThat(toClaim(10).rows()).containsExactly(row);
    }

    @Test
    void pausedQueue_leavesRoomForRowsOfQueuesThatAreNewToTheHandler() {
        DueRow row = row("a");
        station.offer(List.of(row));
        lanes.follow(Paused.queue(row.partition().queue()));

        assertThat(lanes.intake().roomFor("a", "default")).isZero();
        assertThat(lanes.intake().roomFor("a", "busy")).isPositive();
        assertThat(lanes.intake().adopting().roomFor("a", "default")).isZero();
        assertThat(lanes.intake().adopting().roomFor("a", "busy")).isPositive();
    }

    @Test
    void jobsThatAreClaimedWhileTheirHandlerIsPausedGoBack() {
        DueRow row = row("a");
        station.offer(List.of(row));
        Batch asked = toClaim(10);
        lanes.follow(Paused.handlers(Set.of("a")));
        Job job = claimed(List.of(row)).get(0);
        int before = station.workAnnounced;
        lanes.claims().claimed(asked, List.of(job));
        assertThat(station.workAnnounced).as("there is something to release").isEqualTo(before + 1);
        assertThat(lanes.toStart()).isEmpty();
        assertThat(lanes.toRelease(OVERSTAY)).containsExactly(job);
    }

    @Test
    void jobsThatAreClaimedAndHaveNoSlotGoBackWhenTheirHandlerIsPaused() {
        DueRow row = row("a");
        station.offer(List.of(row));
        Job job = claimed(List.of(row)).get(0);
        lanes.claims().claimed(toClaim(10), List.of(job));
        lanes.follow(Paused.handlers(Set.of("a")));
        assertThat(lanes.toStart()).isEmpty();
        assertThat(lanes.toRelease(OVERSTAY)).containsExactly(job);
    }

    @Test
    void endOfAnAttempt_callsForAClaimerOnlyIfRowsAreReady() {
        station.offer(List.of(row("a")));
        Batch asked = toClaim(10);
        lanes.claims().claimed(asked, claimed(asked));
        Ticket last = lanes.toStart().get(0);
        station.offer(List.of(row("a")));
        Batch next = toClaim(10);
        int before = station.workAnnounced;
        last.finished(Duration.ZERO);
        assertThat(station.workAnnounced).as("nothing is ready").isEqualTo(before);

        lanes.claims().claimed(next, claimed(next));
        Ticket other = lanes.toStart().get(0);
        station.offer(List.of(row("a")));
        before = station.workAnnounced;
        other.finished(Duration.ZERO);
        assertThat(station.workAnnounced).as("a row is ready").isEqualTo(before + 1);
    }

    // ---- how much is kept

    @Test
    void oneLaneNeverFillsMemoryUpForTheOthers() {
        List<DueRow> refused = station.offer(rows("a", 2_000));
        assertThat(refused).isNotEmpty();
        assertThat(lanes.intake().roomFor("b", "default")).isPositive();
        assertThat(station.offer(rows("b", 100))).isEmpty();
        assertThat(offerOverdue(rows("single", 1))).isEmpty();
    }

    @Test
    void overdueRowsOfOneLaneNeverFillMemoryUpForTheOthers() {
        fast("a");
        List<DueRow> refused = offerOverdue(rows("a", 2_000));
        assertThat(refused).isNotEmpty();
        assertThat(station.offer(rows("b", 100))).isEmpty();
        assertThat(lanes.ready()).isLessThan(1_000);
    }

    @Test
    void sweepKeepsNoMoreThanCanStartSoon() {
        pace("a", Duration.ofMillis(500));
        List<DueRow> refused = offerOverdue(rows("a", 200));
        assertThat(200 - refused.size())
                .as("4 slots, 2 starts a second, two seconds")
                .isBetween(16, 32);
        assertThat(lanes.intake().roomFor("a", "default")).isZero();
    }

    @Test
    void memoryIsBoundedWhateverIsOffered() {
        for (String name : List.of("a", "b", "single")) {
            station.offer(rows(name, 2_000));
        }
        assertThat(lanes.ready()).isLessThanOrEqualTo(1_000);
    }

    @Test
    void roomIsAnnouncedOnceHalfOfItIsThereAndNotRowByRow() {
        pace("a", Duration.ofMillis(500));
        offerOverdue(rows("a", 200));
        int full = lanes.ready();
        int started = 0;
        while (station.roomAnnounced == 0) {
            Batch asked = toClaim(1);
            List<Job> jobs = claimed(asked);
            lanes.claims().claimed(asked, jobs);
            start(1);
            assertThat(lanes.intake().roomFor("a", "default") == 0).isEqualTo(station.roomAnnounced == 0);
            asked.tickets().get(0).finished(Duration.ofMillis(500));
            started++;
        }
        assertThat(started).isBetween(full / 3, full * 2 / 3);
        assertThat(offerOverdue(rows("a", 1))).isEmpty();
    }

    @Test
    void whetherThereIsEnoughToDo_isAnnouncedWhenItIsSoNoMore() {
        assertThat(lanes.intake().hasEnoughOf("a", "default")).isFalse();
        pace("a", Duration.ofMillis(500));
        offerOverdue(rows("a", 20));
        assertThat(lanes.intake().hasEnoughOf("a", "default"))
                .as("4 slots, 2 starts a second: 12 last a second and a half")
                .isTrue();
        assertThat(lanes.intake().hasEnoughOf("b", "default")).isFalse();
        assertThat(lanes.intake().hasEnoughOf("a", "busy")).isFalse();
        while (lanes.intake().hasEnoughOf("a", "default")) {
            assertThat(station.roomAnnounced).isZero();
            Batch asked = toClaim(1);
            List<Job> jobs = claimed(asked);
            lanes.claims().claimed(asked, jobs);
            start(1);
            asked.tickets().get(0).finished(Duration.ofMillis(500));
        }
        assertThat(lanes.ready()).isBetween(8, 12);
        assertThat(station.roomAnnounced).isEqualTo(1);
    }

    @Test
    void queueThatIsNewToAHandler_hasThePlacesLeftInMemory_evenIfAnotherLaneOfTheHandlerIsFull() {
        offerOverdue(rows("a", 2_000));
        int left = 1_000 - lanes.ready();

        assertThat(lanes.intake().roomIn("default", Set.of("a", "b", "unknown")))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", 0, "b", left));
        assertThat(lanes.intake().roomIn("busy", Set.of("a", "b", "unknown")))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", left, "b", left));
        assertThat(lanes.intake().roomIn("off", Set.of("a", "b"))).isEmpty();
        assertThat(offerOverdue(List.of(inAnotherQueue(row("a"))))).isEmpty();
        assertThat(lanes.intake().roomFor("a", "busy")).isPositive().isLessThan(left);
    }

    @Test
    void whileMemoryIsFull_onlyLanesWithRowsWaitForRoom() {
        Station small = new Station(4, 0, new Station.TextCodec())
                .handler("a", (arguments, job) -> null)
                .handler("b", (arguments, job) -> null);
        small.lanes.intake().offerOverdue(rows("a", 1), small.clock.nanoTime());
        assertThat(small.lanes.intake().roomIn("default", Set.of("a", "b")))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", 0));
    }

    @Test
    void laneThatMayAdoptNothing_hasNoRoom_andItsHandlerHasRoomInAnotherQueue() {
        station.led = 0;
        station.handler(limited("100/s", 20));
        station.offer(rows("limited", 3));

        assertThat(lanes.intake().adopting().roomIn("default", Set.of("limited")))
                .containsExactlyInAnyOrderEntriesOf(Map.of("limited", 0));
        assertThat(lanes.intake().adopting().roomFor("limited", "busy")).isPositive();
    }

    @Test
    void laneThatWasFullHasRoomAgainWhenAllIsForgotten() {
        offerOverdue(rows("a", 2_000));
        assertThat(lanes.intake().roomFor("a", "default")).isZero();
        lanes.forget();
        assertThat(lanes.intake().roomFor("a", "default"))
                .as("nobody else will make room for it")
                .isPositive();
    }

    // ---- whose turn it is

    @Test
    void whatHasJustComeDue_isNotClaimedTogetherWithABatchOfABacklog() {
        fast("a");
        station.offer(rows("a", 300));
        DueRow justDue = row("b");
        station.offer(List.of(justDue));
        assertThat(toClaim(100).rows()).contains(justDue).hasSizeLessThan(10);
        assertThat(toClaim(100).rows()).as("of the backlog").hasSizeGreaterThan(50);
    }

    @Test
    void lanesWithoutABacklog_areClaimedInOneBatch() {
        fast("a");
        station.offer(rows("a", 30));
        station.offer(rows("b", 1));
        assertThat(toClaim(100).rows()).hasSize(31);
    }

    @Test
    void promptClaimer_leavesRowsThatHavePiledUpToTheOther() {
        pace("a", Duration.ofNanos(100_000));
        offerOverdue(rows("a", 600));
        assertThat(toClaimPromptly(200).rows()).isEmpty();
        assertThat(lanes.claims().hasClaimable(Role.PROMPT)).isFalse();

        DueRow justDue = row("b");
        station.offer(List.of(justDue));
        assertThat(lanes.claims().hasClaimable(Role.PROMPT)).isTrue();
        assertThat(toClaimPromptly(200).rows()).containsExactly(justDue);
        assertThat(lanes.claims().hasClaimable(Role.BACKLOG)).isTrue();
        assertThat(toClaim(200).rows()).hasSize(200);
    }

    @Test
    void whatHasJustComeDue_doesNotWaitForABacklogOfItsOwnHandler() {
        pace("a", Duration.ofNanos(100_000));
        offerOverdue(rows("a", 600));
        assertThat(toClaim(200).rows()).hasSize(200);

        DueRow justDue = row("a");
        station.offer(List.of(justDue));
        assertThat(toClaimPromptly(200).rows())
                .as("while the backlog is claimed")
                .containsExactly(justDue);
    }

    @Test
    void whatHasJustComeDue_takesTurnsWithTheBacklogOfItsHandler() {
        offerOverdue(rows("a", 300));
        List<DueRow> justDue = rows("a", 300);
        station.offer(justDue);
        Set<DueRow> onTime = Set.copyOf(justDue);
        assertThat(toClaim(4).rows()).filteredOn(onTime::contains).hasSize(2);
    }

    @Test
    void whatComesDue_leavesRoomForABacklogOfItsHandler() {
        assertThat(station.offer(rows("a", 500))).as("as many as it keeps").isEmpty();
        assertThat(offerOverdue(rows("a", 10))).isEmpty();
    }

    @Test
    void backlogOfAHandler_leavesRoomForWhatComesDue() {
        assertThat(offerOverdue(rows("a", 5_000))).as("no room for all").isNotEmpty();
        assertThat(lanes.intake().offer(rows("a", 100), station.clock.nanoTime()))
                .isEmpty();
    }

    @Test
    void promptClaimer_claimsOverdueRows_ifTheyAreFew() {
        station.offer(rows("b", 1));
        toClaim(10);
        offerOverdue(rows("a", 3));
        assertThat(toClaimPromptly(10).rows()).hasSize(3);
    }

    /** The prompt claimer is woken when a slot is free, and fills it. So the other claimer would find no free slot. */
    @Test
    void promptClaimer_forASlowHandler_takesTurnsWithItsBacklog() {
        pace("a", Duration.ofMillis(25));
        offerOverdue(rows("a", 300));
        List<DueRow> justDue = rows("a", 100);
        station.offer(justDue);

        assertThat(toClaimPromptly(4).rows())
                .filteredOn(Set.copyOf(justDue)::contains)
                .hasSize(2);
    }

    @Test
    void promptClaimer_ofACrowdThatComesDue_claimsAHundredAtOnce_andWaitsForNoOther() {
        pace("a", Duration.ofNanos(100_000));
        station.offer(rows("a", 800));
        Batch hanging = toClaim(200);
        assertThat(hanging.rows()).hasSize(200);
        DueRow justDue = row("b");
        station.offer(List.of(justDue));
        assertThat(toClaimPromptly(200).rows()).hasSize(100).contains(justDue);
        assertThat(toClaimPromptly(200).rows()).hasSize(100);
    }

    @Test
    void promptClaimer_whileNothingComesDueOnTime_claimsABacklogToo() {
        backlogLongAfterTheLastOnTime();
        assertThat(toClaimPromptly(50).rows()).hasSize(50);

        station.offer(rows("b", 1));
        toClaimPromptly(1);
        assertThat(toClaimPromptly(10).rows()).as("while jobs come due").isEmpty();
    }

    @Test
    void promptClaimer_whileSomethingIsAboutToComeDue_leavesABacklogToTheOther() {
        station.expectsRows = true;
        backlogLongAfterTheLastOnTime();
        assertThat(toClaimPromptly(50).rows()).isEmpty();
        assertThat(toClaim(50).rows()).hasSize(50);
    }

    private void backlogLongAfterTheLastOnTime() {
        pace("a", Duration.ofNanos(100_000));
        station.clock.advance(Duration.ofSeconds(11));
        offerOverdue(rows("a", 300));
    }

    @Test
    void lanesTakeTurnsWhenOneSlotIsLeftForAll() {
        Station one = new Station(1).handler("a", (x, job) -> null).handler("b", (x, job) -> null);
        one.offer(one.due("a", 20));
        one.offer(one.due("b", 20));
        assertThat(startedOneByOne(one, 12))
                .containsExactly("a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b");
    }

    @Test
    void lanesTakeTurnsHoweverOftenTheClaimerLooksInVain() {
        for (int vain = 0; vain < 6; vain++) {
            Station one = new Station(1)
                    .handler("a", (x, job) -> null)
                    .handler("b", (x, job) -> null)
                    .handler("c", (x, job) -> null);
            List.of("a", "b", "c").forEach(name -> one.offer(one.due(name, 20)));
            List<String> started = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                started.addAll(startedOneByOne(one, 1));
                for (int v = 0; v < vain; v++) {
                    one.lanes.toStart();
                }
            }
            for (String name : List.of("a", "b", "c")) {
                assertThat(Collections.frequency(started, name)).as(name).isBetween(9, 11);
            }
        }
    }

    @Test
    void lanesShareTheirSlotByPriority() {
        Station one = prioritised(30, 10);
        one.offer(one.due("high", 100));
        one.offer(one.due("low", 100));
        List<String> started = startedOneByOne(one, 80);
        assertThat(Collections.frequency(started, "high")).isEqualTo(60);
        assertThat(Collections.frequency(started.subList(0, 8), "low"))
                .as("evenly, and not in bursts")
                .isEqualTo(2);
    }

    @Test
    void lowestPriorityIsServedBesideTheHighest() {
        Station one = prioritised(100, 1);
        one.offer(one.due("high", 400));
        one.offer(one.due("low", 10));
        assertThat(Collections.frequency(startedOneByOne(one, 303), "low")).isBetween(3, 4);
    }

    @Test
    void laneThatHadNothingForLong_gainsNoMoreThanItsTurn() {
        Station one = prioritised(10, 10);
        one.offer(one.due("low", 1));
        one.offer(one.due("high", 50));
        startedOneByOne(one, 51);
        one.offer(one.due("high", 20));
        one.offer(one.due("low", 20));
        List<String> started = startedOneByOne(one, 20);
        assertThat(Collections.frequency(started, "low")).isBetween(9, 11);
    }

    @Test
    void priorities_areKeptBesideABusyQueue() {
        Station one =
                prioritised(30, 10).handler(Handler.named("other").queue("busy").calls((x, job) -> null));
        one.offer(one.due("high", 100));
        one.offer(one.due("low", 100));
        List<String> started = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            started.addAll(startedOneByOne(one, 1));
            run(
                    one.lanes,
                    new DueRow(GivenJob.id(10_000 + i), new Partition("busy", 0), "other", 0, 1, null),
                    Duration.ofSeconds(1));
        }
        assertThat(Collections.frequency(started, "high")).isBetween(29, 31);
    }

    private static Station prioritised(int high, int low) {
        return new Station(1)
                .handler(Handler.named("high").priority(high).calls((x, job) -> null))
                .handler(Handler.named("low").priority(low).calls((x, job) -> null));
    }

    /** The names of the jobs that got the one slot, each of which takes its time. */
    private static List<String> startedOneByOne(Station one, int count) {
        List<String> names = new ArrayList<>();
        while (names.size() < count) {
            Batch asked = toClaim(one.lanes, 500);
            one.lanes.claims().claimed(asked, claimed(asked));
            for (Ticket started : one.lanes.toStart()) {
                names.add(started.job().name());
                assertThat(started.finished(SLOW)).isNull();
            }
        }
        return names;
    }

    @Test
    void freeSlotsAreSharedByAllThatWait() {
        station.offer(rows("a", 10));
        station.offer(rows("b", 10));
        assertThat(toClaim(500).rows()).extracting(DueRow::name).containsExactlyInAnyOrder("a", "a", "b", "b");
    }

    @Test
    void slowLaneGetsItsTurnBesideAFastOneThatClaimsAhead() {
        fast("a");
        pace("b", Duration.ofSeconds(1));
        List<String> started = new ArrayList<>();
        List<Ticket> running = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            station.offer(rows("a", 200));
            station.offer(rows("b", i == 0 ? 0 : 10));
            Batch asked = toClaim(500);
            lanes.claims().claimed(asked, claimed(asked));
            running.addAll(lanes.toStart());
            running.forEach(ticket -> started.add(ticket.job().name()));
            List<Ticket> next = new ArrayList<>();
            for (Ticket ticket : running) {
                Ticket following = ticket.finished(ticket.job().name().equals("a") ? FAST : SLOW);
                if (following != null) {
                    next.add(following);
                }
            }
            running = next;
        }
        assertThat(started).contains("b");
    }

    // ---- how much is claimed

    @Test
    void handlerOfUnknownPaceIsClaimedForFreeSlotsOnly() {
        station.offer(rows("a", 100));
        assertThat(toClaim(500).rows()).hasSize(4);
    }

    @Test
    void slowHandlerIsClaimedForFreeSlotsOnly() {
        pace("a", Duration.ofMillis(21));
        station.offer(rows("a", 100));
        assertThat(toClaim(500).rows()).hasSize(4);
        assertThat(toClaim(500).rows()).isEmpty();
    }

    @Test
    void fastHandlerIsClaimedAheadByWhatStartsWithinTwentyMilliseconds() {
        fast("a");
        station.offer(rows("a", 400));
        assertThat(toClaim(500).rows()).hasSize(4 + 4 * 20);
        assertThat(toClaim(500).rows()).isEmpty();
    }

    @Test
    void whatIsClaimedAhead_isToldApartFromWhatRuns() {
        fast("a");
        station.offer(rows("a", 50));
        Batch asked = toClaim(500);
        lanes.claims().claimed(asked, claimed(asked));
        List<Ticket> started = lanes.toStart();
        assertThat(lanes.occupancy().slotUse()).containsEntry("default", new SlotUse(4, 46, 4));
        started.get(0).finished(FAST);
        assertThat(lanes.occupancy().slotUse()).containsEntry("default", new SlotUse(4, 45, 4));
    }

    @Test
    void fastHandlersOfAQueueShareWhatIsClaimedAhead() {
        fast("a");
        fast("b");
        station.offer(rows("a", 400));
        station.offer(rows("b", 400));
        assertThat(toClaim(500).rows()).hasSize(2 * (4 + 4 * 10));
        assertThat(toClaim(500).rows()).isEmpty();
    }

    @Test
    void claimsRunAheadNoFurtherThanMemoryAllowsHoweverFastTheHandlerIs() {
        Station large = new Station(16, 100_000, new Station.TextCodec()).handler("a", (x, job) -> null);
        assertThat(claimedAheadByInstantHandler(large)).isLessThanOrEqualTo(2_016);
        Station small = new Station(16, 100, new Station.TextCodec()).handler("a", (x, job) -> null);
        assertThat(claimedAheadByInstantHandler(small)).isLessThanOrEqualTo(100);
    }

    @Test
    void backlogOfAnInstantHandler_keepsOnlyRowsThatLastUntilMoreAreRead_howeverMuchMemoryThereIs() {
        Station large = new Station(16, 1_000_000, new Station.TextCodec()).handler("a", (x, job) -> null);
        pace(large.lanes, "a", Duration.ofNanos(1));
        List<DueRow> backlog = rows("a", 30_000);
        assertThat(large.lanes.intake().offerOverdue(backlog, large.clock.nanoTime()))
                .as("refused")
                .hasSize(20_000);
        assertThat(large.lanes.ready()).isEqualTo(10_000);
    }

    private int claimedAheadByInstantHandler(Station at) {
        pace(at.lanes, "a", Duration.ofNanos(1));
        int claimed = 0;
        Batch asked;
        do {
            at.offer(rows("a", 500));
            asked = toClaim(at.lanes, 500);
            at.lanes.claims().claimed(asked, claimed(asked));
            claimed += asked.tickets().size();
        } while (!asked.isEmpty());
        return claimed;
    }

    @Test
    void nothingIsClaimedAheadOfSlotsThatSlowAttemptsHold() {
        fast("a");
        pace("b", Duration.ofSeconds(1));
        station.offer(rows("b", 4));
        Batch asked = toClaim(500);
        lanes.claims().claimed(asked, claimed(asked));
        start(4);
        station.offer(rows("a", 400));
        assertThat(toClaim(500).rows()).isEmpty();
        assertThat(lanes.claims().hasClaimable(Role.BACKLOG)).isFalse();
    }

    @Test
    void claimIsNoLargerThanABatch() {
        fast("a");
        station.offer(rows("a", 400));
        assertThat(toClaim(50).rows()).hasSize(50);
    }

    @Test
    void slotsAreNeverExceededByHandlerOrQueue() {
        SplittableRandom random = new SplittableRandom(3);
        Map<String, Integer> running = new HashMap<>();
        List<Ticket> started = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (random.nextInt(3) == 0) {
                station.offer(rows(List.of("a", "b", "single").get(random.nextInt(3)), 1 + random.nextInt(5)));
            }
            Batch asked = toClaim(1 + random.nextInt(20));
            List<DueRow> found =
                    asked.rows().stream().filter(row -> random.nextInt(10) > 0).toList();
            lanes.claims().claimed(asked, claimed(found));
            for (Ticket ticket : lanes.toStart()) {
                running.merge(ticket.job().name(), 1, Integer::sum);
                started.add(ticket);
            }
            while (!started.isEmpty() && random.nextInt(3) > 0) {
                Ticket ended = started.remove(random.nextInt(started.size()));
                running.merge(ended.job().name(), -1, Integer::sum);
                Ticket next = ended.finished(random.nextBoolean() ? FAST : SLOW);
                if (next != null) {
                    running.merge(next.job().name(), 1, Integer::sum);
                    started.add(next);
                }
            }
            assertThat(started.size()).isLessThanOrEqualTo(4).isEqualTo(station.slotsTaken());
            assertThat(running.getOrDefault("single", 0)).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void nothingIsClaimedAheadAnyMore_onceClaimedJobsHaveWaitedInVainForAHandlerThatHangs() {
        fast("a");
        fast("b");
        station.offer(rows("a", 4));
        Batch asked = toClaim(4);
        List<Job> hanging = claimed(asked);
        lanes.claims().claimed(asked, hanging);
        start(4);
        station.offer(rows("b", 3));
        Batch ahead = toClaim(10);
        lanes.claims().claimed(ahead, claimed(ahead));

        station.clock.advance(OVERSTAY.plusMillis(1));
        assertThat(lanes.toRelease(OVERSTAY)).hasSize(3);

        station.offer(rows("b", 1));
        assertThat(toClaim(10).rows()).isEmpty();
        asked.tickets().get(0).finished(OVERSTAY);
        assertThat(toClaim(10).rows()).hasSize(1);
    }

    // ---- the end

    @Test
    void closedLanesTakeNothingAndReturnWhatHasNoSlot() {
        station.offer(rows("a", 10));
        Batch asked = toClaim(500);
        lanes.claims().claimed(asked, claimed(asked));
        lanes.close();
        assertThat(lanes.toRelease(OVERSTAY)).hasSize(4);
        assertThat(station.offer(rows("a", 1))).isEmpty();
        assertThat(lanes.ready()).isZero();
        assertThat(lanes.intake().roomFor("a", "default")).isZero();
        assertThat(toClaim(500).rows()).isEmpty();
        assertThat(lanes.toStart()).isEmpty();
    }

    @Test
    void claimThatIsAnsweredAfterTheCloseIsReturned() {
        station.offer(rows("a", 2));
        Batch asked = toClaim(500);
        lanes.close();
        int announced = station.workAnnounced;
        lanes.claims().claimed(asked, claimed(asked));
        assertThat(lanes.toStart()).isEmpty();
        assertThat(lanes.toRelease(OVERSTAY)).hasSize(2);
        assertThat(station.workAnnounced).isGreaterThan(announced);
    }

    @Test
    void rowsPassedOverByAClaimThatIsAnsweredAfterTheClose_areNotOfferedAgain() {
        station.offer(rows("a", 2));
        Batch asked = toClaim(500);
        lanes.close();
        assertThat(lanes.claims().claimed(asked, List.of())).isEmpty();
    }

    // ---- ahead of their time

    @Test
    void whatIsDueIsClaimedFirst() {
        fast("a");
        fast("b");
        DueRow coming = ahead("a", 5);
        DueRow due = row("b");
        station.offer(List.of(coming, due));
        assertThat(toClaim(1).rows()).containsExactly(due);
        assertThat(toClaim(1).rows()).containsExactly(coming);
        assertThat(lanes.ready()).isZero();
    }

    @Test
    void whatIsNotDueTakesNoSlotsFromWhatIs() {
        station.offer(List.of(ahead("a", 5), ahead("a", 6)));
        offerOverdue(rows("a", 4));
        assertThat(toClaim(10).rows()).hasSize(4).allSatisfy(this::isDue);
        assertThat(toClaim(10).rows()).isEmpty();
        assertThat(lanes.claims().hasClaimable(Role.BACKLOG)).isFalse();
    }

    @Test
    void whatCameDueUnclaimedGoesWithAllThatIsDue() {
        station.offer(rows("single", 1));
        Batch running = toClaim(10);
        DueRow coming = ahead("single", 5);
        station.offer(List.of(coming));
        assertThat(toClaim(10).rows()).isEmpty();
        station.clock.advanceMillis(5);
        DueRow later = row("single");
        station.offer(List.of(later));
        lanes.claims().claimed(running, List.of());
        assertThat(toClaim(10).rows()).containsExactly(coming);
    }

    @Test
    void claimedJobWaitsForItsTimeAndHoldsAPlaceMeanwhile() {
        DueRow coming = ahead("single", 5);
        station.offer(List.of(coming));
        Batch asked = toClaim(10);
        List<Job> jobs = claimed(asked);
        lanes.claims().claimed(asked, jobs);
        assertThat(lanes.comeDue()).isEqualTo(coming.dueMillis());
        start(0);
        station.offer(List.of(row("single")));
        assertThat(toClaim(10).rows()).isEmpty();
        station.clock.advanceMillis(5);
        assertThat(lanes.comeDue()).isEqualTo(Long.MAX_VALUE);
        start(1);
        lanes.comeDue();
        start(0);
    }

    @Test
    void rowIsClaimableAheadOfItsTimeWheneverThereIsRoom() {
        station.offer(List.of(ahead("a", 5)));
        assertThat(lanes.claims().hasClaimable(Role.BACKLOG)).isTrue();
    }

    @Test
    void whatIsNotDueLeavesRoomForWhatOthersHave() {
        List<DueRow> coming = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            coming.add(ahead("a", 5));
        }
        assertThat(station.offer(coming)).hasSize(500);
        assertThat(station.offer(rows("b", 100))).isEmpty();
    }

    @Test
    void whatIsDueIsNotClaimedTogetherWithCrowdsOfWhatIsNot() {
        pace("a", Duration.ofNanos(1_000));
        List<DueRow> rows = new ArrayList<>(rows("b", 1));
        for (int i = 0; i < 400; i++) {
            rows.add(ahead("a", 5));
        }
        station.offer(rows);
        assertThat(toClaim(500).rows()).hasSize(100).contains(rows.get(0));
    }

    @Test
    void whatIsNotDueDoesNotOvertakeWhatIs() {
        pace("a", Duration.ofNanos(1_000));
        List<DueRow> due = rows("a", 300);
        station.offer(due);
        DueRow coming = ahead("a", 5);
        station.offer(List.of(coming));
        assertThat(toClaim(150).rows()).doesNotContain(coming);
        assertThat(toClaim(150).rows()).doesNotContain(coming);
    }

    private void isDue(DueRow row) {
        assertThat(row.dueMillis()).isLessThanOrEqualTo(station.clock.storeMillis());
    }

    private DueRow ahead(String name, long millis) {
        DueRow due = row(name);
        return new DueRow(due.id(), due.partition(), name, due.dueMillis() + millis, due.token(), null);
    }

    /** What the claimer claims that claims whatever there is. */
    private Batch toClaim(int limit) {
        return toClaim(lanes, limit);
    }

    private static Batch toClaim(Lanes lanes, int limit) {
        return lanes.claims().toClaim(Role.BACKLOG, limit).batch();
    }

    private Batch toClaimPromptly(int limit) {
        return lanes.claims().toClaim(Role.PROMPT, limit).batch();
    }

    private void fast(String name) {
        pace(name, FAST);
    }

    private void pace(String name, Duration took) {
        pace(lanes, name, took);
    }

    /** Has one attempt of that handler take so long. */
    private void pace(Lanes lanes, String name, Duration took) {
        run(lanes, row(name), took);
    }

    private void run(Lanes lanes, DueRow row, Duration took) {
        lanes.intake().offer(List.of(row), station.clock.nanoTime());
        Batch asked = toClaim(lanes, 1);
        List<Job> jobs = claimed(asked);
        lanes.claims().claimed(asked, jobs);
        assertThat(lanes.toStart()).hasSize(1);
        asked.tickets().get(0).finished(took);
    }

    private void start(int expected) {
        assertThat(lanes.toStart()).hasSize(expected);
    }

    private List<DueRow> rows(String name, int count) {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(row(name));
        }
        return rows;
    }

    private DueRow row(String name) {
        JobId id = GivenJob.id(++lastId);
        return new DueRow(id, new Partition("default", 0), name, station.clock.storeMillis(), lastId, null);
    }

    private List<DueRow> offerOverdue(List<DueRow> rows) {
        return lanes.intake().offerOverdue(rows, station.clock.nanoTime());
    }

    private DueRow moved(DueRow row) {
        return new DueRow(row.id(), row.partition(), row.name(), row.dueMillis(), ++lastId, null);
    }

    /** What a store would answer. */
    private static List<Job> claimed(Batch claim) {
        return claimed(claim.rows());
    }

    private static List<Job> claimed(List<DueRow> rows) {
        return rows.stream()
                .map(row -> GivenJob.given()
                        .id(row.id())
                        .name(row.name())
                        .plannedAt(Instant.ofEpochMilli(row.dueMillis()))
                        .startedAt(Instant.ofEpochMilli(row.dueMillis()))
                        .done())
                .toList();
    }
}
