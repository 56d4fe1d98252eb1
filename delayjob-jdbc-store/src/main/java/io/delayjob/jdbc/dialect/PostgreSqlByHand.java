package io.delayjob.jdbc.dialect;

/** Changes by hand in PostgreSQL. */
final class PostgreSqlByHand extends ByHandSql {

    @Override
    public Script reviveJob() {
        return Script.of("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT id, partition_id, name, job_key, payload, schedule, retry, trace, {delayed}, :freshToken,
                    scheduled_at, :dueAt, :dueAt, run, attempt, 0, 0, in_doubt, FALSE, 0,
                    started_at
                FROM {history}
                WHERE id = :id AND state = {failed}
                ON CONFLICT DO NOTHING
                RETURNING id, partition_id, name, due_at, token
                """);
    }
}
