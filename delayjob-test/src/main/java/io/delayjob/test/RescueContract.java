package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks that running rows of lost instances are rescued. */
interface RescueContract extends GivenStore {

    Instant RESCUED_AT = StoreScenario.NOW.plusSeconds(20);

    @Test
    default void rescue_setsRowsOfUnregisteredOwnersWaitingAndDue() {
        Job lost = given().lost(given().job().key("42").payload("{\"n\":1}"));
        long token = given().token();

        List<DueRow> found = lost(lost.partition());
        List<DueRow> rescued = given().store().rescue(found, RESCUED_AT, token);

        assertThat(found).containsExactly(lost.toDueRow());
        Job waiting = given().find(lost.id());
        assertThat(rescued).containsExactly(waiting.toDueRow());
        assertThat(waiting.state()).isEqualTo(JobState.DELAYED);
        assertThat(waiting.token()).isEqualTo(token);
        assertThat(waiting.owner()).isZero();
        assertThat(waiting.dueAt()).isEqualTo(RESCUED_AT);
        assertThat(waiting.plannedAt()).isEqualTo(lost.plannedAt());
        assertThat(waiting.failures()).isEqualTo(1);
        assertThat(waiting.rescues()).isEqualTo(1);
        assertThat(waiting.inDoubt()).isEqualTo(1);
        assertThat(waiting.attempt()).isEqualTo(lost.attempt());
        assertThat(waiting.run()).isEqualTo(lost.run());
        assertThat(waiting.key()).isEqualTo("42");
        assertThat(waiting.payload()).isEqualTo("{\"n\":1}");
        assertThat(given().claim(waiting).attempt()).isEqualTo(2);
    }

    @Test
    default void rescue_leavesRowsOfRegisteredOwners() {
        Job running = given().running(given().job());

        assertThat(rescue()).isEmpty();
        assertThat(given().find(running.id())).isEqualTo(running);
    }

    @Test
    default void rescue_findsTheRowsOfAnOwnerThatWasTakenOutOfTheRegister() {
        Job running = given().running(given().job());
        long beats = given().store().instances().list().get(0).beats();
        given().store().instances().remove(given().worker(), beats);

        assertThat(rescue()).extracting(DueRow::id).containsExactly(running.id());
    }

    @Test
    default void rescue_leavesWaitingAndEndedRows() {
        Job waiting = given().waiting(given().job());
        Job finished = given().finished(given().job());

        assertThat(rescue()).isEmpty();
        assertThat(given().find(waiting.id())).isEqualTo(waiting);
        assertThat(given().find(finished.id())).isEqualTo(finished);
    }

    @Test
    default void claimedByOthers_tellsTheOwnerOfEachRow() {
        Job running = given().running(given().job());
        Job lost = given().lost(given().job());

        assertThat(claimed(JobDraft.PARTITION, Set.of()))
                .containsExactlyInAnyOrder(
                        new ClaimedRow(running.toDueRow(), given().worker()),
                        new ClaimedRow(lost.toDueRow(), lost.owner()));
    }

    @Test
    default void claimedByOthers_leavesOutRowsOfKnownOwnersOnly() {
        Job running = given().running(given().job());
        Job lost = given().lost(given().job());
        long idle = given().store().instances().register("idle", Set.of(), Set.of());

        assertThat(claimed(JobDraft.PARTITION, Set.of(given().worker(), idle)))
                .extracting(ClaimedRow::row)
                .containsExactly(lost.toDueRow());
        assertThat(claimed(JobDraft.PARTITION, Set.of(lost.owner())))
                .as("the store does not check whether an owner is registered")
                .extracting(ClaimedRow::row)
                .containsExactly(running.toDueRow());
    }

    @Test
    default void claimedByOthers_leavesOutWaitingRowsAndThoseThatWereReleasedOrEnded() {
        given().waiting(given().job());
        given().finished(given().job());
        Job released = given().running(given().job());
        given().store().release(List.of(released.toDueRow()), released.token(), given().token(), StoreScenario.NOW);

        assertThat(claimed(JobDraft.PARTITION, Set.of())).isEmpty();
    }

    @Test
    default void claimedByOthers_looksInThisPartitionOnly() {
        Job here = given().lost(given().job().in(new Partition("default", 1)));
        given().lost(given().job().in(new Partition("default", 2)));
        given().lost(given().job().in(new Partition("mail", 1)));

        assertThat(lost(new Partition("default", 1))).containsExactly(here.toDueRow());
        assertThat(lost(new Partition("default", 3))).isEmpty();
        assertThat(lost(new Partition("nobody's", 1))).isEmpty();
    }

    @Test
    default void claimedByOthers_findsEachRowOnceOnItsPages() {
        List<DueRow> lost = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            given().waiting(given().job().due(StoreScenario.NOW.minusMillis(100 - i)));
            given().running(given().job().due(StoreScenario.NOW.minusMillis(70 - i)));
            lost.add(given().lost(given().job().due(StoreScenario.NOW.minusMillis(50 - i)))
                    .toDueRow());
        }

        for (int limit : new int[] {1, 3, 12, 100}) {
            List<DuePage<ClaimedRow>> pages = given().claimedPages(
                            List.of(PartitionCursor.start(JobDraft.PARTITION)),
                            RESCUED_AT,
                            Set.of(given().worker()),
                            limit);

            assertThat(PageWalk.rows(pages))
                    .as("%d rows at a time", limit)
                    .extracting(ClaimedRow::row)
                    .containsExactlyElementsOf(lost);
            assertThat(pages).allSatisfy(page -> assertThat(page.rows()).hasSizeLessThanOrEqualTo(limit));
        }
    }

    @Test
    default void claimedByOthers_goesOnInEachPartitionFromItsOwnCursor() {
        Partition one = new Partition("default", 1);
        Partition two = new Partition("mail", 1);
        Job passed = given().lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(4)));
        Job behind = given().lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(1)));
        Job first = given().lost(given().job().in(two).due(StoreScenario.NOW.minusMillis(3)));
        given().waiting(given().job().in(two).due(StoreScenario.NOW.minusMillis(2)));

        assertThat(PageWalk.rows(given().claimedPages(
                                List.of(
                                        PartitionCursor.at(passed.toDueRow()),
                                        PartitionCursor.start(two),
                                        PartitionCursor.start(new Partition("nobody's", 1))),
                                RESCUED_AT,
                                Set.of(),
                                2)))
                .extracting(ClaimedRow::row)
                .containsExactlyInAnyOrder(first.toDueRow(), behind.toDueRow());
    }

    @Test
    default void claimedByOthers_leavesOutWhatIsNotDueYet() {
        given().lost(given().job().due(RESCUED_AT.plusMillis(1)));

        assertThat(claimed(JobDraft.PARTITION, Set.of())).isEmpty();
    }

    @Test
    default void rescue_leavesRowsThatHaveMovedOn() {
        Job lost = given().lost(given().job());
        List<DueRow> found = lost(JobDraft.PARTITION);
        given().store().rescue(found, RESCUED_AT, given().token());
        Job again = given().claim(given().find(lost.id()));

        assertThat(given().store().rescue(found, RESCUED_AT, given().token())).isEmpty();
        assertThat(given().find(lost.id())).isEqualTo(again);
        assertThat(given().store().rescue(List.of(), RESCUED_AT, given().token()))
                .isEmpty();
    }

    @Test
    default void rescue_endsRowsWhoseCancellationWasRequested() {
        Job lost = given().lost(given().job().key("42"));
        given().store().cancel(lost.id(), StoreScenario.NOW);

        assertThat(rescue()).isEmpty();

        Job cancelled = given().find(lost.id());
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.endedAt()).isEqualTo(RESCUED_AT);
        assertThat(given().store().cancel(lost.id(), RESCUED_AT))
                .as("the lost attempt may still be under way")
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(given().store().cancel(JobDraft.NAME, "42", RESCUED_AT)).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    default void rescue_fencesTheLostAttempt() {
        Job lost = given().lost(given().job());
        rescue();

        assertThat(given().complete(given().completing(lost))).isEqualTo(CompletionResult.FENCED);
        assertThat(given().find(lost.id()).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void rescue_raisesTheDoubtEachTimeAndSettlingLowersIt() {
        Job lost = given().lost(given().job());
        rescue();
        given().claimByLostInstance(given().find(lost.id()));
        rescue();

        Job twice = given().find(lost.id());
        assertThat(twice.inDoubt()).isEqualTo(2);
        assertThat(twice.rescues()).isEqualTo(2);
        assertThat(twice.failures()).isEqualTo(2);

        given().store().settleDoubt(List.of(lost.id()));
        assertThat(given().store().cancel(lost.id(), RESCUED_AT))
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
    }

    @Test
    default void rescue_countsTogetherWithFailures() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).retryAt(StoreScenario.NOW));
        given().claimByLostInstance(given().find(running.id()));

        rescue();

        Job waiting = given().find(running.id());
        assertThat(waiting.failures()).isEqualTo(2);
        assertThat(waiting.rescues()).isEqualTo(1);
    }

    @Test
    default void rescue_countIsForgottenWithTheRun() {
        Job lost = given().lost(given().job());
        rescue();
        Job again = given().claim(given().find(lost.id()));

        given().complete(given().completing(again).nextRun());

        assertThat(given().find(lost.id()).rescues()).isZero();
        assertThat(given().find(lost.id()).inDoubt()).isEqualTo(1);
    }

    private List<ClaimedRow> claimed(Partition partition, Set<Long> known) {
        return PageWalk.rows(given().claimedPages(List.of(PartitionCursor.start(partition)), RESCUED_AT, known, 100));
    }

    private List<DueRow> lost(Partition partition) {
        return given().lostRows(partition, RESCUED_AT);
    }

    private List<DueRow> rescue() {
        List<DueRow> rescued = new ArrayList<>();
        for (Partition partition : given().store().partitionsInUse().keySet()) {
            rescued.addAll(given().store().rescue(lost(partition), RESCUED_AT, given().token()));
        }
        return rescued;
    }
}
