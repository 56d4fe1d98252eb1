package io.delayjob.job;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt, as it is written. It may be sent again when its answer was lost: the fresh token tells the
 * store that it was applied already.
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
 */
public record Completion(
        Job job,
        JobOutcome outcome,
        Transition next,
        long freshToken,
        Instant endedAt,
        @Nullable Failure failure,
        boolean keep,
        List<AttemptRecord> log) {

    /** Returns the change of {@link Job#inDoubt()}: an attempt that outlived its time-out may still be under way. */
    public int inDoubtChange() {
        return outcome instanceof JobOutcome.TimedOut ? 1 : 0;
    }

    /** Returns the row as it waits after this completion, or {@code null} if the job has ended. */
    public @Nullable DueRow waitingAfter() {
        return next instanceof Transition.Again again
                ? new DueRow(
                        job.id(), job.partition(), job.name(), again.dueAt().toEpochMilli(), freshToken)
                : null;
    }
}
