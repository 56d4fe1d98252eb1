package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.StoreCapability;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that the writes of a handler are committed only together with the outcome of its attempt. The tests write
 * another job, because every store can write a job.
 */
interface HandlerTransactionContract extends GivenStore {

    Instant LATER = StoreScenario.NOW.plusSeconds(3_600);

    @Test
    default void handlerTransaction_commitsWhatWasWrittenWithTheEnd() throws Exception {
        Job running = running(given().job().key("42"));
        CompletionDraft end = given().completing(running).logged();
        NewJob effect = given().job().toNewJob();

        CompletionResult result = transactions()
                .complete(
                        () -> {
                            write(effect);
                            assertThat(given().find(running.id()))
                                    .as("until the work is done")
                                    .isEqualTo(running);
                            assertThat(given().handedOver()).isEmpty();
                            return end::toCompletion;
                        },
                        null);

        assertThat(result).isEqualTo(CompletionResult.ACCEPTED);
        Job ended = given().find(running.id());
        assertThat(ended.state()).isEqualTo(JobState.FINISHED);
        assertThat(ended.token()).isEqualTo(end.freshToken());
        assertThat(ended.endedAt()).isEqualTo(CompletionDraft.ENDED);
        assertThat(ended.key()).isEqualTo("42");
        assertThat(given().store().attempts(running.id(), 9)).hasSize(1);
        assertThat(given().find(effect.id()).state()).isEqualTo(JobState.DELAYED);
        assertThat(given().handedOver()).containsExactly(effect.toDueRow());
    }

    @Test
    default void handlerTransaction_writesEveryKindOfEnd() throws Exception {
        Job repeating = running(given().job().schedule("gaps:PT1H*"));
        Job failed = running(given().job().payload("{}"));
        Job dropped = running(given().job());
        CompletionDraft next = given().completing(repeating)
                .nextRun(2, LATER, LATER.plusMillis(5))
                .logged();

        assertThat(complete(next)).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(complete(given().completing(failed).failed("boom"))).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(complete(given().completing(dropped).logged().dropped())).isEqualTo(CompletionResult.ACCEPTED);

        Job waiting = given().find(repeating.id());
        assertThat(waiting.state()).isEqualTo(JobState.DELAYED);
        assertThat(waiting.owner()).isZero();
        assertThat(waiting.run()).isEqualTo(2);
        assertThat(waiting.plannedAt()).isEqualTo(LATER);
        assertThat(given().waitingRows(JobDraft.PARTITION))
                .containsExactly(next.toCompletion().waitingAfter());
        assertThat(given().find(failed.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(given().find(failed.id()).payload()).isEqualTo("{}");
        assertThat(given().store().find(dropped.id())).isEmpty();
        assertThat(given().store().attempts(dropped.id(), 9)).isEmpty();
    }

    @Test
    default void handlerTransaction_writesTheFollower_ifItCommits() throws Exception {
        Job finished = running(given().job().then("send-report"));
        Job fenced = running(given().job().then("send-report"));
        given().complete(given().completing(fenced).retryAt(LATER));
        CompletionDraft end = given().completing(finished);

        assertThat(complete(end)).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(complete(given().completing(fenced))).isEqualTo(CompletionResult.FENCED);

        Job follower = given().find(finished.extras().steps().get(0).id());
        assertThat(follower.toDueRow()).isEqualTo(end.toCompletion().waitingAfter());
        assertThat(follower.follows()).isEqualTo(finished.id());
        assertThat(given().find(finished.id()).extras().follower()).isNotNull();
        assertThat(given().store().find(fenced.extras().steps().get(0).id())).isEmpty();
    }

    @Test
    default void handlerTransaction_whoseWorkThrowsLeavesNothing() {
        Job running = running(given().job());
        NewJob effect = given().job().toNewJob();
        IOException thrown = new IOException("no connection to the other side");

        assertThatThrownBy(() -> transactions()
                        .complete(
                                () -> {
                                    write(effect);
                                    throw thrown;
                                },
                                null))
                .isSameAs(thrown);

        assertThat(given().store().find(effect.id())).isEmpty();
        assertThat(given().find(running.id())).isEqualTo(running);
        assertThat(given().handedOver()).isEmpty();
    }

    @Test
    default void handlerTransaction_ofAnAttemptThatAnotherOneFollowedIsRolledBack() throws Exception {
        Job lost = running(given().job());
        given().complete(given().completing(lost).retryAt(LATER));
        Job following = given().claim(given().find(lost.id()));

        assertThatNothingIsWritten(lost);

        assertThat(given().find(lost.id())).isEqualTo(following);
    }

    @Test
    default void handlerTransaction_ofAJobThatHasEndedIsRolledBack() throws Exception {
        Job ended = running(given().job());
        given().complete(given().completing(ended));

        assertThatNothingIsWritten(ended);

        assertThat(given().find(ended.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    default void handlerTransaction_ofAJobThatIsGoneIsRolledBack() throws Exception {
        Job gone = running(given().job());
        given().complete(given().completing(gone).dropped());

        assertThatNothingIsWritten(gone);

        assertThat(given().store().find(gone.id())).isEmpty();
    }

    /** Another outcome is written before the attempt ends, so the job already waits for a retry. */
    @Test
    default void handlerTransaction_ofAnAttemptThatIsGivenUpMeanwhileIsRolledBack() throws Exception {
        Job running = running(given().job());
        NewJob effect = given().job().toNewJob();
        CompletionDraft end = given().completing(running).logged();

        CompletionResult result = transactions()
                .complete(
                        () -> {
                            write(effect);
                            given().complete(given().completing(running).retryAt(LATER));
                            return end::toCompletion;
                        },
                        null);

        assertThat(result).isEqualTo(CompletionResult.FENCED);
        assertThat(given().find(running.id()).state()).isEqualTo(JobState.DELAYED);
        assertThat(given().store().find(effect.id())).isEmpty();
        assertThat(given().handedOver()).isEmpty();
        assertThat(given().store().attempts(running.id(), 9)).isEmpty();
    }

    @Test
    default void handlerTransaction_endsAJobWhoseCancellationWasRequestedMeanwhile() throws Exception {
        Job repeating = running(given().job().schedule("gaps:PT1H*"));
        NewJob effect = given().job().toNewJob();

        CompletionResult result = transactions()
                .complete(
                        () -> {
                            write(effect);
                            cancelElsewhere(repeating.id());
                            return given().completing(repeating).nextRun()::toCompletion;
                        },
                        null);

        assertThat(result).isEqualTo(CompletionResult.ACCEPTED_CANCELLED);
        assertThat(given().find(repeating.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(effect.id()).state())
                .as("the attempt may finish")
                .isEqualTo(JobState.DELAYED);
    }

    @Test
    default void handlerTransaction_withFinishedStandsEvenIfACancellationWasRequested() throws Exception {
        Job running = running(given().job());
        assertThat(given().store().cancel(running.id(), StoreScenario.NOW)).isEqualTo(CancelResult.RUNNING);

        assertThat(complete(given().completing(running))).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().find(running.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    default void handlerTransaction_mayTakeItsOwnKeyOver() throws Exception {
        Job running = running(given().job().key("42"));
        NewJob successor = given().job().key("42", OnExisting.REPLACE).toNewJob();

        CompletionResult result = transactions()
                .complete(
                        () -> {
                            write(successor);
                            return given().completing(running)::toCompletion;
                        },
                        null);

        assertThat(result).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(given().find(running.id()).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().find(successor.id()).key()).isEqualTo("42");
    }

    /** Without a reply, only the fresh token in the row shows whether the commit was successful. */
    @Test
    default void handlerTransaction_isRecognisedByItsFreshToken() throws Exception {
        Job running = running(given().job());
        CompletionDraft end = given().completing(running);
        complete(end);

        assertThat(given().complete(given().completing(running).retryAt(LATER)))
                .as("the rollback is recognised")
                .isEqualTo(CompletionResult.SUPERSEDED);
        assertThat(given().complete(end)).as("the commit is recognised").isEqualTo(CompletionResult.ACCEPTED);
    }

    @Test
    default void handlerTransaction_takesTimeoutsOfAnyLength() throws Exception {
        for (Duration timeout : List.of(Duration.ofMillis(1), Duration.ofDays(30_000))) {
            Job running = running(given().job());

            CompletionResult result = transactions().complete(() -> given().completing(running)::toCompletion, timeout);

            assertThat(result).as("with a timeout of %s", timeout).isEqualTo(CompletionResult.ACCEPTED);
        }
    }

    private void assertThatNothingIsWritten(Job running) throws Exception {
        NewJob effect = given().job().toNewJob();
        CompletionDraft end = given().completing(running).logged();

        CompletionResult result = transactions()
                .complete(
                        () -> {
                            write(effect);
                            return end::toCompletion;
                        },
                        null);

        assertThat(result).isEqualTo(CompletionResult.FENCED);
        assertThat(given().store().find(effect.id())).isEmpty();
        assertThat(given().handedOver()).isEmpty();
    }

    private Job running(JobDraft draft) {
        Job running = given().running(draft);
        given().forgetHandedOver();
        return running;
    }

    private CompletionResult complete(CompletionDraft end) throws Exception {
        return transactions().complete(() -> end::toCompletion, null);
    }

    private void write(NewJob effect) {
        given().store().submit(List.of(effect), given().sink());
    }

    /** The new thread has its own transaction. */
    private void cancelElsewhere(JobId id) throws InterruptedException {
        Thread canceller = new Thread(() -> given().store().cancel(id, StoreScenario.NOW));
        canceller.start();
        canceller.join();
    }

    private HandlerTransactions transactions() {
        assertThat(given().store().capabilities().has(StoreCapability.HANDLER_TRANSACTIONS))
                .as("the store says that it has transactions for handlers")
                .isTrue();
        return given().store().handlerTransactions();
    }
}
