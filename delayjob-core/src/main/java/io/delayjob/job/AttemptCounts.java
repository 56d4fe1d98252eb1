package io.delayjob.job;

/**
 * The attempts of a job, in numbers. Immutable.
 *
 * @param attempt claims of the job so far, over all its runs, this one included: numbers may be skipped, but never fall
 *     and never come again, so that (id, attempt) names an attempt for ever
 * @param failures failed and lost attempts of this run, as the retry policy counts them, before the attempt that ended
 *     the job
 * @param rescues how many of these were lost with their instance
 * @param inDoubt attempts, of any run, that may still be under way somewhere although the row moved on; never negative
 */
public record AttemptCounts(int attempt, int failures, int rescues, int inDoubt) {

    /** No attempt was made. */
    public static final AttemptCounts NONE = new AttemptCounts(0, 0, 0, 0);

    /** One more claim. */
    public AttemptCounts claimed() {
        return new AttemptCounts(attempt + 1, failures, rescues, inDoubt);
    }

    /** One more attempt that was lost with its instance: it failed, and may still be under way. */
    public AttemptCounts rescued() {
        return new AttemptCounts(attempt, failures + 1, rescues + 1, inDoubt + 1);
    }

    /** The same run with so many failures. */
    public AttemptCounts failed(int failuresOfRun) {
        return new AttemptCounts(attempt, failuresOfRun, rescues, inDoubt);
    }

    /** Another run, or the same one once more from its beginning: claims and doubt stay. */
    public AttemptCounts ofNewRun() {
        return new AttemptCounts(attempt, 0, 0, inDoubt);
    }

    /** So many more attempts in doubt; less than none becomes none. */
    public AttemptCounts inDoubt(int change) {
        return new AttemptCounts(attempt, failures, rescues, Math.max(0, inDoubt + change));
    }

    /** Whether no attempt of this run has ended or been lost so far. */
    boolean isFirstAttemptOfRun() {
        return failures == 0 && rescues == 0;
    }
}
