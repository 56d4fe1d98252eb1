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
                    DELETE FROM {group} g
                    WHERE g.id = ANY(CAST(:locked AS UUID ARRAY))
                      AND NOT EXISTS (SELECT 1 FROM {group_change} c WHERE c.group_id = g.id)
                )
                """);
    }
}
