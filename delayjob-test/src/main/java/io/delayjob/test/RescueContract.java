package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.LostPage;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that running rows of lost instances wait again. */
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
    default void lost_looksInThisPartitionOnly() {
        Job here = given().lost(given().job().in(new Partition("default", 1)));
        given().lost(given().job().in(new Partition("default", 2)));
        given().lost(given().job().in(new Partition("mail", 1)));

        assertThat(lost(new Partition("default", 1))).containsExactly(here.toDueRow());
        assertThat(lost(new Partition("default", 3))).isEmpty();
        assertThat(lost(new Partition("nobody's", 1))).isEmpty();
    }

    @Test
    default void lost_findsEachLostRowOnceOnItsPages() {
        List<DueRow> lost = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            given().waiting(given().job().due(StoreScenario.NOW.minusMillis(100 - i)));
            lost.add(given().lost(given().job().due(StoreScenario.NOW.minusMillis(50 - i)))
                    .toDueRow());
        }

        for (int limit : new int[] {1, 3, 8, 100}) {
            List<LostPage> pages = pages(List.of(PartitionCursor.start(JobDraft.PARTITION)), limit);

            assertThat(pages.stream().flatMap(page -> page.rows().stream()))
                    .as("%d rows at a time", limit)
                    .containsExactlyElementsOf(lost);
            assertThat(pages)
                    .allSatisfy(page -> assertThat(page.rows()).hasSizeLessThanOrEqualTo(limit))
                    .as("a page without progress would never end")
                    .hasSizeLessThanOrEqualTo(9);
        }
    }

    @Test
    default void lost_goesOnInEachPartitionFromItsOwnCursor() {
        Partition one = new Partition("default", 1);
        Partition two = new Partition("mail", 1);
        Job passed = given().lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(4)));
        Job behind = given().lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(1)));
        Job first = given().lost(given().job().in(two).due(StoreScenario.NOW.minusMillis(3)));
        given().waiting(given().job().in(two).due(StoreScenario.NOW.minusMillis(2)));

        List<LostPage> pages = pages(
                List.of(
                        PartitionCursor.at(passed.toDueRow()),
                        PartitionCursor.start(two),
                        PartitionCursor.start(new Partition("nobody's", 1))),
                2);

        assertThat(pages.stream().flatMap(page -> page.rows().stream()))
                .containsExactlyInAnyOrder(first.toDueRow(), behind.toDueRow());
    }

    /** Reads page after page to the end. */
    private List<LostPage> pages(List<PartitionCursor> cursors, int limit) {
        List<LostPage> pages = new ArrayList<>();
        List<PartitionCursor> next = cursors;
        while (!next.isEmpty() && pages.size() < 100) {
            LostPage page = given().store().lost(next, RESCUED_AT, limit);
            pages.add(page);
            next = page.next();
        }
        return pages;
    }

    @Test
    default void lost_leavesWhatIsNotDueYet() {
        given().waiting(given().job().due(RESCUED_AT.plusMillis(1)));

        assertThat(given().store().lost(List.of(PartitionCursor.start(JobDraft.PARTITION)), RESCUED_AT, 1))
                .isEqualTo(LostPage.NONE);
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

    private List<DueRow> lost(Partition partition) {
        return given().store()
                .lost(List.of(PartitionCursor.start(partition)), RESCUED_AT, 100)
                .rows();
    }

    /** Rescues lost rows of all partitions, one partition at a time. */
    private List<DueRow> rescue() {
        List<DueRow> rescued = new ArrayList<>();
        for (Partition partition : given().store().partitionsInUse().keySet()) {
            rescued.addAll(given().store().rescue(lost(partition), RESCUED_AT, given().token()));
        }
        return rescued;
    }
}
