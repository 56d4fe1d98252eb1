package io.delayjob.job;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt, as it is written. If its answer was lost, it may be sent again, because the fresh token shows
 * the store whether it was already applied.
 *
 * @param job the job as claimed, with the run that was actually made and the time of its handler's call; its
 *     token is the fence
 * @param outcome the outcome of the attempt
 * @param next the row's next state; if a cancellation was requested meanwhile, only {@link JobState#FINISHED}
 *     remains
 * @param freshToken the row's new token
 * @param endedAt store time at the end of the attempt
 * @param failure the reason for a failure, or {@code null}
 * @param keep whether a row goes into the history when the job ends; {@link JobState#FAILED} is always kept
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

    /** Creates the end of an attempt by itself. Only an attempt that outlived its time-out may still be under way. */
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
     * Tells, from a row that refuses this end, whether another end of the same attempt was accepted, such as an answer
     * from outside. In that case no other attempt has been claimed since, and the row was not rescued.
     *
     * @param run the row's run
     * @param attempt the row's attempt
     * @param rescues the row's rescues
     */
    public boolean isSupersededIn(int run, int attempt, int rescues) {
        return attempt == job.attempt() && (run > job.run() || rescues == job.rescues());
    }

    /**
     * Returns the text of extras that this end writes into the history, because the job leaves a result or a follower;
     * {@code null} if the extras stay as they are in the row.
     */
    public @Nullable String newExtras() {
        NewJob follower = follower();
        if (follower != null) {
            return job.extras().followedBy(follower).toText();
        }
        boolean leavesResult = outcome instanceof JobOutcome.Succeeded succeeded && succeeded.result() != null;
        return leavesResult && next instanceof Transition.Ended ? job.task().extras() : null;
    }

    /**
     * Returns the next job of the chain, whose row this end writes in the same step; {@code null} if there is none. It
     * is due at the end of this job. It lies in the partition of this job, or in the partition of the same index of
     * another queue. Its token is the fresh token of this end, which no other row of its id has had.
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

    /** Tells whether the job awaits an answer from outside after this end. */
    public boolean awaits() {
        return next instanceof Transition.Again again && again.awaiting();
    }

    /** Tells whether this end leaves the job in this ended state. */
    public boolean endsAs(JobState state) {
        return next instanceof Transition.Ended ended && ended.state() == state;
    }

    /** Tells whether this end leaves the job cancelled. */
    public boolean cancels() {
        return endsAs(JobState.CANCELLED);
    }

    /**
     * Returns the row that waits after this completion: the row of its job or, if the job has ended, the row of its
     * follower; {@code null} if there is none.
     */
    public @Nullable DueRow waitingAfter() {
        if (next instanceof Transition.Again again) {
            return new DueRow(
                    job.id(), job.partition(), job.name(), again.dueAt().toEpochMilli(), freshToken);
        }
        NewJob follower = follower();
        return follower == null ? null : follower.toDueRow();
    }
}
