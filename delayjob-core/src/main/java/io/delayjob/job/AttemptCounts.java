package io.delayjob.job;

/**
 * Contains the counts of a job's attempts. Immutable.
 *
 * @param attempt number of claims of the job so far, in all its runs. A claim of a job that awaits an answer is not
 *     counted. This number never becomes lower. The pair (id, attempt) identifies one attempt
 * @param failures number of failed and lost attempts of this run, as the retry policy counts them. The attempt that
 *     ended the job is not counted
 * @param rescues number of lost attempts among these failures. An attempt is lost if its instance died or stopped
 *     sending heartbeats
 * @param inDoubt number of attempts that count as ended, but may still be under way. Attempts of all runs are counted.
 *     This number is never negative
 */
public record AttemptCounts(int attempt, int failures, int rescues, int inDoubt) {

    /** Counts of a job without any attempt. */
    public static final AttemptCounts NONE = new AttemptCounts(0, 0, 0, 0);

    /** Returns the counts after one more claim of a job that does not await an answer. */
    public AttemptCounts claimed() {
        return new AttemptCounts(attempt + 1, failures, rescues, inDoubt);
    }

    /**
     * Returns the counts after an attempt was lost with its instance. The lost attempt counts as failed, and may still
     * be under way.
     */
    public AttemptCounts rescued() {
        return new AttemptCounts(attempt, failures + 1, rescues + 1, inDoubt + 1);
    }

    /** Returns a copy in which {@code failures} has this value. */
    public AttemptCounts failed(int failuresOfRun) {
        return new AttemptCounts(attempt, failuresOfRun, rescues, inDoubt);
    }

    /** Returns the counts for the next run, or for a fresh start of this run. Failures and rescues are 0. */
    public AttemptCounts ofNewRun() {
        return new AttemptCounts(attempt, 0, 0, inDoubt);
    }

    /** Returns a copy with this number added to {@code inDoubt}. A negative sum becomes 0. */
    public AttemptCounts inDoubt(int change) {
        return new AttemptCounts(attempt, failures, rescues, Math.max(0, inDoubt + change));
    }

    boolean isFirstAttemptOfRun() {
        return failures == 0 && rescues == 0;
    }
}
