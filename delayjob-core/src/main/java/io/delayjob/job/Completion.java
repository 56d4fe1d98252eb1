package io.delayjob.job;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contains the outcome of an attempt, and the values that the store must write for it. If the store's reply is lost,
 * the completion may be sent again. By the fresh token, the store knows whether it has already applied the completion.
 *
 * @param job the job as claimed, with the run that the attempt has made and the time at which the handler was called.
 *     The completion is accepted only if the row still has this job's token
 * @param outcome the outcome of the attempt
 * @param next the row's next state. If a cancellation was requested during the attempt and the next state is not {@link
 *     JobState#FINISHED}, the store writes {@link JobState#CANCELLED} instead
 * @param freshToken the row's new token; no other completion has it
 * @param endedAt store time at the end of the attempt
 * @param failure the reason for a failure, or {@code null}
 * @param keep whether the history keeps the job if it ends. The history always keeps a job that ends as {@link
 *     JobState#FAILED}
 * @param log lines for the attempt log
 * @param inDoubtChange change of {@link Job#inDoubt()}
 */
public record Completion(
        Job job,
        JobOutcome outcome,
        Transition next,
        long freshToken,
        Instant endedAt,
        @Nullable Failure failure,
        boolean keep,
        List<AttemptRecord> log,
        int inDoubtChange) {

    /**
     * Creates the completion of an attempt that was not ended by an answer from outside. If the attempt has timed out,
     * it may still be under way after this completion.
     */
    public Completion(
            Job job,
            JobOutcome outcome,
            Transition next,
            long freshToken,
            Instant endedAt,
            @Nullable Failure failure,
            boolean keep,
            List<AttemptRecord> log) {
        this(
                job,
                outcome,
                next,
                freshToken,
                endedAt,
                failure,
                keep,
                log,
                outcome instanceof JobOutcome.TimedOut ? 1 : 0);
    }

    /**
     * Tells whether the store has already accepted another completion of the same attempt, for example because of an
     * answer from outside. The arguments are the values of the row that has refused this completion. If the result is
     * {@code true}, no later attempt has been claimed, and the row was not rescued.
     *
     * @param run the row's run
     * @param attempt the row's attempt
     * @param rescues the row's rescues
     */
    public boolean isSupersededIn(int run, int attempt, int rescues) {
        return attempt == job.attempt() && (run > job.run() || rescues == job.rescues());
    }

    /**
     * Returns the new text of the row's extras. The completion may change the result, the log, the follower, or how
     * long the job is kept. Returns {@code null} if the extras of the row do not change.
     */
    public @Nullable String newExtras() {
        NewJob follower = follower();
        if (follower != null) {
            return job.extras().followedBy(follower).toText();
        }
        boolean leavesResult = next instanceof Transition.Ended
                && outcome instanceof JobOutcome.Succeeded succeeded
                && succeeded.result() != null;
        return leavesResult || leavesLog() || statesKeepFor() ? job.task().extras() : null;
    }

    /**
     * Returns the new text of the row's extras if the job ends in this state; {@code null} if the extras do not change.
     * If the job's cancellation was requested, the job may end in another state than the attempt decided. In that case,
     * only the log of the attempt is new in the text.
     */
    public @Nullable String newExtrasAs(JobState state) {
        return endsAs(state) ? newExtras() : leavesLog() ? job.task().extras() : null;
    }

    /**
     * Tells whether this attempt leaves log lines in the row. Lines of an earlier attempt have the number of that
     * attempt, and do not count.
     */
    private boolean leavesLog() {
        if (job.task().extras() == null || !keep) {
            return false;
        }
        JobLog lines = job.log();
        return lines != null && lines.attempt() == job.attempt();
    }

    /**
     * If a job awaits an answer, its row must state how long the job is kept. The reason is that the instance that
     * accepts the answer may not know the handler.
     */
    private boolean statesKeepFor() {
        boolean mayApply = awaits() || keep && endsAs(JobState.FINISHED);
        return mayApply && JobExtras.keepForOf(job.task().extras()) != null;
    }

    /**
     * Returns the next job of the chain; {@code null} if there is no next job. The row of the next job is written in
     * the same transaction as the end of this job. The next job is due when this job ends. The partitions of both jobs
     * have the same index, but may be in different queues. The token of the next job is the fresh token of this
     * completion.
     */
    public @Nullable NewJob follower() {
        if (job.task().extras() == null || !(next instanceof Transition.Ended ended)) {
            return null;
        }
        List<ChainStep> steps = job.extras().steps();
        if (steps.isEmpty() || !steps.get(0).follows(ended.state())) {
            return null;
        }
        ChainStep step = steps.get(0);
        String extras = job.extras().ofFollower(job.id()).toText();
        return new NewJob(
                step.id(),
                new Partition(step.queue(), job.partition().index()),
                new JobTask(step.name(), null, step.payload(), null, job.trace(), extras),
                JobPlan.once(endedAt, endedAt),
                OnExisting.KEEP,
                freshToken);
    }

    /** Tells whether the job awaits an answer from outside after this completion. */
    public boolean awaits() {
        return next instanceof Transition.Again again && again.awaiting();
    }

    /** Tells whether this completion ends the job, with this state as the final state. */
    public boolean endsAs(JobState state) {
        return next instanceof Transition.Ended ended && ended.state() == state;
    }

    /** Tells whether this completion ends the job as cancelled. */
    public boolean cancels() {
        return endsAs(JobState.CANCELLED);
    }

    /**
     * Returns the row that waits after this completion. If the completed job waits again, this is its own row. If the
     * completed job has ended, this is the row of its follower. Returns {@code null} if no row waits.
     */
    public @Nullable DueRow waitingAfter() {
        if (next instanceof Transition.Again again) {
            return new DueRow(
                    job.id(),
                    job.partition(),
                    job.name(),
                    again.dueAt().toEpochMilli(),
                    freshToken,
                    job.task().keys());
        }
        NewJob follower = follower();
        return follower == null ? null : follower.toDueRow();
    }
}
