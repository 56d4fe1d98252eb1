package io.delayjob.internal.jdbc.dialect;

/**
 * The SQL for changes by people and applications. Each statement can run in any transaction. Immutable and thread-safe.
 */
public abstract class ByHandSql {

    ByHandSql() {}

    /** Locks an unfinished job and returns it. */
    public String lockJob() {
        return """
                SELECT {job_columns}
                FROM {job}
                WHERE id = :id
                FOR UPDATE
                """;
    }

    /** Locks the unfinished job of a key and returns it. */
    public String lockKey() {
        return """
                SELECT {job_columns}
                FROM {job}
                WHERE name = :name AND job_key = :key
                FOR UPDATE
                """;
    }

    /** Requests the cancellation of a running job, so that no further attempt follows. */
    public String requestCancel() {
        return """
                UPDATE {job}
                SET cancel_requested = TRUE
                WHERE id = :id
                """;
    }

    /** Removes the key of a job that the transaction has locked. */
    public String dropKey() {
        return """
                UPDATE {job}
                SET job_key = NULL
                WHERE id = :id
                """;
    }

    /**
     * Changes the due time of a locked waiting job. Unless the job waits for a retry, its planned time changes, too.
     */
    public String reschedule() {
        return """
                UPDATE {job}
                SET due_at = :dueAt,
                    planned_at = CASE WHEN failures = 0 AND rescues = 0 THEN :dueAt ELSE planned_at END,
                    token = :freshToken
                WHERE id = :id
                """;
    }

    /**
     * Locks the failed job with this id in the history, so that no other transaction can retry it. Returns id and
     * extras.
     */
    public String lockFailed() {
        return """
                SELECT id, extras
                FROM {history}
                WHERE id = :id AND state = {failed}
                FOR UPDATE
                """;
    }

    /** Moves a locked failed job back from the history, if its key is free. Returns the job as a due row. */
    public abstract Script reviveJob();

    /** Locks the unfinished jobs among the given jobs and returns them. */
    public String lockJobs() {
        return """
                SELECT {job_columns}
                FROM {job}
                WHERE id = ANY(CAST(:id AS UUID ARRAY))
                ORDER BY id
                FOR UPDATE
                """;
    }

    /** Changes the due times of many jobs, as {@link #reschedule()} does for one job. */
    public abstract String rescheduleJobs();

    /**
     * Locks the given jobs in the history. Some dialects lock only the failed jobs among these jobs. Returns id, name,
     * key, state and extras.
     */
    public String lockEnded() {
        return """
                SELECT id, name, job_key, state, extras
                FROM {history}
                WHERE id = ANY(CAST(:id AS UUID ARRAY))
                ORDER BY id
                FOR UPDATE
                """;
    }

    /** Moves many jobs with different keys back from the history, as {@link #reviveJob()} does for one job. */
    public abstract Script reviveJobs();

    /** Deletes many jobs like {@link #deleteFromHistory()}. */
    public String deleteAllFromHistory() {
        return """
                DELETE FROM {history}
                WHERE id = ANY(CAST(:id AS UUID ARRAY))
                """;
    }

    /** Deletes one job of the history, but not its attempt log. */
    public String deleteFromHistory() {
        return """
                DELETE FROM {history}
                WHERE id = :id
                """;
    }
}
