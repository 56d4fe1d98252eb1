package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the answers that other systems give to waiting attempts. */
interface AnswerContract extends GivenStore {

    private AnswerResult answer(JobId id, Function<CompletionDraft, CompletionDraft> end, List<Completion> committed) {
        return given().store()
                .answer(id, job -> end.apply(given().completing(job)).toCompletion(), committed::add);
    }

    private AnswerResult answer(JobId id, Function<CompletionDraft, CompletionDraft> end) {
        return answer(id, end, new ArrayList<>());
    }

    @Test
    default void answer_endsTheJob() {
        Job parked = given().awaiting(given().job().key("42").payload("[1]"), AwaitContract.DEADLINE);
        List<Completion> committed = new ArrayList<>();

        assertThat(answer(parked.id(), CompletionDraft::logged, committed)).isEqualTo(AnswerResult.TAKEN);

        Job ended = given().find(parked.id());
        assertThat(ended.state()).isEqualTo(JobState.FINISHED);
        assertThat(ended.endedAt()).isEqualTo(CompletionDraft.ENDED);
        assertThat(ended.awaiting()).isFalse();
        assertThat(ended.inDoubt()).isZero();
        assertThat(committed).hasSize(1);
        assertThat(committed.get(0).job()).isEqualTo(parked);
        assertThat(ended.token()).isEqualTo(committed.get(0).freshToken());
        assertThat(given().store().attempts(parked.id(), 10))
                .extracting(AttemptRecord::outcome)
                .containsExactly("SUCCEEDED");
        assertThat(given().waitingRows()).isEmpty();
        assertThat(given().submit(given().job().key("42")).outcome())
                .as("its key is free")
                .isEqualTo(Scheduled.Outcome.CREATED);
    }

    @Test
    default void answer_thatIsNotKept_leavesNothing() {
        Job parked = given().awaiting(given().job(), AwaitContract.DEADLINE);

        assertThat(answer(parked.id(), end -> end.logged().dropped())).isEqualTo(AnswerResult.TAKEN);

        assertThat(given().store().find(parked.id())).isEmpty();
        assertThat(given().store().attempts(parked.id(), 10)).isEmpty();
        assertThat(answer(parked.id(), Function.identity())).isEqualTo(AnswerResult.NOT_FOUND);
    }

    @Test
    default void answer_makesTheJobWaitAgain() {
        Job failed = given().awaiting(given().job(), AwaitContract.DEADLINE);
        Job repeated = given().awaiting(given().job().schedule("gaps:PT1H*"), AwaitContract.DEADLINE);
        Instant soon = StoreScenario.NOW.plusSeconds(30);

        assertThat(answer(failed.id(), end -> end.retryAt(soon))).isEqualTo(AnswerResult.TAKEN);
        assertThat(answer(repeated.id(), CompletionDraft::nextRun)).isEqualTo(AnswerResult.TAKEN);

        Job inBackOff = given().find(failed.id());
        assertThat(inBackOff.awaiting()).isFalse();
        assertThat(inBackOff.dueAt()).isEqualTo(soon);
        assertThat(inBackOff.failures()).isEqualTo(1);
        assertThat(given().find(repeated.id()).run()).isEqualTo(2);
        assertThat(given().find(repeated.id()).awaiting()).isFalse();
        assertThat(given().waitingRows())
                .containsExactlyInAnyOrder(
                        inBackOff.toDueRow(), given().find(repeated.id()).toDueRow());
    }

    @Test
    default void answer_failsTheJobForGoodAndKeepsItsPayload() {
        Job parked = given().awaiting(given().job().payload("[1]"), AwaitContract.DEADLINE);

        answer(parked.id(), end -> end.failed("no van"));

        Job failed = given().find(parked.id());
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(failed.failure()).hasToString("java.lang.IllegalStateException: no van");
        assertThat(failed.payload()).isEqualTo("[1]");
        assertThat(given().store().retry(failed.id(), AwaitContract.DEADLINE, given().token(), DueSink.NONE))
                .isEqualTo(ChangeResult.CHANGED);
        assertThat(given().find(failed.id()).awaiting()).isFalse();
    }

    @Test
    default void answer_thatCancels_isCancelled() {
        Job parked = given().awaiting(given().job(), AwaitContract.DEADLINE);

        assertThat(answer(parked.id(), CompletionDraft::cancelled)).isEqualTo(AnswerResult.CANCELLED);

        assertThat(given().find(parked.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void answer_movesTheDeadline() {
        Job parked = given().awaiting(given().job(), AwaitContract.DEADLINE);

        assertThat(answer(parked.id(), end -> end.awaitingUntil(AwaitContract.DEADLINE.plusSeconds(60))))
                .isEqualTo(AnswerResult.TAKEN);

        Job still = given().find(parked.id());
        assertThat(still.awaitedUntil()).isEqualTo(AwaitContract.DEADLINE.plusSeconds(60));
        assertThat(still.token()).isNotEqualTo(parked.token());
        assertThat(given().store()
                        .claim(List.of(parked.toDueRow()), given().worker(), given().token(), AwaitContract.DEADLINE))
                .as("a claim at the deadline before")
                .isEmpty();
    }

    @Test
    default void answer_beforeTheHandlerHasReturned_supersedesItsEnd() {
        Job running = given().running(given().job().schedule("gaps:PT1H*"));

        assertThat(answer(running.id(), end -> end.nextRun().leavingAnAttempt()))
                .isEqualTo(AnswerResult.TAKEN);
        assertThat(given().find(running.id()).inDoubt()).isEqualTo(1);
        assertThat(given().complete(given().completing(running).awaitingUntil(AwaitContract.DEADLINE)))
                .isEqualTo(CompletionResult.SUPERSEDED);

        given().store().settleDoubt(List.of(running.id()));
        assertThat(given().find(running.id()).inDoubt()).isZero();
        assertThat(given().find(running.id()).awaiting()).isFalse();
        assertThat(given().find(running.id()).run()).isEqualTo(2);
    }

    @Test
    default void answer_afterARescue_leavesTheLostAttemptFenced() {
        Job lost = given().lost(given().job());
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());

        assertThat(given().complete(given().completing(lost).awaitingUntil(AwaitContract.DEADLINE)))
                .isEqualTo(CompletionResult.FENCED);
        assertThat(answer(lost.id(), Function.identity())).isEqualTo(AnswerResult.TAKEN);

        assertThat(given().find(lost.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    default void answer_whileALaterAttemptRuns_fencesThatAttempt() {
        Job lost = given().lost(given().job());
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());
        Job second = given().claim(given().find(lost.id()));

        assertThat(answer(second.id(), CompletionDraft::leavingAnAttempt)).isEqualTo(AnswerResult.TAKEN);

        assertThat(given().find(second.id()).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().complete(given().completing(second))).isEqualTo(CompletionResult.SUPERSEDED);
    }

    @Test
    default void answer_thatDoesNotCount_changesNothing() {
        Job parked = given().awaiting(given().job(), AwaitContract.DEADLINE);
        List<Completion> committed = new ArrayList<>();
        List<Job> seen = new ArrayList<>();

        AnswerResult result = given().store()
                .answer(
                        parked.id(),
                        job -> {
                            seen.add(job);
                            return null;
                        },
                        committed::add);

        assertThat(result).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(seen).containsExactly(parked);
        assertThat(committed).isEmpty();
        assertThat(given().find(parked.id())).isEqualTo(parked);
    }

    @Test
    default void answer_toAJobThatHasEnded_saysHow() {
        Job finished = given().finished(given().job());
        Job failed = given().failed(given().job());
        Job cancelled = given().awaiting(given().job(), AwaitContract.DEADLINE);
        given().store().cancel(cancelled.id(), StoreScenario.NOW);

        assertThat(answer(finished.id(), Function.identity())).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(answer(failed.id(), Function.identity())).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(answer(cancelled.id(), Function.identity())).isEqualTo(AnswerResult.CANCELLED);
        assertThat(answer(given().id(), Function.identity())).isEqualTo(AnswerResult.NOT_FOUND);
        assertThat(given().find(failed.id())).isEqualTo(failed);
    }

    @Test
    default void answer_toAJobWhoseCancellationWasRequested_endsItAsCancelled() {
        Job running = given().running(given().job());
        given().store().cancel(running.id(), StoreScenario.NOW);

        assertThat(answer(running.id(), end -> end.cancelled().leavingAnAttempt()))
                .isEqualTo(AnswerResult.CANCELLED);

        assertThat(given().find(running.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().store().cancel(running.id(), StoreScenario.NOW))
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
    }

    /** The store must lock the row, so that answers, deadlines and cancellations of one job cannot overlap. */
    @Test
    default void answers_atTheSameMoment_oneIsTaken() throws Exception {
        Job parked = given().awaiting(given().job(), AwaitContract.DEADLINE);
        List<Completion> committed = Collections.synchronizedList(new ArrayList<>());
        int callers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            CountDownLatch all = new CountDownLatch(callers);
            List<Future<AnswerResult>> answers = IntStream.range(0, callers)
                    .mapToObj(i -> threads.submit(() -> {
                        CompletionDraft[] draft = new CompletionDraft[1];
                        all.countDown();
                        all.await();
                        return given().store()
                                .answer(
                                        parked.id(),
                                        job -> (draft[0] = CompletionDraft.of(job, i)).toCompletion(),
                                        committed::add);
                    }))
                    .toList();
            List<AnswerResult> results = new ArrayList<>();
            for (Future<AnswerResult> answer : answers) {
                results.add(answer.get());
            }
            assertThat(results)
                    .containsExactlyInAnyOrder(
                            AnswerResult.TAKEN,
                            AnswerResult.NOT_AWAITED,
                            AnswerResult.NOT_AWAITED,
                            AnswerResult.NOT_AWAITED);
            assertThat(committed).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }
}
