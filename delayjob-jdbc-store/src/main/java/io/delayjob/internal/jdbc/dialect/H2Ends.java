package io.delayjob.internal.jdbc.dialect;

import java.util.List;

final class H2Ends extends EndSql {

    /** The rows are deleted by {@code MERGE}, because a {@code DELETE} would read the whole batch for each row. */
    @Override
    public Script endJobs() {
        return new Script(H2Dialect.LOCK_IDS, List.of("""
                        INSERT INTO {history} ({history_columns})
                        SELECT j.id, j.partition_id, j.name, j.job_key,
                            CASE WHEN e.state = {failed} THEN j.payload END,
                            j.schedule, j.retry, j.trace, e.state, e.fresh_token, j.scheduled_at, e.planned_at, j.due_at,
                            e.run, j.attempt, j.failures, j.rescues, GREATEST(0, j.in_doubt + e.doubt),
                            j.cancel_requested, j.started_at, e.called_at, e.ended_at,
                            e.failure_type, e.failure_message, e.failure_trace, COALESCE(e.extras, j.extras),
                            e.keep_seconds
                        FROM {locked_ended_jobs}
                        WHERE e.keep
                        """, """
                        MERGE INTO {attempt} a
                        USING (SELECT j.id FROM {locked_ended_jobs} WHERE NOT e.keep) o
                        ON a.job_id = o.id
                        WHEN MATCHED THEN DELETE
                        """), """
                SELECT id
                FROM OLD TABLE (
                    MERGE INTO {job} j
                    USING (SELECT j.id FROM {locked_ended_jobs}) o
                    ON j.id = o.id
                    WHEN MATCHED THEN DELETE
                )
                """);
    }

    @Override
    public Script returnJobs() {
        return Script.locking(H2Dialect.LOCK_IDS, """
                SELECT id
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {locked_returns}) r
                    ON j.id = r.id AND j.token = r.token AND NOT j.cancel_requested
                    WHEN MATCHED THEN UPDATE
                    SET state = {delayed}, owner = 0, token = r.fresh_token, run = r.run, planned_at = r.planned_at,
                        due_at = r.due_at, failures = r.failures, awaiting = r.awaiting,
                        rescues = CASE WHEN r.new_run THEN 0 ELSE j.rescues END,
                        in_doubt = GREATEST(0, j.in_doubt + r.doubt), extras = COALESCE(r.extras, j.extras)
                )
                """);
    }

    @Override
    public Script settleDoubt() {
        return Script.locking(H2Dialect.LOCK_IDS, """
                SELECT id
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {locked}) l
                    ON j.id = l.id
                    WHEN MATCHED THEN UPDATE
                    SET in_doubt = GREATEST(0, j.in_doubt - :by)
                )
                """);
    }

    @Override
    public Script settleDoubtInHistory() {
        return Script.locking("""
                SELECT h.id
                FROM {ids}
                JOIN {history} h ON h.id = u.id
                FOR UPDATE SKIP LOCKED
                """, """
                SELECT id
                FROM FINAL TABLE (
                    MERGE INTO {history} h
                    USING (SELECT * FROM {locked}) l
                    ON h.id = l.id
                    WHEN MATCHED THEN UPDATE
                    SET in_doubt = GREATEST(0, h.in_doubt - :by)
                )
                """);
    }

    /** The newest line to delete is read once for each job. */
    @Override
    public String pruneAttempts() {
        return """
                MERGE INTO {attempt} a
                USING (
                    SELECT u.id AS job_id, (
                        SELECT n.id FROM {attempt} n WHERE n.job_id = u.id ORDER BY n.id DESC LIMIT 1 OFFSET :keep
                    ) AS newest
                    FROM {ids}
                ) o
                ON a.job_id = o.job_id AND a.id <= o.newest
                WHEN MATCHED THEN DELETE
                """;
    }

    @Override
    public Script purgeHistory() {
        return Script.locking("""
                SELECT id
                FROM {history}
                WHERE state = :state AND keep_seconds = :keepSeconds AND ended_at < :before
                    AND (state <> {cancelled} OR job_key IS NULL OR job_key <> :declaredKey)
                ORDER BY ended_at
                LIMIT :limit
                FOR UPDATE
                """, """
                MERGE INTO {attempt} a
                USING (SELECT * FROM {locked}) l
                ON a.job_id = l.id
                WHEN MATCHED THEN DELETE
                """, """
                SELECT id
                FROM OLD TABLE (
                    MERGE INTO {history} h
                    USING (SELECT * FROM {locked}) l
                    ON h.id = l.id
                    WHEN MATCHED THEN DELETE
                )
                """);
    }
}
