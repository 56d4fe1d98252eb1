package io.delayjob.internal.jdbc.dialect;

final class PostgreSqlRegister extends RegisterSql {

    @Override
    public Script registerInstance() {
        return Script.of("""
                INSERT INTO {instance} (incarnation, queues, handlers, stopping, beats)
                VALUES (:incarnation, :queues, :handlers, FALSE, 0)
                RETURNING number
                """);
    }

    /** Reads the clock after the commit, so that the commit does not count as time on the network. */
    @Override
    public Script beat() {
        return Script.writing("""
                UPDATE {instance}
                SET beats = beats + 1, stopping = :stopping, vitals = :vitals
                WHERE number = :number
                """, clock() + " FROM {instance} WHERE number = :number");
    }

    @Override
    public String insertNotice() {
        return """
                INSERT INTO {notice} (kind, name, owner, noted_at, noted_by, reason)
                VALUES (:kind, :name, :owner, :now, :by, :reason)
                ON CONFLICT DO NOTHING
                """;
    }

    /**
     * The statement uses no join, because a server without statistics would then compare each notice with all names.
     */
    @Override
    public String deleteNotices() {
        return """
                DELETE FROM {notice}
                WHERE kind = :kind AND owner = :owner AND name = ANY(CAST(:name AS CHARACTER VARYING ARRAY))
                """;
    }

    @Override
    public String clock() {
        return "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000) AS BIGINT)";
    }

    @Override
    public String shortenLock() {
        return """
                UPDATE {lock}
                SET lock_until = timezone('utc', clock_timestamp()) + :micros * INTERVAL '1 microsecond'
                WHERE name = :name AND lock_until > timezone('utc', clock_timestamp()) + :micros * INTERVAL '1 microsecond'
                """;
    }
}
