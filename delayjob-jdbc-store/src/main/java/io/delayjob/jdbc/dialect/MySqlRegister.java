package io.delayjob.jdbc.dialect;

/** The register in MySQL and MariaDB. */
final class MySqlRegister extends RegisterSql {

    /** The time of the statement. It is in UTC, because one hour of local time occurs twice in autumn. */
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
     * The statement uses {@code IGNORE}, because the number of affected rows must be 0 for an existing notice. With
     * {@code ON DUPLICATE KEY UPDATE}, drivers usually report 1. {@code IGNORE} would also cut texts that are too long,
     * but there are no such texts. The column {@code name} contains the checked name of a handler or queue, or the id
     * of a job. {@link io.delayjob.job.PauseNote} has already shortened the author and the reason to the lengths of
     * their columns.
     */
    @Override
    public String insertNotice() {
        return """
                INSERT IGNORE INTO {notice} (kind, name, owner, noted_at, noted_by, reason)
                VALUES (:kind, :name, :owner, :now, :by, :reason)
                """;
    }

    /**
     * The statement begins with the names, so that the database looks up the notice of each name by the primary key.
     */
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
