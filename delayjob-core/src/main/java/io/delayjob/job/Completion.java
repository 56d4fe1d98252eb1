package io.delayjob.job;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an attempt, and the values that the store must write for it. If the store's reply is lost, the
 * completion may be sent again. The fresh token tells the store whether it has already applied the completion.
 *
 * @param job the job as it was claimed. It also contains the run of this attempt and the time of the handler's call.
 *     The completion is accepted only if the row still has this job's token
 * @param next the row's next state. If a cancellation was requested and this state is not {@link JobState#FINISHED},
 *     the store writes {@link JobState#CANCELLED} instead
 * @param freshToken the row's new token, which no other completion has
 * @param endedAt store time at the end of the attempt
 * @param failure the reason for a failure, or {@code null}
 * @param keep whether the history keeps the ended job. A job that ends as {@link JobState#FAILED} is always kept
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
     * Creates the completion of an attempt that was not ended by an answer from outside. After a timeout, the attempt
     * counts as in doubt.
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
     * Tells whether the store has already accepted another completion of this attempt, such as an answer from outside.
     * This method is called after the store has refused this completion. The arguments are the values in the job's row.
     * If the result is {@code true}, no later attempt was claimed, and the row was not rescued.
     */
    public boolean isSupersededIn(int run, int attempt, int rescues) {
        return attempt == job.attempt() && (run > job.run() || rescues == job.rescues());
    }

    /** Returns the new text of the row's extras; {@code null} if the extras do not change. */
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
     * Returns the new text of the row's extras if the job ends in this state. Returns {@code null} if the extras do not
     * change. A requested cancellation can end the job in another state than {@link #next()}. The extras then change
     * only if the attempt has logged lines.
     */
    public @Nullable String newExtrasAs(JobState state) {
        return endsAs(state) ? newExtras() : leavesLog() ? job.task().extras() : null;
    }

    /** Log lines have the number of their attempt, so that lines of an earlier attempt are recognized. */
    private boolean leavesLog() {
        if (job.task().extras() == null || !keep) {
            return false;
        }
        JobLog lines = job.log();
        return lines != null && lines.attempt() == job.attempt();
    }

    /** The instance that accepts an answer may not know the handler, so the row states the retention time. */
    private boolean statesKeepFor() {
        boolean mayApply = awaits() || keep && endsAs(JobState.FINISHED);
        return mayApply && JobExtras.keepForOf(job.task().extras()) != null;
    }

    /**
     * Returns the next job of the chain; {@code null} if there is none. The next job's row is written in the same
     * transaction as the end of this job. The next job is due at once. The next job's partition has the same index as
     * this job's partition, but the queue may be another. The next job's token is the fresh token of this completion.
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

    /** Tells whether the job ends with this completion and then has this state. */
    public boolean endsAs(JobState state) {
        return next instanceof Transition.Ended ended && ended.state() == state;
    }

    /** Tells whether this completion ends the job as cancelled. */
    public boolean cancels() {
        return endsAs(JobState.CANCELLED);
    }

    /**
     * Returns the row that waits after this completion: the job's own row, or the row of its follower. Returns
     * {@code null} if no row waits.
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
