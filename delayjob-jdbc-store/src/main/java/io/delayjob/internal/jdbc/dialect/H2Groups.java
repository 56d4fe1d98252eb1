package io.delayjob.internal.jdbc.dialect;

final class H2Groups extends GroupSql {

    @Override
    public String insertGroup() {
        return INSERT;
    }

    /** H2 has no shared locks. */
    @Override
    public String share() {
        return "SELECT state FROM {group} WHERE id = :id FOR UPDATE";
    }

    @Override
    public Script purge() {
        return Script.locking(LOCK_OLD, """
                SELECT id
                FROM OLD TABLE (
                    MERGE INTO {group} g
                    USING (SELECT * FROM {locked}) l
                    ON g.id = l.id AND NOT EXISTS (SELECT 1 FROM {group_change} c WHERE c.group_id = g.id)
                    WHEN MATCHED THEN DELETE
                )
                """);
    }

    @Override
    public String deleteCounts() {
        return """
                MERGE INTO {group_change} c
                USING (SELECT * FROM UNNEST(CAST(:counts AS BIGINT ARRAY)) AS n(id)) n
                ON c.group_id = :id AND c.id = n.id
                WHEN MATCHED THEN DELETE
                """;
    }
}
