package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.CompletionResult;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Checks which outcomes of attempts a store accepts, and what it answers if an outcome is sent twice. */
interface FenceContract extends GivenStore {

    @Test
    default void complete_isFencedWhenAnotherAttemptFollowed() {
        Job first = given().running(given().job());
        given().complete(given().completing(first).retryAt(CompleteContract.NEXT));
        Job second = given().claim(given().find(first.id()));

        assertThat(given().complete(given().completing(first).logged())).isEqualTo(CompletionResult.FENCED);

        assertThat(given().find(first.id())).isEqualTo(second);
        assertThat(given().store().attempts(first.id(), 10)).isEmpty();
    }

    /**
     * After missing heartbeats, an instance may send the outcomes of a lost attempt and of the next attempt together.
     */
    @Test
    default void complete_tellsTwoAttemptsOfOneJobInABatchApart() {
        Job lost = given().running(given().job().schedule("gaps:PT1H*"));
        given().complete(given().completing(lost).nextRun());
        Job present = given().claim(given().find(lost.id()));

        assertThat(given().complete(
                                given().completing(lost).nextRun().logged(),
                                given().completing(present).nextRun().logged()))
                .containsExactly(CompletionResult.FENCED, CompletionResult.ACCEPTED);
        Job next = given().claim(given().find(lost.id()));
        assertThat(given().complete(
                                given().completing(next).logged(),
                                given().completing(lost).nextRun().logged()))
                .containsExactly(CompletionResult.ACCEPTED, CompletionResult.FENCED);

        assertThat(given().store().attempts(lost.id(), 10))
                .extracting(AttemptRecord::attempt)
                .containsExactly(next.attempt(), present.attempt());
    }

    @Test
    default void complete_refusesOneOfManyFinishedJobsAlone() {
        refuseOneOfMany(draft -> draft, Optional.of(JobState.FINISHED));
    }

    @Test
    default void complete_refusesOneOfManyDroppedJobsAlone() {
        refuseOneOfMany(CompletionDraft::dropped, Optional.empty());
    }

    private void refuseOneOfMany(UnaryOperator<CompletionDraft> ending, Optional<JobState> ended) {
        List<Job> running = given().runningInAnyOrder(20);
        Job fenced = running.get(5);
        given().complete(given().completing(fenced).retryAt(CompleteContract.NEXT));
        given().claim(given().find(fenced.id()));

        List<CompletionResult> results = given().complete(running.stream()
                .map(job -> ending.apply(given().completing(job)))
                .toArray(CompletionDraft[]::new));

        for (int i = 0; i < running.size(); i++) {
            boolean isFenced = running.get(i) == fenced;
            assertThat(results.get(i)).isEqualTo(isFenced ? CompletionResult.FENCED : CompletionResult.ACCEPTED);
            assertThat(given().store().find(running.get(i).id()).map(Job::state))
                    .isEqualTo(isFenced ? Optional.of(JobState.RUNNING) : ended);
        }
    }

    @Test
    default void complete_isSupersededWhenTheAttemptHasEndedOtherwise() {
        Job first = given().running(given().job());
        given().complete(given().completing(first));
        Job ended = given().find(first.id());

        assertThat(given().complete(given().completing(first).failed("late"))).isEqualTo(CompletionResult.SUPERSEDED);

        assertThat(given().find(first.id())).isEqualTo(ended);
    }

    @Test
    default void complete_tellsWhenNothingIsLeftOfTheJob() {
        Job dropped = given().running(given().job());
        Job present = given().running(given().job());
        given().complete(given().completing(dropped).dropped());

        assertThat(given().complete(given().completing(dropped).nextRun(), given().completing(present)))
                .containsExactly(CompletionResult.GONE, CompletionResult.ACCEPTED);
        assertThat(given().complete(given().completing(dropped).dropped())).isEqualTo(CompletionResult.GONE);
        assertThat(given().store().find(dropped.id())).isEmpty();
    }

    @Test
    default void complete_isAcceptedAgainWhenItsAnswerWasLost() {
        Job retried = given().running(given().job());
        Job repeated = given().running(given().job());
        Job finished = given().running(given().job());
        Job failed = given().running(given().job());
        CompletionDraft[] completions = {
            given().completing(retried).retryAt(CompleteContract.NEXT).logged(),
            given().completing(repeated).nextRun().logged(),
            given().completing(finished).logged(),
            given().completing(failed).failed("boom").logged()
        };
        given().complete(completions);
        List<Job> once = List.of(
                given().find(retried.id()),
                given().find(repeated.id()),
                given().find(finished.id()),
                given().find(failed.id()));

        assertThat(given().complete(completions)).containsOnly(CompletionResult.ACCEPTED);

        for (Job job : once) {
            assertThat(given().find(job.id())).isEqualTo(job);
            assertThat(given().store().attempts(job.id(), 10)).hasSize(1);
        }
    }

    @Test
    default void complete_acceptedAgainRaisesDoubtOnce() {
        Job running = given().running(given().job());
        CompletionDraft completion = given().completing(running).timedOut(CompleteContract.NEXT);
        given().complete(completion);

        assertThat(given().complete(completion)).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().find(running.id()).inDoubt()).isEqualTo(1);
    }
}
