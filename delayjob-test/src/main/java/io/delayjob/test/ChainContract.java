package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.ChainFollower;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Checks chains. Until the previous job has finished, the next job's row must not exist. After that, the row must exist
 * exactly once.
 */
interface ChainContract extends GivenStore {

    Partition MAIL = new Partition("mail", JobDraft.PARTITION.index());

    private JobDraft first() {
        return given().job().then("send-report");
    }

    private static JobId followerOf(Job first) {
        return first.extras().steps().get(0).id();
    }

    private void assertNoFollower(Job first) {
        assertThat(given().store().find(followerOf(first))).isEmpty();
        assertThat(given().waitingRows(MAIL)).isEmpty();
    }

    @Test
    default void follower_isWrittenByTheEnd_asANewJobThatIsDue() {
        Job running = given().running(given().job()
                .trace("00-11-22-01")
                .extras("label customer:7")
                .then("send-report", ChainStep.When.FINISHED, "{\"text\":\"a\\tb\"}")
                .then("archive"));
        JobId id = followerOf(running);
        assertNoFollower(running);
        CompletionDraft end = given().completing(running).logged();

        assertThat(given().complete(end)).isEqualTo(CompletionResult.ACCEPTED);

        Job follower = given().find(id);
        assertThat(follower.state()).isEqualTo(JobState.DELAYED);
        assertThat(follower.name()).isEqualTo("send-report");
        assertThat(follower.key()).isNull();
        assertThat(follower.payload()).isEqualTo("{\"text\":\"a\\tb\"}");
        assertThat(follower.trace()).isEqualTo("00-11-22-01");
        assertThat(follower.partition()).isEqualTo(MAIL);
        assertThat(follower.scheduledAt()).isEqualTo(CompletionDraft.ENDED);
        assertThat(follower.plannedAt()).isEqualTo(CompletionDraft.ENDED);
        assertThat(follower.dueAt()).isEqualTo(CompletionDraft.ENDED);
        assertThat(follower.run()).isEqualTo(1);
        assertThat(follower.attempt()).isZero();
        assertThat(follower.follows()).isEqualTo(running.id());
        assertThat(follower.labels()).containsExactly("customer:7");
        assertThat(follower.extras().steps()).extracting(ChainStep::name).containsExactly("archive");
        assertThat(given().waitingRows(MAIL))
                .containsExactly(end.toCompletion().waitingAfter())
                .containsExactly(follower.toDueRow());
        assertThat(given().store().partitionsInUse()).containsKey(MAIL);
        Job first = given().find(running.id());
        assertThat(first.state()).isEqualTo(JobState.FINISHED);
        assertThat(first.extras().follower()).isEqualTo(new ChainFollower(id, "send-report"));
        assertThat(first.extras().steps()).isEmpty();
        assertThat(first.labels()).containsExactly("customer:7");
    }

    @Test
    default void chain_goesOnToItsEnd() {
        Job first = given().running(given().job().then("second").then("third"));
        List<ChainStep> steps = first.extras().steps();

        given().complete(given().completing(first));
        Job second = given().claim(given().find(steps.get(0).id()));
        assertThat(given().complete(given().completing(second))).isEqualTo(CompletionResult.ACCEPTED);
        Job third = given().claim(given().find(steps.get(1).id()));
        assertThat(given().complete(given().completing(third))).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(third.follows()).isEqualTo(second.id());
        assertThat(given().find(third.id()).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().find(third.id()).extras().follower()).isNull();
        assertThat(given().waitingRows()).isEmpty();
    }

    @Test
    default void stepOfALaterVersion_endsTheChainHere_andIsKept() {
        JobDraft draft = given().job().then("second").then("third").then("fourth");
        NewJob job = draft.toNewJob();
        String extras = String.valueOf(job.extras()).replace("\tFINISHED\tmail\tthird", "\tLATER\tmail\tthird");
        given().store().submit(List.of(job.with(job.task().withExtras(extras))), DueSink.NONE);
        Job first = given().claim(given().find(job.id()));

        given().complete(given().completing(first));
        Job second = given().claim(given().find(followerOf(first)));
        assertThat(given().complete(given().completing(second))).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().waitingRows()).isEmpty();
        assertThat(given().find(second.id()).task().extras()).contains("\tLATER\tmail\tthird", "\tmail\tfourth");
    }

    @Test
    default void followerOfAFailedJob_isNotWritten_untilItsRetryFinishes() {
        Job failed = given().failed(first().payload("1"));
        assertNoFollower(failed);

        given().store().retry(failed.id(), StoreScenario.NOW, given().token(), DueSink.NONE);
        Job again = given().claim(given().find(failed.id()));
        assertThat(given().complete(given().completing(again))).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().find(followerOf(failed)).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void followerThatAlwaysComes_isWrittenByAFailure_andNotAgainByTheRetry() {
        Job running = given().running(given().job()
                .payload("1")
                .extras("expires PT10M")
                .then("clean-up", ChainStep.When.FINISHED_OR_FAILED, null));
        JobId id = followerOf(running);

        assertThat(given().complete(given().completing(running).failed("boom"))).isEqualTo(CompletionResult.ACCEPTED);

        Job failed = given().find(running.id());
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(failed.payload()).isEqualTo("1");
        assertThat(failed.extras().follower()).isEqualTo(new ChainFollower(id, "clean-up"));
        assertThat(failed.extras().steps()).isEmpty();
        assertThat(failed.extras().expiresAfter()).hasMinutes(10);
        Job follower = given().claim(given().find(id));
        assertThat(given().complete(given().completing(follower).dropped())).isEqualTo(CompletionResult.ACCEPTED);

        given().store().retry(failed.id(), StoreScenario.NOW, given().token(), DueSink.NONE);
        Job again = given().claim(given().find(failed.id()));
        assertThat(given().complete(given().completing(again))).isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().store().find(id)).isEmpty();
        assertThat(given().waitingRows()).isEmpty();
    }

    @Test
    default void followerOfAJobThatWaitsAgain_isNotWritten() {
        Job retried = given().running(first());
        Job repeated = given().running(first().schedule("gaps:PT1H*"));
        Job snoozed = given().running(first());

        given().complete(
                        given().completing(retried).retryAt(StoreScenario.NOW),
                        given().completing(repeated).nextRun(),
                        given().completing(snoozed).snoozedUntil(CompletionDraft.ENDED));

        assertNoFollower(retried);
        assertNoFollower(repeated);
        assertNoFollower(snoozed);
        Job last = given().claim(given().find(retried.id()));
        given().complete(given().completing(last));
        assertThat(given().find(followerOf(retried)).follows()).isEqualTo(retried.id());
    }

    @Test
    default void followerOfACancelledJob_isNotWritten() {
        Job waiting = given().waiting(first());
        given().store().cancel(waiting.id(), StoreScenario.NOW);
        Job expired = given().running(first());
        given().complete(given().completing(expired).expired(Failure.of("Expired", "too late")));
        Job released = given().running(first());
        given().store().cancel(released.id(), StoreScenario.NOW);
        given().store().release(List.of(released.toDueRow()), released.token(), given().token(), StoreScenario.NOW);

        assertNoFollower(waiting);
        assertNoFollower(expired);
        assertNoFollower(released);
    }

    @Test
    default void requestedCancellation_endsTheChain_unlessTheJobFinishes() {
        JobDraft draft = given().job().then("clean-up", ChainStep.When.FINISHED_OR_FAILED, null);
        Job failing = given().running(draft);
        Job finishing = given().running(first());
        given().store().cancel(failing.id(), StoreScenario.NOW);
        given().store().cancel(finishing.id(), StoreScenario.NOW);

        assertThat(given().complete(given().completing(failing).failed("boom"), given().completing(finishing)))
                .containsExactly(CompletionResult.ACCEPTED_CANCELLED, CompletionResult.ACCEPTED);

        assertThat(given().find(failing.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(failing.id()).extras().steps()).hasSize(1);
        assertThat(given().store().find(followerOf(failing))).isEmpty();
        assertThat(given().find(followerOf(finishing)).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void repeatedEnd_isAcceptedAgain_andWritesNoSecondFollower() {
        Job running = given().running(first());
        Completion end = given().completing(running).toCompletion();
        given().store().complete(List.of(end));
        Job follower = given().claim(given().find(followerOf(running)));
        given().complete(given().completing(follower).dropped());

        assertThat(given().store().complete(List.of(end))).containsExactly(CompletionResult.ACCEPTED);

        assertThat(given().store().find(follower.id())).isEmpty();
        assertThat(given().waitingRows()).isEmpty();
    }

    @Test
    default void fencedEnd_writesNoFollower() {
        Job lost = given().lost(first());
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());
        Job following = given().claim(given().find(lost.id()));

        assertThat(given().complete(given().completing(lost))).isEqualTo(CompletionResult.FENCED);
        assertNoFollower(lost);

        given().complete(given().completing(lost), given().completing(following));
        assertThat(given().find(followerOf(lost)).follows()).isEqualTo(lost.id());
        assertThat(given().waitingRows(MAIL)).hasSize(1);
    }

    @Test
    default void followerOfAJobThatLeavesNoRow_isWritten() {
        Job dropped = given().running(first());
        Job failed = given().running(given().job().then("clean-up", ChainStep.When.FINISHED_OR_FAILED, null));

        given().complete(
                        given().completing(dropped).dropped(),
                        given().completing(failed).failed("boom").dropped());

        assertThat(given().store().find(dropped.id())).isEmpty();
        assertThat(given().find(followerOf(dropped)).follows()).isEqualTo(dropped.id());
        assertThat(given().find(followerOf(failed)).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    default void result_isKeptBesideTheFollower() {
        Job running = given().running(first().extras("label web"));

        given().complete(given().completing(running).result("{\"rows\":1}"));

        Job ended = given().find(running.id());
        assertThat(ended.result()).isEqualTo("{\"rows\":1}");
        assertThat(ended.labels()).containsExactly("web");
        assertThat(ended.extras().follower()).isNotNull();
        assertThat(given().find(followerOf(running)).result()).isNull();
    }

    @Test
    default void followersOfALargeBatch_areAllWritten() {
        List<Job> running = new ArrayList<>();
        List<CompletionDraft> ends = new ArrayList<>();
        for (int i = 0; i < 320; i++) {
            JobDraft draft = i % 3 == 0 ? given().job() : first().payload("{}");
            Job job = given().running(draft.in(new Partition("default", i % 4)));
            running.add(job);
            CompletionDraft end = given().completing(job).logged();
            ends.add(i % 7 == 0 ? end.failed("boom") : i % 5 == 0 ? end.dropped() : end);
        }

        assertThat(given().complete(ends.toArray(CompletionDraft[]::new))).containsOnly(CompletionResult.ACCEPTED);

        for (int i = 0; i < running.size(); i++) {
            Job job = running.get(i);
            if (i % 3 > 0) {
                assertThat(given().store().find(followerOf(job)).map(Job::partition))
                        .isEqualTo(i % 7 == 0 ? Optional.empty() : Optional.of(new Partition("mail", i % 4)));
            }
        }
    }

    @Test
    default void followerWithTheLongestArguments_isWritten() {
        String payload = "{\"text\":\"" + "\u00fc\\n\\\\ \u65e5".repeat(2_450) + "\"}";
        Job running = given().running(given().job().key("42").then("send-report", ChainStep.When.FINISHED, payload));

        given().complete(given().completing(running));

        assertThat(given().find(followerOf(running)).payload()).isEqualTo(payload);
    }

    @Test
    default void answerFromOutside_writesTheFollower() {
        Job finished = given().awaiting(first().key("42"), AwaitContract.DEADLINE);
        Job failed = given().awaiting(first(), AwaitContract.DEADLINE);
        Job always = given().awaiting(
                        given().job().then("clean-up", ChainStep.When.FINISHED_OR_FAILED, null),
                        AwaitContract.DEADLINE);
        List<Completion> committed = new ArrayList<>();

        AnswerResult taken = given().store()
                .answer(finished.id(), job -> given().completing(job).toCompletion(), committed::add);
        given().store()
                .answer(failed.id(), job -> given().completing(job).failed("no").toCompletion(), committed::add);
        given().store()
                .answer(always.id(), job -> given().completing(job).failed("no").toCompletion(), committed::add);

        assertThat(taken).isEqualTo(AnswerResult.TAKEN);
        assertThat(given().find(followerOf(finished)).toDueRow())
                .isEqualTo(committed.get(0).waitingAfter());
        assertThat(given().store().find(followerOf(failed))).isEmpty();
        assertThat(given().find(followerOf(always)).follows()).isEqualTo(always.id());
    }

    @Test
    default void chain_isReplacedWithTheJob_andStaysWhenItIsPostponed() {
        Job first = given().waiting(first().key("42"));

        given().submit(given().job().key("42", OnExisting.POSTPONE).then("other"));
        assertThat(given().find(first.id()).extras()).isEqualTo(first.extras());

        JobDraft replacing = given().job().key("42", OnExisting.REPLACE).then("other");
        given().submit(replacing);
        Job replaced = given().claim(given().find(first.id()));
        given().complete(given().completing(replaced));

        assertThat(given().find(replacing.toNewJob().id().followers(1).get(0)).name())
                .isEqualTo("other");
        assertThat(given().store().find(followerOf(first))).isEmpty();
    }

    @Test
    default void endThatFinishesARepeatingJob_writesTheFollower() {
        Job running = given().running(first().schedule("gaps:PT1H,PT1H"));
        given().complete(given().completing(running).nextRun(2, StoreScenario.NOW, StoreScenario.NOW));
        Job last = given().claim(given().find(running.id()));
        assertThat(last.run()).isEqualTo(2);
        assertNoFollower(running);

        CompletionDraft skipped = given().completing(last);
        assertThat(skipped.toCompletion().next()).isInstanceOf(Transition.Ended.class);
        given().complete(skipped);

        assertThat(given().find(followerOf(running)).state()).isEqualTo(JobState.DELAYED);
    }
}
