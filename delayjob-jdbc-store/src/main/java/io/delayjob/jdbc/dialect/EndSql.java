package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/**
 * The statements for the outcomes of attempts, the end of jobs, the attempt log, and retention. Immutable and
 * thread-safe.
 */
public abstract class EndSql {

    EndSql() {}

    /**
     * Ends jobs. The script moves jobs to the history if they are kept, and deletes the other jobs. It returns the ids
     * of the ended jobs. The script skips locked jobs. If the cancellation of a job was requested, and the job would
     * end as FAILED, the script skips this job, too.
     */
    public abstract Script endJobs();

    /**
     * Ends jobs like {@link #endJobs()}, but does not lock the rows first. It is used for jobs that finished without a
     * failure and stay in the history. Only state, token and time of such a job change. The script returns no rows. The
     * number of rows that it changes is the number of ended jobs. The method returns {@code null} if this database
     * saves no work by leaving out the locks.
     */
    public @Nullable Straight finishStraight() {
        return null;
    }

    /** Ends jobs like {@link #finishStraight()}. The ended jobs are not kept, and have no lines in the attempt log. */
    public @Nullable Straight forgetStraight() {
        return null;
    }

    /**
     * Writes the jobs that must wait for another attempt. The script leaves out a job if its cancellation was
     * requested, or if its row is locked. It returns the ids of the written jobs.
     */
    public abstract Script returnJobs();

    /**
     * Returns facts about unfinished and ended jobs: id, token, state, whether a cancellation was requested, run,
     * attempt, rescues, and whether the job awaits an answer.
     */
    public String locate() {
        return """
                SELECT j.id, j.token, j.state, j.cancel_requested, j.run, j.attempt, j.rescues, j.awaiting
                FROM {ids}
                JOIN {job} j ON j.id = u.id
                UNION ALL
                """ + locateEnded();
    }

    /** Like {@link #locate()}, but reads only the history, and so returns only ended jobs. */
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

    /** Deletes the old lines of these jobs' attempt logs, and keeps the newest. */
    public abstract String pruneAttempts();

    /**
     * Reduces the column {@code in_doubt} of unfinished jobs, and returns the ids of the changed jobs. The statement
     * skips locked jobs.
     */
    public abstract Script settleDoubt();

    /**
     * Reduces the column {@code in_doubt} of ended jobs, as {@link #settleDoubt()} does for unfinished jobs. The
     * statement skips each locked job, because another transaction may just be retrying or ending it.
     */
    public abstract Script settleDoubtInHistory();

    /**
     * Deletes the oldest ended jobs of a state, with their attempt logs, and returns their ids. All jobs that one
     * statement deletes have the same retention time, in seconds; 0 stands for the general time. Jobs with the same
     * retention time are next to each other in the index. Cancelled jobs with the key of a declared schedule are kept.
     */
    public abstract Script purgeHistory();
}
