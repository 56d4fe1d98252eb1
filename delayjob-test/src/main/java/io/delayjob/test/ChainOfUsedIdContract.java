package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.CompletionResult;
import org.junit.jupiter.api.Test;

/**
 * Checks chains in which the id of the first job was used before. All ids of a chain follow from the id of its first
 * job, so the follower may exist already. The end of the first job must not change an existing follower.
 */
interface ChainOfUsedIdContract extends GivenStore {

    private JobDraft first() {
        return given().job().then("send-report");
    }

    private static JobId followerOf(Job first) {
        return first.extras().steps().get(0).id();
    }

    /** Deletes the row of the first job, and returns the follower. */
    private Job followerOfAPurgedJob(JobDraft draft) {
        Job purged = given().running(draft);
        given().complete(given().completing(purged).dropped());
        assertThat(given().store().find(purged.id())).isEmpty();
        return given().find(followerOf(purged));
    }

    /** Runs another job with the id of the purged job. The end of this job must not change the follower. */
    private void assertEndLeaves(Job follower, JobDraft draft) {
        Job before = given().find(follower.id());
        Job again = given().running(draft);
        Job other = given().running(first());

        assertThat(given().complete(given().completing(again).logged(), given().completing(other)))
                .containsOnly(CompletionResult.ACCEPTED);

        assertThat(followerOf(again)).isEqualTo(follower.id());
        assertThat(given().find(again.id()).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().find(follower.id())).isEqualTo(before);
        assertThat(given().find(followerOf(other)).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void followerThatWaitsAlready_isLeftAsItIs() {
        JobDraft draft = first();
        Job follower = followerOfAPurgedJob(draft);

        assertEndLeaves(follower, draft);

        Job running = given().claim(follower);
        assertThat(given().complete(given().completing(running))).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(given().find(follower.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    default void followerThatRunsAlready_isLeftAsItIs() {
        JobDraft draft = first();
        Job running = given().claim(followerOfAPurgedJob(draft));

        assertEndLeaves(running, draft);

        assertThat(given().complete(given().completing(running))).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(given().find(running.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    default void followerThatHasEndedAlready_isNotWrittenAgain() {
        JobDraft draft = first();
        Job ended = given().claim(followerOfAPurgedJob(draft));
        given().complete(given().completing(ended));

        assertEndLeaves(ended, draft);

        assertThat(given().waitingRows(ChainContract.MAIL))
                .noneMatch(row -> row.id().equals(ended.id()));
    }

    @Test
    default void answerFromOutside_leavesAFollowerThatExistsAsItIs() {
        JobDraft draft = first();
        Job ended = given().claim(followerOfAPurgedJob(draft));
        given().complete(given().completing(ended));
        Job before = given().find(ended.id());
        Job awaiting = given().awaiting(draft, AwaitContract.DEADLINE);

        AnswerResult answer = given().store()
                .answer(awaiting.id(), job -> given().completing(job).toCompletion(), committed -> {});

        assertThat(answer).isEqualTo(AnswerResult.TAKEN);
        assertThat(given().find(awaiting.id()).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().find(ended.id())).isEqualTo(before);
        assertThat(given().waitingRows(ChainContract.MAIL)).isEmpty();
    }
}
