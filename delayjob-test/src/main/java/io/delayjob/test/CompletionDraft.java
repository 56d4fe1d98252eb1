package io.delayjob.test;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Completion}; by default, a success that ends the job. */
final class CompletionDraft {

    static final Instant ENDED = StoreScenario.NOW.plusSeconds(1);

    private Job job;
    private final long freshToken;
    private JobOutcome outcome = new JobOutcome.Succeeded();
    private Transition next = new Transition.Ended(JobState.FINISHED);
    private Instant endedAt = ENDED;
    private @Nullable Failure failure;
    private boolean keep = true;
    private int inDoubtChange;
    private final List<AttemptRecord> log = new ArrayList<>();

    private CompletionDraft(Job job, long freshToken) {
        this.job = job;
        this.freshToken = freshToken;
    }

    static CompletionDraft of(Job running, long freshToken) {
        return new CompletionDraft(running, freshToken);
    }

    CompletionDraft nextRun(int run, Instant planned, Instant due) {
        next = new Transition.Again(run, planned, due, 0);
        return this;
    }

    CompletionDraft nextRun() {
        Instant due = ENDED.plus(Duration.ofHours(1));
        return nextRun(job.run() + 1, due, due);
    }

    CompletionDraft retryAt(Instant due) {
        failure = Failure.of("java.io.IOException", "connection refused");
        outcome = new JobOutcome.Failed(failure, true);
        next = new Transition.Again(job.run(), job.plannedAt(), due, job.failures() + 1);
        return this;
    }

    CompletionDraft snoozedUntil(Instant due) {
        outcome = new JobOutcome.Snoozed(Duration.between(endedAt, due));
        next = new Transition.Again(job.run(), job.plannedAt(), due, job.failures());
        return this;
    }

    CompletionDraft awaitingUntil(Instant deadline) {
        outcome = new JobOutcome.Awaited(Duration.between(endedAt, deadline));
        next = new Transition.Again(job.run(), job.plannedAt(), deadline, job.failures(), true);
        return this;
    }

    /** Ends the job as cancelled. An answer also ends the job in this way if a cancellation was requested. */
    CompletionDraft cancelled() {
        next = new Transition.Ended(JobState.CANCELLED);
        return this;
    }

    /** Raises {@code inDoubt}. An answer does the same if another attempt is still under way. */
    CompletionDraft leavingAnAttempt() {
        inDoubtChange = 1;
        return this;
    }

    CompletionDraft failed(String message) {
        return failed(Failure.of("java.lang.IllegalStateException", message));
    }

    CompletionDraft failed(Failure why) {
        failure = why;
        outcome = new JobOutcome.Failed(why, false);
        next = new Transition.Ended(JobState.FAILED);
        return this;
    }

    /** The attempt that timed out may still be running, so {@code inDoubt} rises. */
    CompletionDraft timedOut(Instant due) {
        retryAt(due);
        failure = Failure.of("TimedOut", "took longer than 30 s");
        outcome = new JobOutcome.TimedOut(failure, true);
        inDoubtChange = 1;
        return this;
    }

    CompletionDraft result(String result) {
        job = job.with(job.task().withExtras(job.extras().withResult(result).toText()));
        outcome = new JobOutcome.Succeeded(result);
        return this;
    }

    CompletionDraft leaving(String message) {
        JobLog log = new JobLog(job.attempt(), List.of(new JobLog.Line(StoreScenario.NOW, message)));
        job = job.with(job.task().withExtras(job.extras().withLog(log).toText()));
        return this;
    }

    CompletionDraft keptFor(Duration keepFor) {
        job = job.with(job.task().withExtras(job.extras().withKeepFor(keepFor).toText()));
        return this;
    }

    CompletionDraft expired(Failure why) {
        failure = why;
        outcome = new JobOutcome.Expired(why);
        next = new Transition.Ended(JobState.CANCELLED);
        return this;
    }

    CompletionDraft endedAt(Instant instant) {
        endedAt = instant;
        return this;
    }

    CompletionDraft calledAt(Instant instant) {
        job = job.called(instant);
        return this;
    }

    CompletionDraft dropped() {
        keep = false;
        return this;
    }

    CompletionDraft log(AttemptRecord... lines) {
        log.addAll(List.of(lines));
        return this;
    }

    CompletionDraft logged() {
        return log(new AttemptRecord(
                job.id(),
                job.run(),
                job.attempt(),
                outcome.label(),
                job.owner(),
                job.dueAt(),
                job.startedAt(),
                job.calledAt(),
                endedAt,
                failure));
    }

    long freshToken() {
        return freshToken;
    }

    Completion toCompletion() {
        return new Completion(job, outcome, next, freshToken, endedAt, failure, keep, log, inDoubtChange);
    }
}
