package io.delayjob.internal.jdbc.dialect;

final class H2ByHand extends ByHandSql {

    @Override
    public Script reviveJob() {
        return Script.of("""
                SELECT id, partition_id, name, due_at, token, {claim_keys}
                FROM FINAL TABLE (
                    INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                        scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                        started_at)
                    SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, h.extras, {delayed},
                        :freshToken, h.scheduled_at, :dueAt, :dueAt, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                        h.started_at
                    FROM {history} h
                    WHERE h.id = :id AND h.state = {failed}
                      AND NOT EXISTS (SELECT 1 FROM {job} j WHERE j.id = h.id)
                      AND NOT EXISTS (SELECT 1 FROM {job} j WHERE j.name = h.name AND j.job_key = h.job_key)
                )
                """);
    }

    @Override
    public String lockJobs() {
        return """
                SELECT {job_columns}
                FROM UNNEST(CAST(:id AS UUID ARRAY)) AS u(wanted)
                JOIN {job} ON id = wanted
                FOR UPDATE
                """;
    }

    @Override
    public String rescheduleJobs() {
        return """
                MERGE INTO {job} j
                USING (SELECT * FROM {moves}) m
                ON j.id = m.id
                WHEN MATCHED THEN UPDATE
                SET due_at = m.due_at,
                    planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN m.due_at ELSE j.planned_at END,
                    token = :freshToken
                """;
    }

    @Override
    public String lockEnded() {
        return """
                SELECT h.id, h.name, h.job_key, h.state, h.extras
                FROM {ids}
                JOIN {history} h ON h.id = u.id
                FOR UPDATE
                """;
    }

    @Override
    public String deleteAllFromHistory() {
        return """
                MERGE INTO {history} h
                USING (SELECT * FROM {ids}) u
                ON h.id = u.id
                WHEN MATCHED THEN DELETE
                """;
    }

    @Override
    public Script reviveJobs() {
        return Script.of("""
                SELECT id, partition_id, name, due_at, token, {claim_keys}
                FROM FINAL TABLE (
                    INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                        scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                        started_at)
                    SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, h.extras, {delayed},
                        :freshToken, h.scheduled_at, m.due_at, m.due_at, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                        h.started_at
                    FROM {moves}
                    JOIN {history} h ON h.id = m.id
                )
                """);
    }
}
