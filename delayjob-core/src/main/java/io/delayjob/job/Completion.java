package io.delayjob.job;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt, as it is to be written. May be sent again when its answer was lost: the fresh token tells the
 * store that it was applied already.
 *
 * @param job the job as it was claimed, at the run that was in fact made, and with the time of its handler's call; its
 *     token is the fence
 * @param outcome how the attempt ended
 * @param next what becomes of the row; if a cancellation was requested meanwhile, only {@link JobState#FINISHED} stands
 * @param freshToken the row's token afterwards
 * @param endedAt store time at the end of the attempt
 * @param failure why it failed; {@code null} when it did not
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

    /** What it changes in {@link Job#inDoubt()}: an attempt that outlived its time-out may still be under way. */
    public int inDoubtChange() {
        return outcome instanceof JobOutcome.TimedOut ? 1 : 0;
    }

    /** The row as it waits after this completion, if it does. */
    public @Nullable DueRow waitingAfter() {
        return next instanceof Transition.Again again
                ? new DueRow(
                        job.id(), job.partition(), job.name(), again.dueAt().toEpochMilli(), freshToken)
                : null;
    }
}
