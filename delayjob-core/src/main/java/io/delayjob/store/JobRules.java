package io.delayjob.store;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Contains the rules of {@link JobStore} as pure functions. A store may read a job, call one of these functions, and
 * write the returned job. The store may write the job only if the row has not changed since the read. An {@linkplain
 * JobState#isEnded() ended} job belongs in the history. Thread-safe.
 */
public final class JobRules {

    private JobRules() {}

    /** Returns the job as it is after a claim. The caller must have checked the state and the token of the job. */
    public static Job claimed(Job waiting, long owner, long freshToken, Instant now) {
        return JobEdit.of(waiting).claimedBy(owner, freshToken, now).done();
    }

    /**
     * Returns the job as it is after a release. If a cancellation of the job was requested, the returned job has ended.
     * Otherwise, the returned job is waiting.
     */
    public static Job released(Job job, long freshToken, Instant now) {
        return unlessCancelled(JobEdit.of(job).waiting(freshToken).done(), now);
    }

    /**
     * Returns the job as it is after a rescue. If a cancellation of the job was requested, the returned job has ended.
     * Otherwise, the returned job is due now.
     */
    public static Job rescued(Job lost, long freshToken, Instant now) {
        return unlessCancelled(JobEdit.of(lost).waiting(freshToken).rescued(now).done(), now);
    }

    private static Job unlessCancelled(Job job, Instant now) {
        return job.cancelRequested() ? endedAsCancelled(job, now) : job;
    }

    /**
     * Returns the job as it is after an attempt in doubt has ended. The number {@code inDoubt} of the job is lower by
     * one, but never negative.
     */
    public static Job settled(Job job) {
        return JobEdit.of(job).inDoubt(-1).done();
    }

    /** Returns the job as it is after the end of its attempt. The job is waiting for the next attempt, or has ended. */
    public static Job completed(Job job, Completion completion) {
        JobEdit edit = JobEdit.of(job)
                .atRun(completion.job().run(), completion.job().plannedAt())
                .inDoubt(completion.inDoubtChange())
                .token(completion.freshToken());
        if (endsAsCancelled(job, completion)) {
            return ended(edit.inDoubt(completion.awaits() ? 1 : 0), JobState.CANCELLED, completion);
        }
        if (completion.next() instanceof Transition.Ended ended) {
            return ended(edit, ended.state(), completion);
        }
        Transition.Again again = (Transition.Again) completion.next();
        if (!again.retries(completion.job())) {
            edit.atNextRun(again.run(), again.plannedAt());
        }
        String extras = completion.newExtras();
        if (extras != null) {
            edit.extras(extras);
        }
        return edit.waiting(completion.freshToken())
                .awaiting(again.awaiting())
                .dueAgain(again.dueAt(), again.failures())
                .done();
    }

    private static Job ended(JobEdit edit, JobState state, Completion completion) {
        String extras = completion.newExtrasAs(state);
        if (extras != null) {
            edit.extras(extras);
        }
        return edit.ended(state, new JobEnd(completion.job().calledAt(), completion.endedAt(), completion.failure()))
                .done();
    }

    /**
     * Returns the next job of the chain, or {@code null} if there is none. The store writes the row of the next job
     * together with the end of this job. If a row with the next job's id exists already, the store writes no second
     * row.
     *
     * @param job the job before the end of its attempt
     */
    public static @Nullable Job follower(Job job, Completion completion) {
        NewJob follower = endsAsCancelled(job, completion) ? null : completion.follower();
        return follower == null ? null : follower.toJob();
    }

    /** Returns the result of a completion that the store accepts. */
    public static CompletionResult accepted(Job job, Completion completion) {
        return endsAsCancelled(job, completion) ? CompletionResult.ACCEPTED_CANCELLED : CompletionResult.ACCEPTED;
    }

    private static boolean endsAsCancelled(Job job, Completion completion) {
        boolean finished = completion.next() instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
        return job.cancelRequested() && !finished;
    }

    /**
     * Tells whether a job moves to the history when this completion ends the job. Otherwise, the row of the job is
     * deleted.
     */
    public static boolean isKept(Job ended, Completion completion) {
        return completion.keep() || ended.state() == JobState.FAILED;
    }

    /**
     * Returns the result of a completion that the store has not accepted, because the row no longer had the expected
     * token.
     *
     * @param job the job as it is now, unfinished or ended; {@code null} if the job does not exist
     */
    public static CompletionResult notAccepted(@Nullable Job job, Completion completion) {
        if (job == null) {
            return CompletionResult.GONE;
        }
        if (job.token() != completion.freshToken()) {
            boolean superseded = completion.isSupersededIn(job.run(), job.attempt(), job.rescues());
            return superseded ? CompletionResult.SUPERSEDED : CompletionResult.FENCED;
        }
        boolean asSent = completion.next() instanceof Transition.Ended ended
                ? job.state() == ended.state()
                : !job.state().isEnded();
        return asSent ? CompletionResult.ACCEPTED : CompletionResult.ACCEPTED_CANCELLED;
    }

    /**
     * Returns the job as it is after a cancellation. The argument must be an unfinished job. If the job is running, it
     * stays running and gets a request to cancel it. Otherwise, the job ends as {@link JobState#CANCELLED}.
     */
    public static Job cancelled(Job job, Instant now) {
        return job.state() == JobState.RUNNING
                ? JobEdit.of(job).cancelRequested().done()
                : endedAsCancelled(job, now);
    }

    /**
     * Returns the result of the cancellation of a job.
     *
     * @param job the job before the cancellation, unfinished or ended; {@code null} if the job does not exist
     */
    public static CancelResult answerToCancel(@Nullable Job job) {
        if (job == null) {
            return CancelResult.NOT_FOUND;
        }
        if (job.state() == JobState.RUNNING) {
            return CancelResult.RUNNING;
        }
        return job.state().isEnded() && job.state() != JobState.CANCELLED
                ? CancelResult.ALREADY_ENDED
                : CancelResult.ofCancelled(job);
    }

    /** Returns the job as it is after a withdrawal. The argument must be an unfinished job. */
    public static Job withdrawn(Job job, Instant now) {
        return cancelled(JobEdit.of(job).withoutKey().done(), now);
    }

    private static Job endedAsCancelled(Job job, Instant at) {
        return JobEdit.of(job)
                .inDoubt(job.awaiting() ? 1 : 0)
                .ended(JobState.CANCELLED, new JobEnd(job.calledAt(), at, null))
                .done();
    }

    /**
     * Returns the result of a call that reschedules the job. If the job can be {@link #rescheduled}, the result is
     * {@link ChangeResult#CHANGED}.
     */
    public static ChangeResult answerToReschedule(@Nullable Job job) {
        if (job == null) {
            return ChangeResult.NOT_FOUND;
        }
        if (job.state().isEnded()) {
            return ChangeResult.ALREADY_ENDED;
        }
        return job.isUnderWay() ? ChangeResult.RUNNING : ChangeResult.CHANGED;
    }

    /**
     * Returns the result of an answer that another system gives after the end of the job.
     *
     * @param ended the ended job; {@code null} if there is no such job
     */
    public static AnswerResult answerAfterTheEnd(@Nullable Job ended) {
        if (ended == null) {
            return AnswerResult.NOT_FOUND;
        }
        return ended.state() == JobState.CANCELLED ? AnswerResult.CANCELLED : AnswerResult.NOT_AWAITED;
    }

    /** Returns a waiting job with a new due time. */
    public static Job rescheduled(Job job, Instant due, long freshToken) {
        return JobEdit.of(job).movedTo(due, due, freshToken).done();
    }

    /**
     * Returns the result of a call that retries the job. If the job can be {@link #retried}, the result is {@link
     * ChangeResult#CHANGED}. This method does not check whether another unfinished job has the job's key.
     */
    public static ChangeResult answerToRetry(@Nullable Job job) {
        if (job == null) {
            return ChangeResult.NOT_FOUND;
        }
        if (!job.state().isEnded()) {
            return job.isUnderWay() ? ChangeResult.RUNNING : ChangeResult.WAITING;
        }
        return job.state() == JobState.FAILED ? ChangeResult.CHANGED : ChangeResult.ALREADY_ENDED;
    }

    /** Returns the failed job as it is after a retry has moved it back from the history. */
    public static Job retried(Job failed, Instant due, long freshToken) {
        return JobEdit.of(failed).revived(due, freshToken).done();
    }

    /**
     * Returns the failed job as it is after a retry has moved it back from the history. The job leaves its group,
     * because the group has ended.
     */
    public static Job retriedAlone(Job failed, Instant due, long freshToken) {
        return JobEdit.of(failed)
                .extras(failed.extras().withGroup(null).toText())
                .revived(due, freshToken)
                .done();
    }

    /**
     * Returns the running job without its key, which another job has taken. The running job gets no further attempt.
     */
    public static Job deprivedOfItsKey(Job job) {
        return JobEdit.of(job).withoutKey().cancelRequested().done();
    }

    /**
     * Returns the new form of a waiting job. It is replaced or postponed by {@code job}, a new job with the same key.
     */
    public static Job overwritten(Job waiting, NewJob job) {
        JobEdit edit = JobEdit.of(waiting);
        return (job.onExisting() == OnExisting.REPLACE ? edit.replacedBy(job) : edit.postponedBy(job)).done();
    }

    /** Returns the result of a call that changes nothing, because a job with the key or the id exists already. */
    public static Scheduled kept(Job existing) {
        return new Scheduled(
                existing.id(),
                Scheduled.Outcome.KEPT,
                existing.awaitedUntil() == null ? existing.state() : JobState.AWAITING);
    }
}
