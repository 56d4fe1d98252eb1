package io.delayjob.internal.jdbc.dialect;

final class MySqlRegister extends RegisterSql {

    /** The present time in UTC. In local time, one hour occurs twice in autumn. */
    private static final String MICROS = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

    @Override
    public Script registerInstance() {
        return Script.writing("""
                INSERT INTO {instance} (incarnation, queues, handlers, stopping, beats)
                VALUES (:incarnation, :queues, :handlers, FALSE, 0)
                """, "SELECT LAST_INSERT_ID()");
    }

    @Override
    public Script beat() {
        return Script.writing("""
                UPDATE {instance}
                SET beats = beats + 1, stopping = :stopping, vitals = :vitals
                WHERE number = :number
                """, "SELECT " + MICROS + " FROM {instance} WHERE number = :number");
    }

    /**
     * Uses {@code IGNORE}, because with {@code ON DUPLICATE KEY UPDATE} drivers usually report a change for an existing
     * notice. {@code IGNORE} would also shorten long texts, but all texts of notices fit their columns.
     */
    @Override
    public String insertNotice() {
        return """
                INSERT IGNORE INTO {notice} (kind, name, owner, noted_at, noted_by, reason)
                VALUES (:kind, :name, :owner, :now, :by, :reason)
                """;
    }

    /** The join begins with the names, so that each notice is looked up by the primary key. */
    @Override
    public String deleteNotices() {
        return """
                DELETE noted
                FROM {names}
                STRAIGHT_JOIN {notice} noted FORCE INDEX (PRIMARY) ON noted.kind = :kind AND noted.name = n.name
                WHERE noted.owner = :owner
                """;
    }

    @Override
    public String clock() {
        return "SELECT " + MICROS;
    }

    @Override
    public String insertQueue() {
        return """
                INSERT INTO {queue} (name)
                SELECT :name
                FROM DUAL
                WHERE NOT EXISTS (SELECT 1 FROM {queue} q WHERE q.name = :name)
                """;
    }

    @Override
    public String shortenLock() {
        return """
                UPDATE {lock}
                SET lock_until = TIMESTAMPADD(MICROSECOND, :micros, UTC_TIMESTAMP(3))
                WHERE name = :name AND lock_until > TIMESTAMPADD(MICROSECOND, :micros, UTC_TIMESTAMP(3))
                """;
    }
}
