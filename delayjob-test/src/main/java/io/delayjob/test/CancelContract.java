package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Paused;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.InstanceStore;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks every result of a cancellation, and whether the state of the job agrees with the result. */
interface CancelContract extends GivenStore {

    Instant CANCELLED_AT = StoreScenario.NOW.plusMillis(77);

    @Test
    default void cancel_movesAWaitingJobIntoTheHistory() {
        Job waiting = given().waiting(given().job().key("42"));

        assertThat(given().store().cancel(waiting.id(), CANCELLED_AT)).isEqualTo(CancelResult.CANCELLED);

        Job cancelled = given().find(waiting.id());
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.endedAt()).isEqualTo(CANCELLED_AT);
        assertThat(given().waitingRows(JobDraft.PARTITION)).isEmpty();
        assertThat(given().store().claim(List.of(waiting.toDueRow()), given().worker(), given().token(), CANCELLED_AT))
                .as("no attempt starts afterwards")
                .isEmpty();
    }

    @Test
    default void cancel_ofARunningJobIsSeenByItsInstanceUntilThatForgetsIt() {
        Job running = given().running(given().job());
        Job other = given().running(given().job());
        InstanceStore instances = given().store().instances();
        long another = instances.register("another", Set.of("default"), Set.of());

        given().store().cancel(running.id(), CANCELLED_AT);
        given().store().cancel(running.id(), CANCELLED_AT);
        given().store().cancel(other.id(), CANCELLED_AT);

        assertThat(instances.look(given().worker()).cancelRequested())
                .containsExactlyInAnyOrder(running.id(), other.id());
        assertThat(instances.look(another).cancelRequested()).isEmpty();
        assertThat(instances.look(0).cancelRequested()).isEmpty();
        assertThat(given().store().paused()).isEqualTo(Paused.NOTHING);

        instances.forgetCancellations(another, List.of(other.id()));
        instances.forgetCancellations(given().worker(), List.of(running.id(), given().id()));
        assertThat(instances.look(given().worker()).cancelRequested()).containsExactly(other.id());
    }

    @Test
    default void cancel_ofARunningJobThatLostItsKeyIsSeenByItsInstance() {
        Job replaced = given().running(given().job().key("replaced"));
        Job withdrawn = given().running(given().job().key("withdrawn"));
        given().submit(given().job().key("replaced", OnExisting.REPLACE));
        given().store().withdraw(withdrawn.id(), CANCELLED_AT);

        given().store().cancel(replaced.id(), CANCELLED_AT);
        given().store().cancel(withdrawn.id(), CANCELLED_AT);

        assertThat(given().store().instances().look(given().worker()).cancelRequested())
                .as("even if further attempts were cancelled already")
                .containsExactlyInAnyOrder(replaced.id(), withdrawn.id());
    }

    @Test
    default void cancel_ofAJobWhoseInstanceHasLeftIsForgotten() {
        Job running = given().running(given().job());
        given().store().cancel(running.id(), CANCELLED_AT);

        given().store().instances().deregister(given().worker());
        given().store().instances().register("successor", Set.of("default"), Set.of());

        assertThat(given().store().instances().look(given().worker()).cancelRequested())
                .isEmpty();
    }

    @Test
    default void cancel_repeatedForARunningJobWritesItsNoticeAgain() {
        Job running = given().running(given().job());
        InstanceStore register = given().store().instances();
        given().store().cancel(running.id(), CANCELLED_AT);
        register.forgetCancellations(given().worker(), List.of(running.id()));

        assertThat(given().store().cancel(running.id(), CANCELLED_AT)).isEqualTo(CancelResult.RUNNING);

        assertThat(register.look(given().worker()).cancelRequested()).containsExactly(running.id());
    }

    @Test
    default void cancel_byKeyFindsTheUnfinishedJob() {
        Job waiting = given().waiting(given().job().key("42"));
        given().waiting(given().job().key("43"));
        given().waiting(given().job().name("other").key("42"));

        assertThat(given().store().cancel(JobDraft.NAME, "42", CANCELLED_AT)).isEqualTo(CancelResult.CANCELLED);

        assertThat(given().find(waiting.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().waitingRows()).hasSize(2);
    }

    @Test
    default void cancel_answersRunningAndLetsTheAttemptEnd() {
        Job running = given().running(given().job().key("42"));

        assertThat(given().store().cancel(running.id(), CANCELLED_AT)).isEqualTo(CancelResult.RUNNING);
        assertThat(given().store().cancel(running.id(), CANCELLED_AT)).isEqualTo(CancelResult.RUNNING);
        assertThat(given().store().cancel(JobDraft.NAME, "42", CANCELLED_AT)).isEqualTo(CancelResult.RUNNING);

        Job requested = given().find(running.id());
        assertThat(requested.cancelRequested()).isTrue();
        assertThat(requested.state()).isEqualTo(JobState.RUNNING);
        assertThat(requested.token()).as("the running attempt is not fenced").isEqualTo(running.token());
        assertThat(given().complete(given().completing(running))).isEqualTo(CompletionResult.ACCEPTED);
    }

    @Test
    default void cancel_againAnswersCancelled() {
        Job waiting = given().waiting(given().job().key("42"));
        given().store().cancel(waiting.id(), CANCELLED_AT);

        assertThat(given().store().cancel(waiting.id(), CANCELLED_AT.plusSeconds(1)))
                .isEqualTo(CancelResult.CANCELLED);
        assertThat(given().find(waiting.id()).endedAt()).isEqualTo(CANCELLED_AT);
    }

    @Test
    default void cancel_afterARequestedCancellationCameTrueAnswersCancelled() {
        Job running = given().running(given().job());
        given().store().cancel(running.id(), CANCELLED_AT);
        given().complete(given().completing(running).nextRun());

        assertThat(given().store().cancel(running.id(), CANCELLED_AT)).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    default void cancel_answersAlreadyEndedForFinishedAndFailedJobs() {
        Job finished = given().finished(given().job());
        Job failed = given().failed(given().job());

        assertThat(given().store().cancel(finished.id(), CANCELLED_AT)).isEqualTo(CancelResult.ALREADY_ENDED);
        assertThat(given().store().cancel(failed.id(), CANCELLED_AT)).isEqualTo(CancelResult.ALREADY_ENDED);

        assertThat(given().find(finished.id())).isEqualTo(finished);
        assertThat(given().find(failed.id())).isEqualTo(failed);
    }

    @Test
    default void cancel_answersNotFoundForWhatNeverWas() {
        given().waiting(given().job().key("42"));

        assertThat(given().store().cancel(given().id(), CANCELLED_AT)).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(given().store().cancel(JobDraft.NAME, "43", CANCELLED_AT)).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(given().store().cancel("other", "42", CANCELLED_AT)).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    default void cancel_byKeyLooksAmongUnfinishedJobsOnly() {
        given().finished(given().job().key("finished"));
        given().failed(given().job().key("failed"));
        given().submit(given().job().key("cancelled"));
        given().store().cancel(JobDraft.NAME, "cancelled", CANCELLED_AT);

        for (String key : List.of("finished", "failed", "cancelled")) {
            assertThat(given().store().cancel(JobDraft.NAME, key, CANCELLED_AT))
                    .as(key)
                    .isEqualTo(CancelResult.NOT_FOUND);
        }
    }

    @Test
    default void withdraw_leavesNothingUnderTheKey() {
        Job waiting = given().waiting(given().job().name("report").key("@schedule"));
        given().store().withdraw(waiting.id(), CANCELLED_AT);
        given().store().withdraw(waiting.id(), CANCELLED_AT.plusSeconds(1));

        assertThat(given().store().find("report", "@schedule")).isEmpty();
        Job withdrawn = given().find(waiting.id());
        assertThat(withdrawn.state()).isEqualTo(JobState.CANCELLED);
        assertThat(withdrawn.endedAt()).isEqualTo(CANCELLED_AT);
        assertThat(withdrawn.cancelRequested()).isFalse();
        assertThat(given().waitingRows(JobDraft.PARTITION)).isEmpty();
        assertThat(given().store().claim(List.of(waiting.toDueRow()), given().worker(), given().token(), CANCELLED_AT))
                .as("no attempt starts afterwards")
                .isEmpty();
        assertThat(given().store().purgeHistory(JobState.CANCELLED, CANCELLED_AT.plusSeconds(1), 10))
                .as("no row must prevent a new declaration")
                .isEqualTo(1);
    }

    @Test
    default void withdraw_ofARunningJobLetsTheAttemptEndAndNoOtherFollow() {
        Job running = given().running(given().job().key("42"));

        given().store().withdraw(running.id(), CANCELLED_AT);

        Job requested = given().find(running.id());
        assertThat(requested.key()).isNull();
        assertThat(requested.cancelRequested()).isTrue();
        assertThat(requested.state()).isEqualTo(JobState.RUNNING);
        assertThat(requested.token()).as("the running attempt is not fenced").isEqualTo(running.token());
        assertThat(given().store().instances().look(given().worker()).cancelRequested())
                .as("its handler is not asked to end early")
                .isEmpty();
        Job successor = given().waiting(given().job().key("42"));
        assertThat(given().complete(given().completing(running).nextRun()))
                .isEqualTo(CompletionResult.ACCEPTED_CANCELLED);
        assertThat(given().find(running.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().store().find(JobDraft.NAME, "42")).get().isEqualTo(successor);
    }

    @Test
    default void withdraw_leavesAloneWhatHasEnded() {
        Job finished = given().finished(given().job().key("finished"));
        Job cancelled = given().waiting(given().job().key("cancelled"));
        given().store().cancel(cancelled.id(), CANCELLED_AT);

        given().store().withdraw(finished.id(), CANCELLED_AT);
        given().store().withdraw(cancelled.id(), CANCELLED_AT);
        given().store().withdraw(given().id(), CANCELLED_AT);

        assertThat(given().find(finished.id())).isEqualTo(finished);
        assertThat(given().find(cancelled.id()).key()).isEqualTo("cancelled");
    }

    @Test
    default void cancel_betweenRetriesOfATimedOutAttemptSaysThatItMayBeInFlight() {
        Job byId = timedOut(given().job());
        Job byKey = timedOut(given().job().key("42"));

        assertThat(given().store().cancel(byId.id(), CANCELLED_AT))
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(given().store().cancel(JobDraft.NAME, "42", CANCELLED_AT))
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(given().find(byKey.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().store().cancel(byId.id(), CANCELLED_AT))
                .as("asked again")
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
    }

    @Test
    default void cancel_answersCancelledOnceTheDoubtIsSettled() {
        Job waiting = timedOut(given().job());

        given().store().settleDoubt(List.of(waiting.id()));

        assertThat(given().find(waiting.id()).inDoubt()).isZero();
        assertThat(given().store().cancel(waiting.id(), CANCELLED_AT)).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    default void doubt_isRaisedByEachTimedOutAttemptAndOutlastsRunsAndClaims() {
        Job waiting = timedOut(given().job());
        Job again = given().claim(waiting);
        given().complete(given().completing(again).timedOut(StoreScenario.NOW));
        Job third = given().claim(given().find(waiting.id()));
        given().complete(given().completing(third).nextRun());

        assertThat(given().find(waiting.id()).inDoubt()).isEqualTo(2);
        assertThat(given().claim(given().find(waiting.id())).inDoubt()).isEqualTo(2);
    }

    @Test
    default void settleDoubt_lowersByOneAndNeverBelowZero() {
        Job first = timedOut(given().job());
        Job again = given().claim(first);
        given().complete(given().completing(again).timedOut(StoreScenario.NOW));
        Job certain = given().waiting(given().job());

        given().store().settleDoubt(List.of(first.id(), certain.id(), given().id()));

        assertThat(given().find(first.id()).inDoubt()).isEqualTo(1);
        assertThat(given().find(certain.id()).inDoubt()).isZero();
    }

    @Test
    default void settleDoubt_lowersByOneForEachTimeThatTheIdOccurs() {
        Job twice = timedOut(given().job());
        given().complete(given().completing(given().claim(twice)).timedOut(StoreScenario.NOW));
        Job once = timedOut(given().job());

        given().store().settleDoubt(List.of(twice.id(), once.id(), twice.id()));

        assertThat(given().find(twice.id()).inDoubt()).isZero();
        assertThat(given().find(once.id()).inDoubt()).isZero();
    }

    @Test
    default void settleDoubt_returnsNoIdOfAJobThatIsNotLockedOrDoesNotExist() {
        Job waiting = timedOut(given().job());
        Job ended = timedOut(given().job());
        given().store().cancel(ended.id(), CANCELLED_AT);
        Job certain = given().waiting(given().job());

        assertThat(given().store().settleDoubt(List.of(waiting.id(), ended.id(), certain.id(), given().id())))
                .isEmpty();
        assertThat(given().store().settleDoubt(List.of())).isEmpty();
    }

    @Test
    default void settleDoubt_doesNotFenceARunningAttempt() {
        Job running = given().claim(timedOut(given().job()));

        given().store().settleDoubt(List.of(running.id()));

        assertThat(given().find(running.id()).inDoubt()).isZero();
        assertThat(given().complete(given().completing(running))).isEqualTo(CompletionResult.ACCEPTED);
    }

    @Test
    default void settleDoubt_reachesAJobThatHasEndedMeanwhile() {
        Job waiting = timedOut(given().job());
        given().store().cancel(waiting.id(), CANCELLED_AT);

        given().store().settleDoubt(List.of(waiting.id()));

        assertThat(given().store().cancel(waiting.id(), CANCELLED_AT)).isEqualTo(CancelResult.CANCELLED);
    }

    private Job timedOut(JobDraft draft) {
        Job running = given().running(draft);
        given().complete(given().completing(running).timedOut(StoreScenario.NOW));
        Job waiting = given().find(running.id());
        assertThat(waiting.inDoubt()).isEqualTo(1);
        return waiting;
    }
}
