package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobStore;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rows of instances that are no more wait again. */
interface RescueContract extends GivenStore {

    Instant RESCUED_AT = StoreScenario.NOW.plusSeconds(20);
    List<Partition> PARTITIONS = List.of(JobDraft.PARTITION, new Partition("default", 1));

    @Test
    default void rescue_setsRowsOfUnregisteredOwnersWaitingAndDue() {
        Job lost = lost(given().job().key("42").payload("{\"n\":1}"));
        long token = given().token();

        List<DueRow> rescued = given().store().rescue(PARTITIONS, RESCUED_AT, token, 100);

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

        assertThat(rescue(100)).isEmpty();
        assertThat(given().find(running.id())).isEqualTo(running);
    }

    @Test
    default void rescue_findsTheRowsOfAnOwnerThatWasTakenOutOfTheRegister() {
        Job running = given().running(given().job());
        long beats = given().store().instances().list().get(0).beats();
        given().store().instances().remove(given().worker(), beats);

        assertThat(rescue(100)).extracting(DueRow::id).containsExactly(running.id());
    }

    @Test
    default void rescue_leavesWaitingAndEndedRows() {
        Job waiting = given().waiting(given().job());
        Job finished = given().finished(given().job());

        assertThat(rescue(100)).isEmpty();
        assertThat(given().find(waiting.id())).isEqualTo(waiting);
        assertThat(given().find(finished.id())).isEqualTo(finished);
    }

    @Test
    default void rescue_looksInThesePartitionsOnly() {
        Job here = lost(given().job().in(new Partition("default", 1)));
        Job there = lost(given().job().in(new Partition("default", 2)));
        Job elsewhere = lost(given().job().in(new Partition("mail", 1)));

        assertThat(rescue(100)).extracting(DueRow::id).containsExactly(here.id());
        assertThat(given().find(there.id())).isEqualTo(there);
        assertThat(given().find(elsewhere.id())).isEqualTo(elsewhere);
        assertThat(given().store().rescue(List.of(), RESCUED_AT, given().token(), 100))
                .isEmpty();
    }

    @Test
    default void rescue_takesAtMostSoManyRows() {
        for (int i = 0; i < 5; i++) {
            lost(given().job());
        }

        assertThat(rescue(2)).hasSize(2);
        assertThat(rescue(2)).hasSize(2);
        assertThat(rescue(2)).hasSize(1);
        assertThat(rescue(2)).isEmpty();
    }

    @Test
    default void rescue_endsRowsWhoseCancellationWasRequested() {
        Job lost = lost(given().job().key("42"));
        given().store().cancel(lost.id(), StoreScenario.NOW);

        assertThat(rescue(100)).isEmpty();

        Job cancelled = given().find(lost.id());
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.endedAt()).isEqualTo(RESCUED_AT);
        assertThat(given().store().cancel(lost.id(), RESCUED_AT))
                .as("the lost attempt may be under way still")
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(given().store().cancel(JobDraft.NAME, "42", RESCUED_AT)).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    default void rescue_thatAnswersFewerThanTheLimitHasLeftNothing() {
        for (int i = 0; i < 12; i++) {
            Job lost = lost(given().job());
            if (i % 3 != 2) {
                given().store().cancel(lost.id(), StoreScenario.NOW);
            }
        }
        int limit = 3;
        int rescued;
        do {
            rescued = rescue(limit).size();
        } while (rescued == limit);

        assertThat(given().store().counts(RESCUED_AT)).satisfies(counts -> {
            assertThat(counts.in(JobState.RUNNING)).isZero();
            assertThat(counts.in(JobState.READY)).isEqualTo(4);
            assertThat(counts.in(JobState.CANCELLED)).isEqualTo(8);
        });
    }

    @Test
    default void rescue_fencesTheLostAttempt() {
        Job lost = lost(given().job());
        rescue(100);

        assertThat(given().complete(given().completing(lost))).isEqualTo(CompletionResult.FENCED);
        assertThat(given().find(lost.id()).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void rescue_raisesTheDoubtEachTimeAndSettlingLowersIt() {
        Job lost = lost(given().job());
        rescue(100);
        claimByLostInstance(given().find(lost.id()));
        rescue(100);

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

        rescue(100);

        Job waiting = given().find(running.id());
        assertThat(waiting.failures()).isEqualTo(2);
        assertThat(waiting.rescues()).isEqualTo(1);
    }

    @Test
    default void rescue_countIsForgottenWithTheRun() {
        Job lost = lost(given().job());
        rescue(100);
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
        long owner = store.instances().register("lost", Set.of("default"));
        store.claim(List.of(waiting.toDueRow()), owner, given().token(), StoreScenario.NOW);
        store.instances().deregister(owner);
        return given().find(waiting.id());
    }

    private List<DueRow> rescue(int limit) {
        return given().store().rescue(PARTITIONS, RESCUED_AT, given().token(), limit);
    }
}
