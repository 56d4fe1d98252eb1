package io.delayjob.internal.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/**
 * The statements for the outcomes of attempts, the end of jobs, the attempt log, and retention. Immutable and
 * thread-safe.
 */
public abstract class EndSql {

    EndSql() {}

    /**
     * Ends jobs, and returns their ids. A job that is kept moves to the history. Any other job is deleted. The script
     * skips locked jobs. If a job would end as FAILED, but its cancellation was requested, the script skips this job,
     * too.
     */
    public abstract Script endJobs();

    /**
     * Ends jobs as FINISHED, and moves them to the history. Unlike {@link #endJobs()}, the script does not lock the
     * rows first. The number of changed rows is the number of ended jobs. Returns {@code null} if {@link #endJobs()} is
     * just as cheap in this database.
     */
    public @Nullable Straight finishStraight() {
        return null;
    }

    /**
     * Ends jobs like {@link #finishStraight()}, but keeps no row of them. These jobs have no lines in the attempt log.
     */
    public @Nullable Straight forgetStraight() {
        return null;
    }

    /**
     * Writes the jobs that must wait for another attempt, and returns the ids of these jobs. The script skips locked
     * jobs, and jobs whose cancellation was requested.
     */
    public abstract Script returnJobs();

    /**
     * Returns id, token, state, requested cancellation, run, attempt, rescues and awaited answer of unfinished and
     * ended jobs.
     */
    public String locate() {
        return """
                SELECT j.id, j.token, j.state, j.cancel_requested, j.run, j.attempt, j.rescues, j.awaiting
                FROM {ids}
                JOIN {job} j ON j.id = u.id
                UNION ALL
                """ + locateEnded();
    }

    /** Like {@link #locate()}, but reads only the history. */
    public String locateEnded() {
        return """
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

    /** Deletes the old lines of these jobs' attempt logs. */
    public abstract String pruneAttempts();

    /**
     * Reduces {@code in_doubt} of unfinished jobs, and returns the ids of the changed jobs. The statement skips locked
     * jobs.
     */
    public abstract Script settleDoubt();

    /** Reduces {@code in_doubt} of ended jobs, like {@link #settleDoubt()}. */
    public abstract Script settleDoubtInHistory();

    /**
     * Deletes the oldest ended jobs of a state, with their attempt logs, and returns their ids. All these jobs have the
     * same retention time, in seconds. The value 0 means the general retention time. Cancelled jobs of declared
     * schedules are kept.
     */
    public abstract Script purgeHistory();
}
