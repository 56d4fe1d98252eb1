package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.store.CompletionResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks how a store writes outcomes of attempts. An outcome needs the token of the claim, and may be sent twice. */
interface CompleteContract extends GivenStore {

    Instant NEXT = StoreScenario.NOW.plusSeconds(3_600);

    @Test
    default void complete_withAnotherRunSetsTheRowWaitingForIt() {
        Job running =
                given().running(given().job().key("42").payload("{\"n\":1}").schedule("gaps:PT1H*"));
        CompletionDraft completion = given().completing(running).nextRun(2, NEXT, NEXT.plusMillis(250));

        assertThat(given().complete(completion)).isEqualTo(CompletionResult.ACCEPTED);

        Job waiting = given().find(running.id());
        assertThat(waiting.state()).isEqualTo(JobState.DELAYED);
        assertThat(waiting.owner()).isZero();
        assertThat(waiting.token()).isEqualTo(completion.freshToken());
        assertThat(waiting.run()).isEqualTo(2);
        assertThat(waiting.plannedAt()).isEqualTo(NEXT);
        assertThat(waiting.dueAt()).isEqualTo(NEXT.plusMillis(250));
        assertThat(waiting.attempt()).as("attempts are counted over all runs").isEqualTo(running.attempt());
        assertThat(waiting.failures()).isZero();
        assertThat(waiting.endedAt()).isNull();
        assertThat(waiting.key()).isEqualTo("42");
        assertThat(waiting.payload()).isEqualTo("{\"n\":1}");
        assertThat(waiting.schedule()).isEqualTo("gaps:PT1H*");
        assertThat(waiting.scheduledAt()).isEqualTo(running.scheduledAt());
        assertThat(given().waitingRows(running.partition()))
                .containsExactly(completion.toCompletion().waitingAfter());
    }

    @Test
    default void complete_withARetryCountsTheFailureAndKeepsRunPlanAndAttempt() {
        Job running = given().running(given().job());
        CompletionDraft completion = given().completing(running).retryAt(NEXT);

        assertThat(given().complete(completion)).isEqualTo(CompletionResult.ACCEPTED);

        Job waiting = given().find(running.id());
        assertThat(waiting.state()).isEqualTo(JobState.DELAYED);
        assertThat(waiting.token()).isEqualTo(completion.freshToken());
        assertThat(waiting.run()).isEqualTo(1);
        assertThat(waiting.attempt()).isEqualTo(1);
        assertThat(waiting.failures()).isEqualTo(1);
        assertThat(waiting.rescues()).isZero();
        assertThat(waiting.inDoubt()).isZero();
        assertThat(waiting.plannedAt()).isEqualTo(running.plannedAt());
        assertThat(waiting.dueAt()).isEqualTo(NEXT);
    }

    @Test
    default void complete_withASnoozeSetsNothingButTheDueTime() {
        Job first = given().running(given().job().key("42"));
        given().complete(given().completing(first).retryAt(StoreScenario.NOW));
        Job running = given().claim(given().find(first.id()));
        Instant due = CompletionDraft.ENDED.plusSeconds(5);

        assertThat(given().complete(
                                given().completing(running).snoozedUntil(due).logged()))
                .isEqualTo(CompletionResult.ACCEPTED);

        Job snoozed = given().find(running.id());
        assertThat(snoozed.state()).isEqualTo(JobState.DELAYED);
        assertThat(snoozed.dueAt()).isEqualTo(due);
        assertThat(snoozed.plannedAt()).isEqualTo(running.plannedAt());
        assertThat(snoozed.run()).isEqualTo(running.run());
        assertThat(snoozed.attempt()).isEqualTo(running.attempt());
        assertThat(snoozed.failures()).isEqualTo(1);
        assertThat(snoozed.key()).isEqualTo("42");
        assertThat(given().store().attempts(running.id(), 1).get(0).outcome()).isEqualTo("SNOOZED");
    }

    @Test
    default void complete_forgetsFailuresAndRescuesWithTheirRun() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).retryAt(NEXT));
        Job retried = given().claim(given().find(running.id()));

        given().complete(given().completing(retried).nextRun());

        Job waiting = given().find(running.id());
        assertThat(waiting.failures()).isZero();
        assertThat(waiting.rescues()).isZero();
    }

    @Test
    default void complete_neverLetsANumberOfAnAttemptComeAgain() {
        Job first = given().running(given().job().schedule("gaps:PT1H*"));
        given().complete(given().completing(first).nextRun());
        Job second = given().claim(given().find(first.id()));
        given().complete(given().completing(second.atRun(7, NEXT)).retryAt(NEXT));
        Job third = given().claim(given().find(first.id()));
        given().store().release(List.of(third.toDueRow()), third.token(), given().token(), StoreScenario.NOW);
        Job fourth = given().claim(given().find(first.id()));
        given().complete(given().completing(fourth).failed("boom"));
        given().store().retry(first.id(), NEXT, given().token(), given().sink());

        assertThat(Stream.of(first, second, third, fourth, given().claim(given().find(first.id()))))
                .extracting(Job::attempt)
                .containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    default void complete_ofARunThatOthersWereMergedIntoKeepsThatRunForItsRetries() {
        Job running = given().running(given().job().schedule("gaps:PT1H*"));
        Job merged = running.atRun(7, NEXT);

        given().complete(given().completing(merged).retryAt(NEXT.plusSeconds(1)));

        Job waiting = given().find(running.id());
        assertThat(waiting.run()).isEqualTo(7);
        assertThat(waiting.plannedAt()).isEqualTo(NEXT);
        assertThat(waiting.attempt())
                .as("attempt 1 of run 7 was made: its number is not used again")
                .isEqualTo(1);
    }

    @Test
    default void complete_withFinishedMovesTheJobIntoTheHistory() {
        Job running = given().running(given().job().key("42"));
        CompletionDraft completion = given().completing(running);

        assertThat(given().complete(completion)).isEqualTo(CompletionResult.ACCEPTED);

        Job ended = given().find(running.id());
        assertThat(ended.state()).isEqualTo(JobState.FINISHED);
        assertThat(ended.endedAt()).isEqualTo(CompletionDraft.ENDED);
        assertThat(ended.startedAt()).isEqualTo(running.startedAt());
        assertThat(ended.failure()).isNull();
        assertThat(ended.key()).isEqualTo("42");
        assertThat(ended.name()).isEqualTo(running.name());
        assertThat(ended.partition()).isEqualTo(running.partition());
        assertThat(ended.run()).isEqualTo(running.run());
        assertThat(ended.attempt()).isEqualTo(running.attempt());
        assertThat(ended.scheduledAt()).isEqualTo(running.scheduledAt());
        assertThat(given().store().partitionsInUse()).isEmpty();
    }

    @Test
    default void complete_withFailedKeepsPayloadAndError() {
        Job running = given().running(given().job()
                .key("42")
                .payload("{\"n\":1}")
                .schedule("gaps:PT1S,PT5S")
                .retry("delays:PT1S")
                .trace("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
        CompletionDraft completion = given().completing(running).failed("the shop is closed");

        assertThat(given().complete(completion)).isEqualTo(CompletionResult.ACCEPTED);

        Job ended = given().find(running.id());
        assertThat(ended.state()).isEqualTo(JobState.FAILED);
        assertThat(ended.failure()).isEqualTo(completion.toCompletion().failure());
        assertThat(ended.payload()).isEqualTo("{\"n\":1}");
        assertThat(ended.schedule()).isEqualTo("gaps:PT1S,PT5S");
        assertThat(ended.retry()).isEqualTo("delays:PT1S");
        assertThat(ended.trace()).isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }

    @Test
    default void complete_keepsAFailedJobEvenWhenToldToDropIt() {
        Job running = given().running(given().job());

        given().complete(given().completing(running).failed("boom").dropped());

        assertThat(given().find(running.id()).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    default void complete_dropsAnEndedJobThatIsNotKept() {
        Job running = given().running(given().job().key("42"));

        assertThat(given().complete(given().completing(running).dropped())).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().store().find(running.id())).isEmpty();
        assertThat(given().store().partitionsInUse()).isEmpty();
    }

    @Test
    default void complete_dropsTheAttemptsWithAJobThatIsNotKept() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).retryAt(NEXT).logged());
        Job again = given().claim(given().find(running.id()));

        given().complete(given().completing(again).logged().dropped());

        assertThat(given().store().attempts(running.id(), 10)).isEmpty();
    }

    @Test
    default void complete_endsAJobWhoseCancellationWasRequestedInsteadOfWaiting() {
        Job retried = given().running(given().job().key("1"));
        Job repeated = given().running(given().job().key("2"));
        given().store().cancel(retried.id(), StoreScenario.NOW);
        given().store().cancel(repeated.id(), StoreScenario.NOW);
        CompletionDraft[] completions = {
            given().completing(retried).retryAt(NEXT),
            given().completing(repeated).nextRun()
        };

        assertThat(given().complete(completions)).containsOnly(CompletionResult.ACCEPTED_CANCELLED);

        for (Job job : List.of(retried, repeated)) {
            Job ended = given().find(job.id());
            assertThat(ended.state()).isEqualTo(JobState.CANCELLED);
            assertThat(ended.endedAt()).isEqualTo(CompletionDraft.ENDED);
        }
        assertThat(given().waitingRows(JobDraft.PARTITION)).isEmpty();
        assertThat(given().submit(List.of(given().job().key("1"), given().job().key("2"))))
                .as("both keys are free")
                .allSatisfy(result -> assertThat(result.state()).isEqualTo(JobState.DELAYED));
        assertThat(given().complete(completions)).as("sent again").containsOnly(CompletionResult.ACCEPTED_CANCELLED);
    }

    @Test
    default void complete_withFinishedStandsEvenIfACancellationWasRequested() {
        Job finished = given().running(given().job());
        given().store().cancel(finished.id(), StoreScenario.NOW);

        assertThat(given().complete(given().completing(finished))).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().find(finished.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    default void complete_leavesNoDeadLetterOfAJobWhoseCancellationWasRequested() {
        Job kept = given().running(given().job().key("1").payload("{}"));
        Job dropped = given().running(given().job().key("2"));
        given().store().cancel(kept.id(), StoreScenario.NOW);
        given().submit(given().job().key("2", OnExisting.REPLACE));
        CompletionDraft[] completions = {
            given().completing(kept).failed("boom").logged(),
            given().completing(dropped).failed("boom").logged().dropped()
        };

        assertThat(given().complete(completions)).containsOnly(CompletionResult.ACCEPTED_CANCELLED);

        Job cancelled = given().find(kept.id());
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.failure()).as("the failure of its last attempt").isNotNull();
        assertThat(cancelled.payload()).isNull();
        assertThat(given().store().attempts(kept.id(), 10)).hasSize(1);
        assertThat(given().store().retry(kept.id(), NEXT, given().token(), given().sink()))
                .as("a cancelled job cannot be retried")
                .isEqualTo(ChangeResult.ALREADY_ENDED);
        assertThat(given().store().find(dropped.id())).isEmpty();
        assertThat(given().store().attempts(dropped.id(), 10)).isEmpty();
        assertThat(given().complete(completions[0])).as("sent again").isEqualTo(CompletionResult.ACCEPTED_CANCELLED);
    }

    @Test
    default void complete_answersEachOfAMixedBatchInItsOrder() {
        Job finished = given().running(given().job());
        Job fenced = given().running(given().job());
        given().complete(given().completing(fenced).retryAt(NEXT));
        given().claim(given().find(fenced.id()));
        Job cancelled = given().running(given().job());
        given().store().cancel(cancelled.id(), StoreScenario.NOW);
        Job repeated = given().running(given().job());
        Job failed = given().running(given().job());
        Job dropped = given().running(given().job());

        List<CompletionResult> results = given().complete(
                        given().completing(fenced),
                        given().completing(finished),
                        given().completing(cancelled).nextRun(),
                        given().completing(repeated).nextRun(),
                        given().completing(dropped).dropped(),
                        given().completing(failed).failed("boom"));

        assertThat(results)
                .containsExactly(
                        CompletionResult.FENCED,
                        CompletionResult.ACCEPTED,
                        CompletionResult.ACCEPTED_CANCELLED,
                        CompletionResult.ACCEPTED,
                        CompletionResult.ACCEPTED,
                        CompletionResult.ACCEPTED);
        assertThat(given().find(fenced.id()).state()).isEqualTo(JobState.RUNNING);
        assertThat(given().find(finished.id()).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().find(cancelled.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(repeated.id()).state()).isEqualTo(JobState.DELAYED);
        assertThat(given().find(failed.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(given().store().find(dropped.id())).isEmpty();
    }

    @Test
    default void complete_givesEachOfManyFinishedJobsItsOwnEnd() {
        List<Job> running = given().runningInAnyOrder(20);
        CompletionDraft[] completions = IntStream.range(0, running.size())
                .mapToObj(i -> given().completing(running.get(i))
                        .calledAt(StoreScenario.NOW.plusMillis(i))
                        .endedAt(CompletionDraft.ENDED.plusMillis(i)))
                .toArray(CompletionDraft[]::new);

        assertThat(given().complete(completions)).containsOnly(CompletionResult.ACCEPTED);

        for (int i = 0; i < running.size(); i++) {
            Job ended = given().find(running.get(i).id());
            assertThat(ended.state()).isEqualTo(JobState.FINISHED);
            assertThat(ended.calledAt()).isEqualTo(StoreScenario.NOW.plusMillis(i));
            assertThat(ended.endedAt()).isEqualTo(CompletionDraft.ENDED.plusMillis(i));
            assertThat(ended.token()).isEqualTo(completions[i].freshToken());
        }
    }

    @Test
    default void complete_takesOneFreshTokenForAWholeBatch() {
        Job first = given().running(given().job());
        Job second = given().running(given().job());
        long shared = given().token();
        CompletionDraft[] completions = {
            CompletionDraft.of(first, shared).nextRun(),
            CompletionDraft.of(second, shared).retryAt(NEXT)
        };

        assertThat(given().complete(completions)).containsOnly(CompletionResult.ACCEPTED);
        assertThat(given().complete(completions)).containsOnly(CompletionResult.ACCEPTED);

        assertThat(given().find(first.id()).run()).isEqualTo(2);
        assertThat(given().find(second.id()).failures()).isEqualTo(1);
    }

    @Test
    default void complete_ofNothingAnswersNothing() {
        assertThat(given().store().complete(List.of())).isEmpty();
    }

    @Test
    default void complete_writesAThousandEndsOfEveryKind() {
        given().submit(given().jobs(1_000));
        List<Job> running = new ArrayList<>(
                given().store().claim(given().handedOver(), given().worker(), given().token(), StoreScenario.NOW));
        Collections.shuffle(running, new Random(7));
        List<Completion> completions = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            CompletionDraft draft = given().completing(running.get(i));
            CompletionDraft ending = switch (i % 4) {
                case 0 -> draft;
                case 1 -> draft.failed("boom");
                case 2 -> draft.retryAt(NEXT);
                default -> draft.nextRun();
            };
            completions.add(ending.logged().toCompletion());
        }

        assertThat(given().store().complete(completions)).hasSize(1_000).containsOnly(CompletionResult.ACCEPTED);

        assertThat(given().store().counts(StoreScenario.NOW)).satisfies(counts -> {
            assertThat(counts.in(JobState.FINISHED)).isEqualTo(250);
            assertThat(counts.in(JobState.FAILED)).isEqualTo(250);
            assertThat(counts.in(JobState.DELAYED)).isEqualTo(500);
            assertThat(counts.in(JobState.RUNNING)).isZero();
        });
    }
}
