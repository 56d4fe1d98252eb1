package io.delayjob.jdbc.dialect;

/** Changes by hand in MySQL and MariaDB. Each statement looks before it locks; {@link MySqlDialect} says why. */
final class MySqlByHand extends ByHandSql {

    /** Looks before it locks, as the class comment says. */
    @Override
    public String lockJob() {
        return """
                SELECT {job_columns}
                FROM (SELECT id AS found_id FROM {job} WHERE id = :id LIMIT 1) AS found
                STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = found_id
                {for_update}
                """;
    }

    /** Looks before it locks, as the class comment says. */
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
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, {delayed},
                    :freshToken, h.scheduled_at, :dueAt, :dueAt, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                    h.started_at
                FROM {history} h
                WHERE h.id = :id AND h.state = {failed}
                """, """
                SELECT id, partition_id, name, due_at, token
                FROM {job}
                WHERE id = :id AND token = :freshToken
                """);
    }
}
