package io.delayjob.internal.jdbc.dialect;

final class MySqlEnds extends EndSql {

    private static final String DELETE_LOCKED = """
            DELETE j
            FROM {locked}
            {job_of_locked}
            """;

    @Override
    public Script endJobs() {
        return Script.answering("""
                SELECT j.id
                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token AND NOT (b.state = {failed} AND j.cancel_requested)
                {for_update} SKIP LOCKED
                """, """
                INSERT INTO {history} ({history_columns})
                SELECT j.id, j.partition_id, j.name, j.job_key,
                    CASE WHEN b.state = {failed} THEN j.payload END,
                    j.schedule, j.retry, j.trace, b.state, b.fresh_token, j.scheduled_at, b.planned_at, j.due_at,
                    b.run, j.attempt, j.failures, j.rescues, GREATEST(0, j.in_doubt + b.doubt),
                    j.cancel_requested, j.started_at, b.called_at, b.ended_at,
                    b.failure_type, b.failure_message, b.failure_trace, COALESCE(b.extras, j.extras),
                    b.keep_seconds
                FROM {locked_endings}
                {job_of_batch}
                WHERE b.keep
                """, """
                DELETE a
                FROM {locked_endings}
                STRAIGHT_JOIN {attempt} a FORCE INDEX (attempt_job) ON a.job_id = UNHEX(b.id)
                WHERE NOT b.keep
                """, DELETE_LOCKED);
    }

    @Override
    public Script returnJobs() {
        return Script.answering("""
                SELECT j.id
                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token AND NOT j.cancel_requested
                {for_update} SKIP LOCKED
                """, """
                UPDATE {locked_returns}
                {job_of_batch}
                SET j.state = {delayed}, j.owner = 0, j.token = b.fresh_token, j.run = b.run,
                    j.planned_at = b.planned_at, j.due_at = b.due_at, j.failures = b.failures,
                    j.awaiting = b.awaiting,
                    j.rescues = CASE WHEN b.new_run THEN 0 ELSE j.rescues END,
                    j.in_doubt = GREATEST(0, j.in_doubt + b.doubt),
                    j.extras = COALESCE(b.extras, j.extras)
                """);
    }

    @Override
    public String locate() {
        return """
                SELECT j.id, j.token, j.state, j.cancel_requested, j.run, j.attempt, j.rescues, j.awaiting
                FROM {ids}
                {job_of_batch}
                UNION ALL
                """ + locateEnded();
    }

    @Override
    public String locateEnded() {
        return """
                SELECT h.id, h.token, h.state, h.cancel_requested, h.run, h.attempt, h.rescues, FALSE
                FROM {ids}
                STRAIGHT_JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(b.id)
                """;
    }

    @Override
    public String insertAttempts() {
        return """
                INSERT INTO {attempt} (job_id, run, attempt, outcome, owner, due_at, started_at, called_at, ended_at,
                    failure_type, failure_message, failure_trace)
                SELECT UNHEX(b.id), b.run, b.attempt, b.outcome, b.owner, b.due_at, b.started_at, b.called_at, b.ended_at,
                    b.failure_type, b.failure_message, b.failure_trace
                FROM {attempts}
                """;
    }

    @Override
    public String pruneAttempts() {
        return """
                DELETE a
                FROM (
                    SELECT job_id, id
                    FROM (
                        SELECT n.job_id, n.id, ROW_NUMBER() OVER (PARTITION BY n.job_id ORDER BY n.id DESC) AS place
                        FROM {ids}
                        STRAIGHT_JOIN {attempt} n FORCE INDEX (attempt_job) ON n.job_id = UNHEX(b.id)
                    ) AS ranked
                    WHERE place = :keep + 1
                ) AS superfluous
                STRAIGHT_JOIN {attempt} a FORCE INDEX (attempt_job)
                    ON a.job_id = superfluous.job_id AND a.id <= superfluous.id
                """;
    }

    @Override
    public Script settleDoubt() {
        return Script.answering(
                """
                SELECT j.id
                FROM {ids}
                {job_of_batch}
                {for_update} SKIP LOCKED
                """, MySqlDialect.CHANGE_LOCKED.formatted("j.in_doubt = GREATEST(0, j.in_doubt - :by)"));
    }

    @Override
    public Script settleDoubtInHistory() {
        return Script.answering("""
                SELECT j.id
                FROM {ids}
                STRAIGHT_JOIN {history} j FORCE INDEX (PRIMARY) ON j.id = UNHEX(b.id)
                {for_update} SKIP LOCKED
                """, """
                UPDATE {locked}
                STRAIGHT_JOIN {history} j FORCE INDEX (PRIMARY) ON j.id = UNHEX(l.id)
                SET j.in_doubt = GREATEST(0, j.in_doubt - :by)
                """);
    }

    @Override
    public Script purgeHistory() {
        return Script.answering("""
                SELECT id
                FROM {history} FORCE INDEX (history_end)
                WHERE state = :state AND keep_seconds = :keepSeconds AND ended_at < :before
                    AND (state <> {cancelled} OR job_key IS NULL OR job_key <> :declaredKey)
                ORDER BY ended_at
                LIMIT :limit
                FOR UPDATE SKIP LOCKED
                """, """
                DELETE a
                FROM {locked}
                STRAIGHT_JOIN {attempt} a FORCE INDEX (attempt_job) ON a.job_id = UNHEX(l.id)
                """, """
                DELETE h
                FROM {locked}
                STRAIGHT_JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(l.id)
                """);
    }
}
