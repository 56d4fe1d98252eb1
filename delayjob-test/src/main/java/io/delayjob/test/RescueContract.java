package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobStore;
import io.delayjob.store.LostPage;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rows of instances that are no more wait again. */
interface RescueContract extends GivenStore {

    Instant RESCUED_AT = StoreScenario.NOW.plusSeconds(20);

    @Test
    default void rescue_setsRowsOfUnregisteredOwnersWaitingAndDue() {
        Job lost = lost(given().job().key("42").payload("{\"n\":1}"));
        long token = given().token();

        List<DueRow> found = lost(JobDraft.PARTITION);
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
        Job here = lost(given().job().in(new Partition("default", 1)));
        lost(given().job().in(new Partition("default", 2)));
        lost(given().job().in(new Partition("mail", 1)));

        assertThat(lost(new Partition("default", 1))).containsExactly(here.toDueRow());
        assertThat(lost(new Partition("default", 3))).isEmpty();
        assertThat(lost(new Partition("nobody's", 1))).isEmpty();
    }

    @Test
    default void lost_looksAtSoManyRowsInTheOrderOfTheirDueTimes() {
        List<Job> lost = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            given().waiting(given().job().due(StoreScenario.NOW.minusMillis(100 - i)));
            lost.add(lost(given().job().due(StoreScenario.NOW.minusMillis(50 - i))));
        }
        PartitionCursor start = PartitionCursor.start(JobDraft.PARTITION);

        LostPage waiting = given().store().lost(List.of(start), RESCUED_AT, 4);
        LostPage three = given().store().lost(waiting.next(), RESCUED_AT, 3);
        LostPage one = given().store().lost(three.next(), RESCUED_AT, 3);

        assertThat(waiting.rows()).isEmpty();
        assertThat(three.rows())
                .containsExactly(
                        lost.get(0).toDueRow(),
                        lost.get(1).toDueRow(),
                        lost.get(2).toDueRow());
        assertThat(one.rows()).containsExactly(lost.get(3).toDueRow());
        assertThat(one.next()).isEmpty();
    }

    @Test
    default void lost_saysWhereToGoOnAfterAFullPageAlone() {
        Job first = given().waiting(given().job());
        PartitionCursor start = PartitionCursor.start(JobDraft.PARTITION);

        assertThat(given().store().lost(List.of(start), RESCUED_AT, 2).next()).isEmpty();
        assertThat(given().store().lost(List.of(start), RESCUED_AT, 1).next())
                .containsExactly(PartitionCursor.at(first.toDueRow()));
    }

    @Test
    default void lost_looksThroughEachPartitionFromItsOwnCursorOn() {
        Partition one = new Partition("default", 1);
        Partition two = new Partition("mail", 1);
        Job passed = lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(4)));
        Job behind = lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(1)));
        Job first = lost(given().job().in(two).due(StoreScenario.NOW.minusMillis(3)));
        Job waiting = given().waiting(given().job().in(two).due(StoreScenario.NOW.minusMillis(2)));

        LostPage page = given().store()
                .lost(
                        List.of(
                                PartitionCursor.at(passed.toDueRow()),
                                PartitionCursor.start(two),
                                PartitionCursor.start(new Partition("nobody's", 1))),
                        RESCUED_AT,
                        2);

        assertThat(page.rows()).containsExactly(first.toDueRow(), behind.toDueRow());
        assertThat(page.next())
                .as("a full page of one partition leaves the others through")
                .containsExactly(PartitionCursor.at(waiting.toDueRow()));
    }

    @Test
    default void lost_leavesWhatIsNotDueYet() {
        given().waiting(given().job().due(RESCUED_AT.plusMillis(1)));

        assertThat(given().store().lost(List.of(PartitionCursor.start(JobDraft.PARTITION)), RESCUED_AT, 1))
                .isEqualTo(LostPage.NONE);
    }

    @Test
    default void rescue_leavesRowsThatHaveMovedOn() {
        Job lost = lost(given().job());
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
        Job lost = lost(given().job().key("42"));
        given().store().cancel(lost.id(), StoreScenario.NOW);

        assertThat(rescue()).isEmpty();

        Job cancelled = given().find(lost.id());
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.endedAt()).isEqualTo(RESCUED_AT);
        assertThat(given().store().cancel(lost.id(), RESCUED_AT))
                .as("the lost attempt may be under way still")
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(given().store().cancel(JobDraft.NAME, "42", RESCUED_AT)).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    default void rescue_fencesTheLostAttempt() {
        Job lost = lost(given().job());
        rescue();

        assertThat(given().complete(given().completing(lost))).isEqualTo(CompletionResult.FENCED);
        assertThat(given().find(lost.id()).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void rescue_raisesTheDoubtEachTimeAndSettlingLowersIt() {
        Job lost = lost(given().job());
        rescue();
        claimByLostInstance(given().find(lost.id()));
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
        claimByLostInstance(given().find(running.id()));

        rescue();

        Job waiting = given().find(running.id());
        assertThat(waiting.failures()).isEqualTo(2);
        assertThat(waiting.rescues()).isEqualTo(1);
    }

    @Test
    default void rescue_countIsForgottenWithTheRun() {
        Job lost = lost(given().job());
        rescue();
        Job again = given().claim(given().find(lost.id()));

        given().complete(given().completing(again).nextRun());

        assertThat(given().find(lost.id()).rescues()).isZero();
        assertThat(given().find(lost.id()).inDoubt()).isEqualTo(1);
    }

    private Job lost(JobDraft draft) {
        return claimByLostInstance(given().waiting(draft));
    }

    /** Claims as an instance that is not registered any more. */
    private Job claimByLostInstance(Job waiting) {
        JobStore store = given().store();
        long owner = store.instances().register("lost", Set.of("default"), Set.of());
        store.claim(List.of(waiting.toDueRow()), owner, given().token(), StoreScenario.NOW);
        store.instances().deregister(owner);
        return given().find(waiting.id());
    }

    private List<DueRow> lost(Partition partition) {
        return given().store()
                .lost(List.of(PartitionCursor.start(partition)), RESCUED_AT, 100)
                .rows();
    }

    private List<DueRow> rescue() {
        return given().store().rescue(lost(JobDraft.PARTITION), RESCUED_AT, given().token());
    }
}
