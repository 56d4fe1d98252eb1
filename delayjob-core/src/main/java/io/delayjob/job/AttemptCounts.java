package io.delayjob.job;

/**
 * The numbers of a job's attempts. Immutable.
 *
 * @param attempt number of claims of the job so far, over all its runs, including this one. The claim of a job that
 *     awaits an answer is not counted, because it calls no handler. Numbers may be skipped, but never fall and never come
 *     again, so (id, attempt) names an attempt for ever
 * @param failures number of failed and lost attempts of this run, as the retry policy counts them, before the attempt
 *     that ended the job
 * @param rescues number of these attempts that were lost with their instance
 * @param inDoubt number of attempts, of any run, that may still be under way although the row has changed since; never
 *     negative
 */
public record AttemptCounts(int attempt, int failures, int rescues, int inDoubt) {

    /** Counts of a job without any attempt. */
    public static final AttemptCounts NONE = new AttemptCounts(0, 0, 0, 0);

    /** Returns the counts after one more claim of a job that does not await an answer. */
    public AttemptCounts claimed() {
        return new AttemptCounts(attempt + 1, failures, rescues, inDoubt);
    }

    /** Returns the counts after one more attempt was lost with its instance: it failed, and may still be under way. */
    public AttemptCounts rescued() {
        return new AttemptCounts(attempt, failures + 1, rescues + 1, inDoubt + 1);
    }

    /** Returns the counts of the same run with this number of failures. */
    public AttemptCounts failed(int failuresOfRun) {
        return new AttemptCounts(attempt, failuresOfRun, rescues, inDoubt);
    }

    /** Returns the counts of another run, or of the same run started over. Claims and doubt stay. */
    public AttemptCounts ofNewRun() {
        return new AttemptCounts(attempt, 0, 0, inDoubt);
    }

    /** Returns the counts after this change of the attempts in doubt, which never fall below zero. */
    public AttemptCounts inDoubt(int change) {
        return new AttemptCounts(attempt, failures, rescues, Math.max(0, inDoubt + change));
    }

    /** Tells whether no attempt of this run has ended or been lost so far. */
    boolean isFirstAttemptOfRun() {
        return failures == 0 && rescues == 0;
    }
}
