package io.delayjob.internal.jdbc.dialect;

/** One statement reads the pages of all partitions. */
final class PostgreSqlPages extends PageSql {

    @Override
    public String dueAfter() {
        return PostgreSqlSettings.ALONG_THE_INDEX + """
                SELECT d.id, d.partition_id, d.name, d.due_at, d.token, d.claim_keys
                FROM UNNEST(
                    CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                ) AS c(partition_id, due_at, id)
                CROSS JOIN LATERAL (
                    SELECT j.id, j.partition_id, j.name, j.due_at, j.token, {claim_keys_of_job} AS claim_keys
                    FROM {job} j
                    WHERE j.partition_id = c.partition_id
                      AND (j.due_at, j.id) > (c.due_at, c.id)
                      AND j.due_at <= :until
                      AND j.state = {delayed}
                    ORDER BY j.due_at, j.id
                    LIMIT :limit
                ) AS d
                """;
    }

    @Override
    public String overdue() {
        return PostgreSqlSettings.ALONG_THE_INDEX + """
                SELECT d.id, d.partition_id, d.name, d.due_at, d.token, d.claim_keys, d.wanted, d.place
                FROM UNNEST(
                    CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                ) AS c(partition_id, due_at, id)
                CROSS JOIN LATERAL (
                    SELECT l.id, l.partition_id, l.name, l.due_at, l.token, l.claim_keys, l.wanted, l.place
                    FROM (
                        SELECT p.id, p.partition_id, p.name, p.due_at, p.token, p.claim_keys,
                            p.state = {delayed} AND p.name = ANY(CAST(:name AS CHARACTER VARYING ARRAY)) AS wanted,
                            ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                        FROM (
                            SELECT j.id, j.partition_id, j.name, j.due_at, j.token, {claim_keys_of_job} AS claim_keys, j.state
                            FROM {job} j
                            WHERE j.partition_id = c.partition_id
                              AND (j.due_at, j.id) > (c.due_at, c.id)
                              AND j.due_at <= :until
                            ORDER BY j.due_at, j.id
                            LIMIT :lookAt
                        ) AS p
                    ) AS l
                    WHERE l.wanted OR l.place = :lookAt
                    ORDER BY l.due_at, l.id
                    LIMIT :limit
                ) AS d
                """;
    }

    /** The statement does not number the rows, because the server would then have to copy each row. */
    @Override
    public String nextRows() {
        return PostgreSqlSettings.ALONG_THE_INDEX + """
                SELECT d.id, d.partition_id, d.name, d.due_at, d.token, d.claim_keys, d.wanted
                FROM UNNEST(
                    CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                ) AS c(partition_id, due_at, id)
                CROSS JOIN LATERAL (
                    SELECT j.id, j.partition_id, j.name, j.due_at, j.token, {claim_keys_of_job} AS claim_keys,
                        j.state = {delayed} AND j.name = ANY(CAST(:name AS CHARACTER VARYING ARRAY)) AS wanted
                    FROM {job} j
                    WHERE j.partition_id = c.partition_id
                      AND (j.due_at, j.id) > (c.due_at, c.id)
                      AND j.due_at <= :until
                    ORDER BY j.due_at, j.id
                    LIMIT :limit
                ) AS d
                """;
    }

    @Override
    public String claimed() {
        return PostgreSqlSettings.ALONG_THE_INDEX + """
                SELECT d.id, d.partition_id, d.name, d.due_at, d.token, d.claim_keys, d.claimed, d.place, d.owner
                FROM UNNEST(
                    CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                ) AS c(partition_id, due_at, id)
                CROSS JOIN LATERAL (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token, p.claim_keys, p.owner,
                        p.state = {running} AS claimed,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT j.id, j.partition_id, j.name, j.due_at, j.token, {claim_keys_of_job} AS claim_keys, j.state, j.owner
                        FROM {job} j
                        WHERE j.partition_id = c.partition_id
                          AND (j.due_at, j.id) > (c.due_at, c.id)
                          AND j.due_at <= :until
                        ORDER BY j.due_at, j.id
                        LIMIT :limit
                    ) AS p
                ) AS d
                WHERE d.claimed OR d.place = :limit
                """;
    }

    /** The statement goes from one partition to the next, with one index look-up for each partition. */
    @Override
    public String partitionsInUse() {
        return """
                WITH RECURSIVE used AS (
                    (SELECT partition_id, due_at FROM {job} ORDER BY partition_id, due_at LIMIT 1)
                    UNION ALL
                    SELECT next.partition_id, next.due_at
                    FROM used u
                    CROSS JOIN LATERAL (
                        SELECT j.partition_id, j.due_at
                        FROM {job} j
                        WHERE j.partition_id > u.partition_id
                        ORDER BY j.partition_id, j.due_at
                        LIMIT 1
                    ) AS next
                )
                SELECT partition_id, due_at
                FROM used
                """;
    }
}
