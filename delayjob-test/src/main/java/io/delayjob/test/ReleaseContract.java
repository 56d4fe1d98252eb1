package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.CompletionResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks the release of claimed jobs that were not started, and of jobs whose claim has an unknown result. */
interface ReleaseContract extends GivenStore {

    @Test
    default void release_setsAClaimedRowWaitingAgain() {
        Job waiting = given().waiting(given().job().key("42").payload("{\"n\":1}"));
        Job running = given().claim(waiting);
        long fresh = given().token();

        given().store().release(List.of(waiting.toDueRow()), running.token(), fresh, StoreScenario.NOW);

        Job released = given().find(waiting.id());
        assertThat(released.state()).isEqualTo(JobState.DELAYED);
        assertThat(released.token()).isEqualTo(fresh);
        assertThat(released.owner()).isZero();
        assertThat(released.attempt())
                .as("numbers may be skipped, never repeated")
                .isEqualTo(1);
        assertThat(released.failures()).isZero();
        assertThat(released)
                .usingRecursiveComparison()
                .ignoringFields("progress.token", "progress.counts.attempt", "progress.startedAt")
                .isEqualTo(waiting);
        assertThat(given().waitingRows(waiting.partition())).containsExactly(released.toDueRow());
    }

    @Test
    default void release_takesARowThatTheClaimNeverReached() {
        Job waiting = given().waiting(given().job());
        long claimThatWasLost = given().token();
        long fresh = given().token();

        given().store().release(List.of(waiting.toDueRow()), claimThatWasLost, fresh, StoreScenario.NOW);

        assertThat(given().find(waiting.id()))
                .usingRecursiveComparison()
                .ignoringFields("progress.token")
                .isEqualTo(waiting);
        assertThat(given().find(waiting.id()).token()).isEqualTo(fresh);
    }

    @Test
    default void release_fencesAClaimThatArrivesLate() {
        Job waiting = given().waiting(given().job());
        long claim = given().token();
        given().store().release(List.of(waiting.toDueRow()), claim, given().token(), StoreScenario.NOW);

        assertThat(given().store().claim(List.of(waiting.toDueRow()), given().worker(), claim, StoreScenario.NOW))
                .isEmpty();
    }

    @Test
    default void release_mayBeRepeated() {
        Job waiting = given().waiting(given().job());
        Job running = given().claim(waiting);
        long fresh = given().token();

        given().store().release(List.of(waiting.toDueRow()), running.token(), fresh, StoreScenario.NOW);
        Job once = given().find(waiting.id());
        given().store().release(List.of(waiting.toDueRow()), running.token(), fresh, StoreScenario.NOW);

        assertThat(given().find(waiting.id())).isEqualTo(once);
    }

    @Test
    default void release_repeatedLateDoesNotTakeTheRowFromItsNextOwner() {
        Job waiting = given().waiting(given().job());
        Job running = given().claim(waiting);
        long fresh = given().token();
        given().store().release(List.of(waiting.toDueRow()), running.token(), fresh, StoreScenario.NOW);
        Job next = given().claim(given().find(waiting.id()));

        given().store().release(List.of(waiting.toDueRow()), running.token(), fresh, StoreScenario.NOW);

        assertThat(given().find(waiting.id())).isEqualTo(next);
    }

    @Test
    default void release_fencesTheAttempt() {
        Job waiting = given().waiting(given().job());
        Job running = given().claim(waiting);

        given().store().release(List.of(waiting.toDueRow()), running.token(), given().token(), StoreScenario.NOW);

        assertThat(given().complete(given().completing(running))).isEqualTo(CompletionResult.SUPERSEDED);
    }

    @Test
    default void release_endsARowWhoseCancellationWasRequested() {
        Job waiting = given().waiting(given().job().key("42"));
        Job running = given().claim(waiting);
        given().store().cancel(waiting.id(), StoreScenario.NOW);

        given().store().release(List.of(waiting.toDueRow()), running.token(), given().token(), StoreScenario.NOW);

        assertThat(given().find(waiting.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(waiting.id()).endedAt()).isEqualTo(StoreScenario.NOW);
        assertThat(given().waitingRows(JobDraft.PARTITION)).isEmpty();
        assertThat(given().submit(given().job().key("42")).state())
                .as("the key is free")
                .isEqualTo(JobState.DELAYED);
    }

    @Test
    default void release_leavesRowsThatMovedOnOrAreGone() {
        Job moved = given().waiting(given().job());
        given().store().reschedule(moved.id(), StoreScenario.NOW.plusSeconds(9), given().token(), given().sink());
        Job movedOn = given().find(moved.id());
        Job gone = given().waiting(given().job());
        given().store().cancel(gone.id(), StoreScenario.NOW);
        Job waiting = given().waiting(given().job());
        Job running = given().claim(waiting);

        assertThat(given().store()
                        .release(
                                List.of(moved.toDueRow(), gone.toDueRow(), waiting.toDueRow()),
                                running.token(),
                                given().token(),
                                StoreScenario.NOW))
                .as("rows to be released later")
                .isEmpty();

        assertThat(given().find(moved.id())).isEqualTo(movedOn);
        assertThat(given().find(gone.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(waiting.id()).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void release_givesBackAWholeBatch() {
        given().submit(given().jobs(300));
        long claim = given().token();
        given().store().claim(given().handedOver(), given().worker(), claim, StoreScenario.NOW);

        given().store().release(given().handedOver(), claim, given().token(), StoreScenario.NOW);

        assertThat(given().waitingRows(JobDraft.PARTITION)).hasSize(300);
    }
}
