package io.delayjob.internal.jdbc.dialect;

final class PostgreSqlByHand extends ByHandSql {

    @Override
    public Script reviveJob() {
        return Script.of("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT id, partition_id, name, job_key, payload, schedule, retry, trace, extras, {delayed}, :freshToken,
                    scheduled_at, :dueAt, :dueAt, run, attempt, 0, 0, in_doubt, FALSE, 0,
                    started_at
                FROM {history}
                WHERE id = :id AND state = {failed}
                ON CONFLICT DO NOTHING
                RETURNING id, partition_id, name, due_at, token, {claim_keys}
                """);
    }

    @Override
    public String rescheduleJobs() {
        return """
                UPDATE {job} j
                SET due_at = m.due_at,
                    planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN m.due_at ELSE j.planned_at END,
                    token = :freshToken
                FROM {moves}
                WHERE j.id = m.id
                """;
    }

    @Override
    public Script reviveJobs() {
        return Script.of("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, h.extras, {delayed},
                    :freshToken, h.scheduled_at, m.due_at, m.due_at, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                    h.started_at
                FROM {moves}
                JOIN {history} h ON h.id = m.id
                ON CONFLICT DO NOTHING
                RETURNING id, partition_id, name, due_at, token, {claim_keys}
                """);
    }
}
