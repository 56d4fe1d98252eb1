package io.delayjob.internal.jdbc.dialect;

final class MySqlPages extends PageSql {

    @Override
    public boolean looksThroughOnePartition() {
        return true;
    }

    /** Compares single columns, because the optimizer does not recognise a range in a comparison of rows. */
    @Override
    public String dueAfter() {
        return """
                SELECT id, partition_id, name, due_at, token, {claim_keys} AS claim_keys
                FROM {job} FORCE INDEX (job_due)
                WHERE partition_id = :partition
                  AND (due_at = :due AND id > :id OR due_at > :due)
                  AND due_at <= :until
                  AND state = {delayed}
                ORDER BY due_at, id
                LIMIT :limit
                """;
    }

    /**
     * The innermost query limits the rows before {@code ROW_NUMBER()} is applied. Otherwise, the optimizer would number
     * the whole table.
     */
    @Override
    public String overdue() {
        return """
                SELECT id, partition_id, name, due_at, token, claim_keys, wanted, place
                FROM (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token, p.claim_keys,
                        CASE WHEN p.state = {delayed} AND p.name IN (SELECT n.name FROM {names})
                            THEN TRUE ELSE FALSE END AS wanted,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, {claim_keys} AS claim_keys, state
                        FROM {job} FORCE INDEX (job_due)
                        WHERE partition_id = :partition
                          AND (due_at = :due AND id > :id OR due_at > :due)
                          AND due_at <= :until
                        ORDER BY due_at, id
                        LIMIT :lookAt
                    ) AS p
                ) AS looked
                WHERE wanted OR place = :lookAt
                ORDER BY due_at, id
                LIMIT :limit
                """;
    }

    @Override
    public String claimed() {
        return """
                SELECT id, partition_id, name, due_at, token, claim_keys, claimed, place, owner
                FROM (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token, p.claim_keys, p.owner,
                        CASE WHEN p.state = {running} THEN TRUE ELSE FALSE END AS claimed,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, {claim_keys} AS claim_keys, state, owner
                        FROM {job} FORCE INDEX (job_due)
                        WHERE partition_id = :partition
                          AND (due_at = :due AND id > :id OR due_at > :due)
                          AND due_at <= :until
                        ORDER BY due_at, id
                        LIMIT :limit
                    ) AS p
                ) AS page
                WHERE claimed OR place = :limit
                """;
    }

    @Override
    public String partitionsInUse() {
        return "SELECT partition_id, MIN(due_at) FROM {job} FORCE INDEX (job_due) GROUP BY partition_id";
    }
}
