package io.delayjob.internal.jdbc.dialect;

final class PostgreSqlReads extends ReadSql {

    @Override
    public String alongTheIndex() {
        return PostgreSqlSettings.ALONG_THE_INDEX + PostgreSqlSettings.ONE_BY_ONE;
    }

    @Override
    public String awaiting() {
        return " AND awaiting";
    }

    /** Reads one partition after the other until the query has found {@code :limit} rows. */
    @Override
    public String nextUnfinished() {
        return """
                SELECT state, partition_id, due_at, id
                FROM (
                    SELECT d.state, d.partition_id, d.due_at, d.id
                    FROM UNNEST(
                        CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                    ) AS c(partition_id, due_at, id)
                    CROSS JOIN LATERAL (
                        SELECT {seen_state_of_job} AS state, j.partition_id, j.due_at, j.id
                        FROM {job} j
                        WHERE j.partition_id = c.partition_id
                          AND (j.due_at, j.id) > (c.due_at, c.id)
                          AND j.due_at <= :until
                        ORDER BY j.due_at, j.id
                        LIMIT :limit
                    ) AS d
                    LIMIT :limit
                ) AS looked
                ORDER BY partition_id, due_at, id
                """;
    }

    /**
     * This query does not use the retention time, because the index for dead letters does not contain the retention
     * time.
     */
    @Override
    public String groupFailures() {
        return groupFailures("", "");
    }

    @Override
    public String newestFailure() {
        return newestFailure("");
    }

    @Override
    public String countDueInEachBucket() {
        return """
                SELECT b.bucket, '' AS name, d.jobs
                FROM GENERATE_SERIES(CAST(:firstBucket AS BIGINT), CAST(:lastBucket AS BIGINT)) AS b(bucket)
                CROSS JOIN LATERAL (
                    SELECT COUNT(*) AS jobs
                    FROM (
                        SELECT j.due_at
                        FROM {job} j
                        WHERE j.partition_id = :partition
                            AND j.due_at >= CAST(:from AS BIGINT) + b.bucket * CAST(:width AS BIGINT)
                            AND j.due_at < CAST(:from AS BIGINT) + (b.bucket + 1) * CAST(:width AS BIGINT)
                        ORDER BY j.due_at
                        LIMIT :limit
                    ) AS looked
                ) AS d
                WHERE d.jobs > 0
                """;
    }

    /** This number is higher than the default, because PostgreSQL has an index for dead letters. */
    @Override
    public int failuresToGroup() {
        return 20_000;
    }

    /** This query is cheap, because the server reads only the sizes of some files. */
    @Override
    public String sizeOfTables() {
        return """
                SELECT SUM(pg_total_relation_size(t.oid))
                FROM (
                    VALUES (to_regclass('{job}')), (to_regclass('{history}')), (to_regclass('{attempt}'))
                ) AS t(oid)
                """;
    }

    @Override
    public String estimateJobs() {
        return """
                SELECT 0 AS state, CAST(c.reltuples AS BIGINT)
                FROM pg_class c
                WHERE c.oid = to_regclass('{job}')
                UNION ALL
                SELECT {awaiting} AS state, CAST(c.reltuples AS BIGINT)
                FROM pg_class c
                WHERE c.oid = to_regclass('{job}_awaiting')
                UNION ALL
                SELECT s.state, CAST(c.reltuples * s.share AS BIGINT)
                FROM pg_class c
                JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_stats p ON p.schemaname = n.nspname AND p.tablename = c.relname AND p.attname = 'state'
                CROSS JOIN LATERAL UNNEST(
                    CAST(CAST(p.most_common_vals AS TEXT) AS INTEGER[]), p.most_common_freqs
                ) AS s(state, share)
                WHERE c.oid = to_regclass('{history}')
                """;
    }
}
