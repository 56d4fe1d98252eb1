package io.delayjob.internal.jdbc.dialect;

/** Each locking statement first reads a row, and then locks it. {@link MySqlDialect} states the reason. */
final class MySqlByHand extends ByHandSql {

    @Override
    public String lockJob() {
        return """
                SELECT {job_columns}
                FROM (SELECT id AS found_id FROM {job} WHERE id = :id LIMIT 1) AS found
                STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = found_id
                {for_update}
                """;
    }

    @Override
    public String lockKey() {
        return """
                SELECT {job_columns}
                FROM (SELECT id AS found_id FROM {job} WHERE name = :name AND job_key = :key LIMIT 1) AS found
                STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = found_id
                WHERE j.name = :name AND j.job_key = :key
                {for_update}
                """;
    }

    @Override
    public Script reviveJob() {
        return Script.writing("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, h.extras, {delayed},
                    :freshToken, h.scheduled_at, :dueAt, :dueAt, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                    h.started_at
                FROM {history} h
                WHERE h.id = :id AND h.state = {failed}
                """, """
                SELECT id, partition_id, name, due_at, token, {claim_keys}
                FROM {job}
                WHERE id = :id AND token = :freshToken
                """);
    }

    /** The {@code LIMIT} prevents the optimizer from merging the inner and the outer read. */
    @Override
    public String lockJobs() {
        return """
                SELECT {job_columns}
                FROM (SELECT j.id AS found_id FROM {ids} {job_of_batch} LIMIT 100000) AS found
                STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = found_id
                {for_update}
                """;
    }

    @Override
    public String rescheduleJobs() {
        return """
                UPDATE {moves}
                {job_of_batch}
                SET j.due_at = b.due_at,
                    j.planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN b.due_at ELSE j.planned_at END,
                    j.token = :freshToken
                """;
    }

    @Override
    public String lockEnded() {
        return """
                SELECT id, name, job_key, state, extras
                FROM (
                    SELECT h.id AS found_id
                    FROM {ids}
                    STRAIGHT_JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(b.id)
                    WHERE h.state = {failed}
                    LIMIT 100000
                ) AS found
                STRAIGHT_JOIN {history} j FORCE INDEX (PRIMARY) ON j.id = found_id
                {for_update}
                """;
    }

    @Override
    public Script reviveJobs() {
        return Script.writing("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, h.extras, {delayed},
                    :freshToken, h.scheduled_at, b.due_at, b.due_at, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                    h.started_at
                FROM {moves}
                STRAIGHT_JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(b.id)
                """, """
                SELECT j.id, j.partition_id, j.name, j.due_at, j.token, {claim_keys_of_job}
                FROM {ids}
                {job_of_batch}
                WHERE j.token = :freshToken
                """);
    }

    @Override
    public String deleteAllFromHistory() {
        return """
                DELETE h
                FROM {ids}
                STRAIGHT_JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(b.id)
                """;
    }
}
