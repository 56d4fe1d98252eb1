package io.delayjob.internal.jdbc.dialect;

final class H2Register extends RegisterSql {

    @Override
    public Script registerInstance() {
        return Script.of("""
                SELECT number
                FROM FINAL TABLE (
                    INSERT INTO {instance} (incarnation, queues, handlers, stopping, beats)
                    VALUES (:incarnation, :queues, :handlers, FALSE, 0)
                )
                """);
    }

    @Override
    public Script beat() {
        return Script.of("""
                SELECT CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(9)) * 1000000) AS BIGINT)
                FROM FINAL TABLE (UPDATE {instance} SET beats = beats + 1, stopping = :stopping, vitals = :vitals WHERE number = :number)
                """);
    }

    @Override
    public String insertNotice() {
        return """
                MERGE INTO {notice} n
                USING (VALUES (CAST(:kind AS SMALLINT), CAST(:name AS CHARACTER VARYING), CAST(:owner AS BIGINT),
                    CAST(:now AS BIGINT), CAST(:by AS CHARACTER VARYING), CAST(:reason AS CHARACTER VARYING)))
                    AS v(kind, name, owner, noted_at, noted_by, reason)
                ON n.kind = v.kind AND n.name = v.name
                WHEN NOT MATCHED THEN INSERT (kind, name, owner, noted_at, noted_by, reason)
                    VALUES (v.kind, v.name, v.owner, v.noted_at, v.noted_by, v.reason)
                """;
    }

    /** The statement starts from the given names. So H2 finds each notice by the primary key. */
    @Override
    public String deleteNotices() {
        return """
                MERGE INTO {notice} t
                USING (SELECT * FROM UNNEST(CAST(:name AS CHARACTER VARYING ARRAY)) AS u(name)) n
                ON t.kind = :kind AND t.name = n.name AND t.owner = :owner
                WHEN MATCHED THEN DELETE
                """;
    }

    @Override
    public String clock() {
        return "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(9)) * 1000000) AS BIGINT)";
    }

    @Override
    public String shortenLock() {
        return """
                UPDATE {lock}
                SET lock_until = TIMESTAMPADD(MICROSECOND, :micros, CURRENT_TIMESTAMP(3))
                WHERE name = :name AND lock_until > TIMESTAMPADD(MICROSECOND, :micros, CURRENT_TIMESTAMP(3))
                """;
    }
}
