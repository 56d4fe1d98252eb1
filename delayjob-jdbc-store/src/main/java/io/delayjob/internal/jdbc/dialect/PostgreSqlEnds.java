package io.delayjob.internal.jdbc.dialect;

final class PostgreSqlEnds extends EndSql {

    private static final String DELETED_BATCH = deleting("j.id = ANY(b.ids)");

    private static final String DELETED_FEW = deleting(PostgreSqlBatch.AT_PLACES);

    private static final String DELETED_ROW = "DELETE FROM {job} j WHERE j.id = :id AND j.token = :token";

    @Override
    public Script endJobs() {
        return Script.of("""
                WITH picked AS (
                    SELECT e.*
                    FROM {ended_jobs}
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                ), gone AS (
                    DELETE FROM {job} j
                    USING picked e
                    WHERE j.id = e.id
                    RETURNING j.id, j.partition_id, j.name, j.job_key,
                        CASE WHEN e.state = {failed} THEN j.payload END AS payload,
                        j.schedule, j.retry, j.trace, e.state, e.fresh_token, j.scheduled_at, e.planned_at, j.due_at,
                        e.run, j.attempt, j.failures, j.rescues, GREATEST(0, j.in_doubt + e.doubt) AS in_doubt,
                        j.cancel_requested, j.started_at, e.called_at, e.ended_at,
                        e.failure_type, e.failure_message, e.failure_trace, COALESCE(e.extras, j.extras) AS extras, e.keep,
                        e.keep_seconds
                ), kept AS (
                    INSERT INTO {history} ({history_columns})
                    SELECT id, partition_id, name, job_key, payload, schedule, retry, trace, state, fresh_token,
                        scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt,
                        cancel_requested, started_at, called_at, ended_at, failure_type, failure_message, failure_trace, extras,
                        keep_seconds
                    FROM gone
                    WHERE keep
                ), forgotten AS (
                    DELETE FROM {attempt} a
                    USING gone g
                    WHERE a.job_id = g.id AND NOT g.keep
                )
                SELECT id FROM gone
                """);
    }

    @Override
    public Straight finishStraight() {
        String atPlace = "(CAST(:%s AS BIGINT ARRAY))[place]";
        return new Straight(
                Script.writing(PostgreSqlSettings.STRAIGHT + finishing(DELETED_BATCH, PostgreSqlBatch.PLACE, atPlace)),
                Script.writing(
                        PostgreSqlSettings.STRAIGHT_TO_FEW + finishing(DELETED_FEW, PostgreSqlBatch.PLACE, atPlace)),
                Script.writing(
                        PostgreSqlSettings.STRAIGHT_TO_FEW + finishing(DELETED_ROW, "1", "CAST(:%s AS BIGINT)")));
    }

    private static String deleting(String found) {
        return "DELETE FROM {job} j USING %s WHERE %s AND j.token = %s"
                .formatted(PostgreSqlBatch.BATCH, found, PostgreSqlBatch.TOKEN);
    }

    /**
     * @param place SQL for the place of a row in the batch
     * @param value SQL for the value of a parameter; {@code %s} stands for the parameter's name
     */
    private static String finishing(String delete, String place, String value) {
        return """
                WITH gone AS (
                    %s
                    RETURNING j.id, j.partition_id, j.name, j.job_key, j.schedule, j.retry, j.trace, j.scheduled_at,
                        j.planned_at, j.due_at, j.run, j.attempt, j.failures, j.rescues, j.in_doubt, j.cancel_requested,
                        j.started_at, j.extras, %s AS place
                )
                INSERT INTO {history} ({history_columns})
                SELECT id, partition_id, name, job_key, NULL, schedule, retry, trace, {finished},
                    %s, scheduled_at, planned_at, due_at, run, attempt, failures, rescues,
                    in_doubt, cancel_requested, started_at, %s, %s, NULL, NULL, NULL, extras, 0
                FROM gone
                """.formatted(
                delete, place, value.formatted("freshToken"), value.formatted("calledAt"), value.formatted("endedAt"));
    }

    @Override
    public Straight forgetStraight() {
        return new Straight(
                Script.writing(PostgreSqlSettings.STRAIGHT + DELETED_BATCH),
                Script.writing(PostgreSqlSettings.STRAIGHT_TO_FEW + DELETED_FEW),
                Script.writing(PostgreSqlSettings.STRAIGHT_TO_FEW + DELETED_ROW));
    }

    @Override
    public Script returnJobs() {
        return Script.of("""
                WITH picked AS (
                    SELECT r.*
                    FROM {returns}
                    JOIN {job} j ON j.id = r.id AND j.token = r.token AND NOT j.cancel_requested
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job} j
                SET state = {delayed}, owner = 0, token = r.fresh_token, run = r.run, planned_at = r.planned_at,
                    due_at = r.due_at, failures = r.failures, awaiting = r.awaiting,
                    rescues = CASE WHEN r.new_run THEN 0 ELSE j.rescues END,
                    in_doubt = GREATEST(0, j.in_doubt + r.doubt), extras = COALESCE(r.extras, j.extras)
                FROM picked r
                WHERE j.id = r.id
                RETURNING j.id
                """);
    }

    @Override
    public Script settleDoubt() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id
                    FROM {ids}
                    JOIN {job} j ON j.id = u.id
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job}
                SET in_doubt = GREATEST(0, in_doubt - :by)
                FROM picked
                WHERE id = picked_id
                RETURNING id
                """);
    }

    @Override
    public Script settleDoubtInHistory() {
        return Script.of("""
                WITH picked AS (
                    SELECT h.id AS picked_id
                    FROM {ids}
                    JOIN {history} h ON h.id = u.id
                    ORDER BY h.id
                    FOR UPDATE OF h SKIP LOCKED
                )
                UPDATE {history}
                SET in_doubt = GREATEST(0, in_doubt - :by)
                FROM picked
                WHERE id = picked_id
                RETURNING id
                """);
    }

    @Override
    public String pruneAttempts() {
        return """
                DELETE FROM {attempt} a
                USING (
                    SELECT u.id AS job_id, oldest.id AS id
                    FROM UNNEST(CAST(:id AS UUID ARRAY)) AS u(id)
                    CROSS JOIN LATERAL (
                        SELECT n.id FROM {attempt} n WHERE n.job_id = u.id ORDER BY n.id DESC LIMIT 1 OFFSET :keep
                    ) AS oldest
                ) AS superfluous
                WHERE a.job_id = superfluous.job_id AND a.id <= superfluous.id
                """;
    }

    @Override
    public Script purgeHistory() {
        return Script.of(PostgreSqlSettings.ALONG_THE_INDEX + """
                WITH old AS (
                    SELECT ctid AS place, id
                    FROM {history}
                    WHERE state = :state AND keep_seconds = :keepSeconds AND ended_at < :before
                        AND (state <> {cancelled} OR job_key IS NULL OR job_key <> :declaredKey)
                    ORDER BY ended_at
                    LIMIT :limit
                    FOR UPDATE SKIP LOCKED
                ), gone AS (
                    DELETE FROM {history} h
                    USING old
                    WHERE h.ctid = old.place AND h.id = old.id
                    RETURNING h.id
                ), forgotten AS (
                    DELETE FROM {attempt} a
                    USING gone g
                    WHERE a.job_id = g.id
                )
                SELECT id FROM gone
                """);
    }
}
