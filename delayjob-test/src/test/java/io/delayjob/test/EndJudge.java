package io.delayjob.test;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the ends of attempts: which of them the store accepts, and which jobs follow. */
final class EndJudge {

    private final Judge judge;
    private final VirtualClock truth;
    private final SharedStore store;
    private final History history;

    EndJudge(Judge judge, VirtualClock truth, SharedStore store, History history) {
        this.judge = judge;
        this.truth = truth;
        this.store = store;
        this.history = history;
    }

    /** @param before the row before the call; {@code null} if there was none */
    void completed(Node node, Completion completion, @Nullable Job before, CompletionResult result) {
        JobId id = completion.job().id();
        history.note(
                node.name(),
                completion.outcome().label() + " " + result,
                id,
                completion.job().attempt());
        if (result == CompletionResult.LOCKED) {
            return;
        }
        if (result == CompletionResult.FENCED
                || result == CompletionResult.GONE
                || result == CompletionResult.SUPERSEDED) {
            judge.fenced += wasAnswered(completion) ? 0 : 1;
            return;
        }
        if (before != null && before.token() == completion.freshToken()) {
            // It was sent again, because its reply was lost.
            return;
        }
        boolean itsOwn = before != null
                && before.state() == JobState.RUNNING
                && before.token() == completion.job().token();
        if (!itsOwn) {
            judge.violated(
                    Check.OWN_COMPLETION,
                    id,
                    "the end of attempt %d of job %s (%s) was accepted for %s",
                    completion.job().attempt(),
                    id,
                    completion.job().name(),
                    before);
            return;
        }
        Life life = judge.life(id);
        life.endClaim(Life.Fate.COMPLETED);
        life.runsDone += runsDone(completion, before);
    }

    /**
     * Checks that the next job of the chain exists if and only if this job has finished. Called after each end of an
     * attempt.
     */
    void checkChain(JobId id) {
        Life life = judge.life(id);
        if (life.chain.isEmpty()) {
            return;
        }
        ChainStep next = life.chain.get(0);
        Job job = store.jobs.find(id).orElse(null);
        boolean isWanted = job != null && next.follows(job.state());
        if (store.jobs.find(next.id()).isPresent() != isWanted) {
            judge.violated(
                    Check.CHAIN_GOES_ON,
                    id,
                    "%s %s followed by job %s (%s)",
                    job,
                    isWanted ? "is not" : "is",
                    next.id(),
                    next.name());
        } else if (isWanted) {
            Life follower = new Life(next.id(), next.name(), truth.nanoTime());
            follower.runsWanted = 1;
            follower.chain = life.chain.subList(1, life.chain.size());
            follower.group = life.group;
            judge.add(follower);
            life.chain = List.of();
        }
    }

    /** Tells whether an answer from outside came before this end. */
    private boolean wasAnswered(Completion completion) {
        Life.Claim claim =
                judge.life(completion.job().id()).claims.get(completion.job().token());
        return claim != null && claim.fate == Life.Fate.ANSWERED;
    }

    /** @param before the row before the call, with the run for which the answer was accepted */
    void answered(Node node, Completion completion, Job before, AnswerResult result) {
        JobId id = completion.job().id();
        history.note(node.name(), "answer " + completion.outcome().label() + " " + result, id, before.attempt());
        Life life = judge.life(id);
        if (before.state() == JobState.RUNNING) {
            life.endClaim(Life.Fate.ANSWERED);
        }
        life.answeredElsewhere |= !before.awaiting() && !node.isComplete();
        judge.answers++;
        life.runsDone +=
                completion.job().run() - before.run() + (completion.outcome().endsRun() ? 1 : 0);
        life.readyNanos = truth.nanoTime();
    }

    private static int runsDone(Completion completion, Job before) {
        if (completion.outcome() instanceof JobOutcome.Skipped skipped) {
            return skipped.misfire().lastSkippedRun() - skipped.misfire().firstSkippedRun() + 1;
        }
        int merged = completion.job().run() - before.run();
        boolean toBeMade = completion.next() instanceof Transition.Again again
                ? again.run() == completion.job().run()
                : completion.next().equals(new Transition.Ended(JobState.FAILED));
        return toBeMade ? merged : merged + 1;
    }
}
