package io.delayjob.internal.jdbc.dialect;

final class H2Pages extends PageSql {

    @Override
    public boolean looksThroughOnePartition() {
        return true;
    }

    @Override
    public String dueAfter() {
        return """
                SELECT id, partition_id, name, due_at, token, {claim_keys} AS claim_keys
                FROM {job}
                WHERE partition_id = :partition
                  AND (due_at, id) > (:due, :id)
                  AND due_at <= :until
                  AND state = {delayed}
                ORDER BY due_at, id
                LIMIT :limit
                """;
    }

    /** Reads the rows exactly in the order of the index. Otherwise H2 would sort all overdue rows. */
    @Override
    public String overdue() {
        return """
                SELECT id, partition_id, name, due_at, token, claim_keys, wanted, place
                FROM (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token, p.claim_keys,
                        p.state = {delayed} AND p.name = ANY(CAST(:name AS CHARACTER VARYING ARRAY)) AS wanted,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, {claim_keys} AS claim_keys, state
                        FROM {job}
                        WHERE partition_id = :partition
                          AND due_at >= :due AND (due_at, id) > (:due, :id)
                          AND due_at <= :until
                        ORDER BY partition_id, due_at, id
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
                        p.state = {running} AS claimed,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, {claim_keys} AS claim_keys, state, owner
                        FROM {job}
                        WHERE partition_id = :partition
                          AND due_at >= :due AND (due_at, id) > (:due, :id)
                          AND due_at <= :until
                        ORDER BY partition_id, due_at, id
                        LIMIT :limit
                    ) AS p
                ) AS page
                WHERE claimed OR place = :limit
                """;
    }

    /** For {@code DISTINCT}, H2 skips rows in the index. For {@code GROUP BY}, H2 would read all rows. */
    @Override
    public String partitionsInUse() {
        return """
                SELECT u.partition_id, (
                    SELECT j.due_at
                    FROM {job} j
                    WHERE j.partition_id = u.partition_id
                    ORDER BY j.partition_id, j.due_at, j.id
                    LIMIT 1
                )
                FROM (SELECT DISTINCT partition_id FROM {job}) AS u
                """;
    }
}
