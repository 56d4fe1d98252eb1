package io.delayjob.internal.jdbc.dialect;

final class MySqlGroups extends GroupSql {

    @Override
    public String insertGroup() {
        return INSERT;
    }

    @Override
    public String findLatestId() {
        return "SELECT j.id FROM {group} j WHERE j.name = :name {for_share}";
    }

    @Override
    public String share() {
        return "SELECT j.state FROM {group} j WHERE j.id = :id {for_share}";
    }

    @Override
    public String insertCounts() {
        return """
                INSERT INTO {group_change} (group_id, begun, finished, failed, cancelled)
                SELECT UNHEX(b.id), b.begun, b.finished, b.failed, b.cancelled
                FROM {group_counts}
                """;
    }

    @Override
    public String deleteCounts() {
        return """
                DELETE c
                FROM JSON_TABLE(:counts, '$[*]' COLUMNS (id BIGINT PATH '$')) AS l
                STRAIGHT_JOIN {group_change} c FORCE INDEX (PRIMARY) ON c.id = l.id
                WHERE c.group_id = :id
                """;
    }

    @Override
    public Script purge() {
        return Script.answering(LOCK_OLD, """
                DELETE g
                FROM {locked}
                STRAIGHT_JOIN {group} g FORCE INDEX (PRIMARY) ON g.id = UNHEX(l.id)
                WHERE NOT EXISTS (SELECT 1 FROM {group_change} c WHERE c.group_id = g.id)
                """);
    }
}
