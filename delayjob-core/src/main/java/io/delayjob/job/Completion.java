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
     * Returns the text of extras that this end writes into the history, because the job leaves a result; {@code null}
     * if the extras stay as they are in the row.
     */
    public @Nullable String newExtras() {
        boolean leavesResult = outcome instanceof JobOutcome.Succeeded succeeded && succeeded.result() != null;
        return leavesResult && next instanceof Transition.Ended ? job.task().extras() : null;
    }

    /** Tells whether the job awaits an answer from outside after this end. */
    public boolean awaits() {
        return next instanceof Transition.Again again && again.awaiting();
    }

    /** Tells whether this end leaves the job cancelled. */
    public boolean cancels() {
        return next instanceof Transition.Ended ended && ended.state() == JobState.CANCELLED;
    }

    /** Returns the row as it waits after this completion, or {@code null} if the job has ended. */
    public @Nullable DueRow waitingAfter() {
        return next instanceof Transition.Again again
                ? new DueRow(
                        job.id(), job.partition(), job.name(), again.dueAt().toEpochMilli(), freshToken)
                : null;
    }
}
