package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/**
 * The statements for the outcomes of attempts, the end of jobs, the attempt log, and retention. Immutable and
 * thread-safe.
 */
public abstract class EndSql {

    EndSql() {}

    /**
     * Ends jobs: moves them to the history, or deletes them if they are not kept. Returns the ids of the ended jobs.
     * Skips a job with a requested cancellation if it would end as FAILED. Skips locked jobs.
     */
    public abstract Script endJobs();

    /**
     * Ends jobs like {@link #endJobs()}, but without locking first. Used for jobs of which only state, token and time
     * change: they are FINISHED, without a failure, and kept in the history. The script reads no rows: the number of
     * rows that it changes is the number of ended jobs. Returns null if this saves no work in this database.
     */
    public @Nullable Straight finishStraight() {
        return null;
    }

    /** Ends jobs like {@link #finishStraight()} that are not kept and have no lines in the attempt log. */
    public @Nullable Straight forgetStraight() {
        return null;
    }

    /**
     * Writes jobs that wait for another attempt, unless their cancellation was requested. Skips locked jobs. Returns
     * the ids of the written jobs.
     */
    public abstract Script returnJobs();

    /**
     * Returns id, token and state of jobs in either table, whether a cancellation was requested, run, attempt, rescues,
     * and whether the job awaits an answer.
     */
    public String locate() {
        return """
                SELECT j.id, j.token, j.state, j.cancel_requested, j.run, j.attempt, j.rescues, j.awaiting
                FROM {ids}
                JOIN {job} j ON j.id = u.id
                UNION ALL
                SELECT h.id, h.token, h.state, h.cancel_requested, h.run, h.attempt, h.rescues, FALSE
                FROM {ids}
                JOIN {history} h ON h.id = u.id
                """;
    }

    /** Writes lines of the attempt log. */
    public String insertAttempts() {
        return """
                INSERT INTO {attempt} (job_id, run, attempt, outcome, owner, due_at, started_at, called_at, ended_at,
                    failure_type, failure_message, failure_trace)
                SELECT a.job_id, a.run, a.attempt, a.outcome, a.owner, a.due_at, a.started_at, a.called_at, a.ended_at,
                    a.failure_type, a.failure_message, a.failure_trace
                FROM {attempts}
                """;
    }

    /** Deletes all but the newest lines of these jobs' attempt logs. */
    public abstract String pruneAttempts();

    /**
     * Lowers the column {@code in_doubt} of unfinished jobs. Skips locked jobs. Returns the ids of the changed jobs.
     */
    public abstract Script settleDoubt();

    /**
     * Lowers the column {@code in_doubt} of ended jobs, as {@link #settleDoubt()} does for unfinished jobs. Skips
     * locked jobs, too, because a transaction may be about to retry or end a job.
     */
    public abstract Script settleDoubtInHistory();

    /**
     * Deletes the jobs of a state that ended first, with their log of attempts, and returns their ids. It takes only
     * jobs that are kept for the same number of seconds, or for the general time (0). The index has these jobs side by
     * side. Cancelled jobs with the key of a declared schedule are kept.
     */
    public abstract Script purgeHistory();
}
