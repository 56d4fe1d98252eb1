package io.delayjob.internal.jdbc.dialect;

final class PostgreSqlGroups extends GroupSql {

    @Override
    public String insertGroup() {
        return INSERT + "ON CONFLICT DO NOTHING\n";
    }

    @Override
    public String share() {
        return "SELECT state FROM {group} WHERE id = :id FOR SHARE";
    }

    @Override
    public Script purge() {
        return Script.locking(LOCK_OLD, """
                DELETE FROM {group} g
                WHERE g.id = ANY(CAST(:locked AS UUID ARRAY))
                  AND NOT EXISTS (SELECT 1 FROM {group_change} c WHERE c.group_id = g.id)
                RETURNING g.id
                """);
    }
}
