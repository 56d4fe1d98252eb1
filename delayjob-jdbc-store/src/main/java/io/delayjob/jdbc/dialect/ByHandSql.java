package io.delayjob.jdbc.dialect;

/** What a person or an application does to one job. Each statement runs in any transaction. Immutable and thread-safe. */
public abstract class ByHandSql {

    ByHandSql() {}

    /** Locks an unfinished job and answers it. */
    public String lockJob() {
        return """
                SELECT {job_columns}
                FROM {job}
                WHERE id = :id
                FOR UPDATE
                """;
    }

    /** Locks the unfinished job of a key and answers it. */
    public String lockKey() {
        return """
                SELECT {job_columns}
                FROM {job}
                WHERE name = :name AND job_key = :key
                FOR UPDATE
                """;
    }

    /** Asks that no attempt follows the running one. */
    public String requestCancel() {
        return """
                UPDATE {job}
                SET cancel_requested = TRUE
                WHERE id = :id
                """;
    }

    /** Takes its key from a job that the transaction has locked. */
    public String dropKey() {
        return """
                UPDATE {job}
                SET job_key = NULL
                WHERE id = :id
                """;
    }

    /** Moves a waiting job that the transaction has locked; the plan moves along unless it is between retries. */
    public String reschedule() {
        return """
                UPDATE {job}
                SET due_at = :dueAt,
                    planned_at = CASE WHEN failures = 0 AND rescues = 0 THEN :dueAt ELSE planned_at END,
                    token = :freshToken
                WHERE id = :id
                """;
    }

    /** Locks a failed job in the history, if it is there, and answers its id: nobody else revives it meanwhile. */
    public String lockFailed() {
        return """
                SELECT id
                FROM {history}
                WHERE id = :id AND state = {failed}
                FOR UPDATE
                """;
    }

    /** Brings a locked failed job back from the history unless its key is taken; answers it as a due row. */
    public abstract Script reviveJob();

    /** Deletes one job of the history, but not its attempts. */
    public String deleteFromHistory() {
        return """
                DELETE FROM {history}
                WHERE id = :id
                """;
    }
}
