package io.delayjob.internal.jdbc.dialect;

import java.util.List;

final class H2Ends extends EndSql {

    /**
     * The INSERT and the first DELETE compare the locked ids with the ids of the batch, and not with the ids of the
     * table. Otherwise, H2 would read the whole batch for each row of the table.
     */
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
                        FROM {ended_jobs}
                        WHERE e.keep AND e.id = ANY(CAST(:locked AS UUID ARRAY))
                        """, """
                        DELETE FROM {attempt}
                        WHERE job_id IN (
                            SELECT j.id
                            FROM {ended_jobs}
                            WHERE NOT e.keep AND e.id = ANY(CAST(:locked AS UUID ARRAY))
                        )
                        """), """
                SELECT id
                FROM OLD TABLE (
                    DELETE FROM {job}
                    WHERE id IN (SELECT j.id FROM {ended_jobs}) AND id = ANY(CAST(:locked AS UUID ARRAY))
                )
                """);
    }

    @Override
    public Script returnJobs() {
        return Script.locking(H2Dialect.LOCK_IDS, """
                SELECT id
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {returns}) r
                    ON j.id = r.id AND j.token = r.token AND NOT j.cancel_requested
                        AND j.id = ANY(CAST(:locked AS UUID ARRAY))
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
                    UPDATE {job}
                    SET in_doubt = GREATEST(0, in_doubt - :by)
                    WHERE id = ANY(CAST(:locked AS UUID ARRAY))
                )
                """);
    }

    @Override
    public Script settleDoubtInHistory() {
        return Script.locking("""
                SELECT id
                FROM {history}
                WHERE id = ANY(CAST(:id AS UUID ARRAY))
                FOR UPDATE SKIP LOCKED
                """, """
                SELECT id
                FROM FINAL TABLE (
                    UPDATE {history}
                    SET in_doubt = GREATEST(0, in_doubt - :by)
                    WHERE id = ANY(CAST(:locked AS UUID ARRAY))
                )
                """);
    }

    @Override
    public String pruneAttempts() {
        return """
                DELETE FROM {attempt} a
                WHERE a.job_id = ANY(CAST(:id AS UUID ARRAY)) AND a.id <= (
                    SELECT n.id FROM {attempt} n WHERE n.job_id = a.job_id ORDER BY n.id DESC LIMIT 1 OFFSET :keep
                )
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
                DELETE FROM {attempt}
                WHERE job_id = ANY(CAST(:locked AS UUID ARRAY))
                """, """
                SELECT id
                FROM OLD TABLE (DELETE FROM {history} WHERE id = ANY(CAST(:locked AS UUID ARRAY)))
                """);
    }
}
