package io.delayjob.internal.jdbc.dialect;

/**
 * The SQL for groups of jobs. Each count of members is inserted as a separate row. So several transactions can end
 * members of one group without waiting for each other. Immutable and thread-safe.
 */
public abstract class GroupSql {

    private static final String COLUMNS =
            "j.id, j.name, j.state, j.created_at, j.ended_at, j.begun, j.finished, j.failed, j.cancelled";

    private static final String ALL_COLUMNS = COLUMNS + ", j.when_all_ended, j.when_any_fails";

    /** Includes the counts that are not added up yet. */
    private static final String STATUS = """
            SELECT j.id, j.name, j.state, j.created_at, j.ended_at, j.begun + COALESCE(SUM(c.begun), 0),
                j.finished + COALESCE(SUM(c.finished), 0), j.failed + COALESCE(SUM(c.failed), 0),
                j.cancelled + COALESCE(SUM(c.cancelled), 0)
            FROM %s
            LEFT JOIN {group_change} c ON c.group_id = j.id
            GROUP BY """ + " " + COLUMNS + "\n";

    GroupSql() {}

    /**
     * Inserts an open group. If the name is already in use, the statement changes nothing. In this case, the statement
     * may also fail, but the transaction stays usable.
     */
    public abstract String insertGroup();

    static final String INSERT = """
            INSERT INTO {group} (id, name, state, created_at, begun, finished, failed, cancelled)
            VALUES (:id, :name, :state, :createdAt, 0, 0, 0, 0)
            """;

    /** Returns the id of the group with this name. */
    public String findId() {
        return "SELECT id FROM {group} WHERE name = :name";
    }

    /**
     * Like {@link #findId()}, but always returns the present id. A plain read in the same transaction may show older
     * data.
     */
    public String findLatestId() {
        return findId();
    }

    /** Deletes a group that has no members. */
    public String delete() {
        return "DELETE FROM {group} WHERE id = :id";
    }

    /**
     * Takes a shared lock of a group, so that no other transaction can close or end the group. Returns the group's
     * state.
     */
    public abstract String share();

    /** Returns a group with the jobs that wait for the group. */
    public String find() {
        return "SELECT " + ALL_COLUMNS + "\nFROM {group} j\nWHERE j.id = :id\n";
    }

    /** Locks a group, and returns the group with the jobs that wait for the group. */
    public String lock() {
        return find() + "FOR UPDATE\n";
    }

    /**
     * Locks groups that have counts to add up, and returns these groups in the order of their ids. The ids of these
     * groups are higher than {@code :after}. The statement skips groups that are already locked.
     */
    public String lockCounted() {
        return """
                SELECT %s
                FROM {group} j
                WHERE j.id > :after AND j.id IN (SELECT c.group_id FROM {group_change} c)
                ORDER BY j.id
                LIMIT :limit
                FOR UPDATE SKIP LOCKED
                """.formatted(ALL_COLUMNS);
    }

    /** Writes all changeable values of a group. */
    public String update() {
        return """
                UPDATE {group}
                SET state = :state, ended_at = :endedAt, begun = :begun, finished = :finished, failed = :failed,
                    cancelled = :cancelled, when_all_ended = :whenAllEnded, when_any_fails = :whenAnyFails
                WHERE id = :id
                """;
    }

    /** Inserts counts of groups. */
    public String insertCounts() {
        return """
                INSERT INTO {group_change} (group_id, begun, finished, failed, cancelled)
                SELECT c.group_id, c.begun, c.finished, c.failed, c.cancelled
                FROM {group_counts}
                """;
    }

    /** Returns a group's counts that are not added up yet. The oldest count comes first. */
    public String findCounts() {
        return """
                SELECT id, begun, finished, failed, cancelled
                FROM {group_change}
                WHERE group_id = :id
                ORDER BY id
                LIMIT :limit
                """;
    }

    /** Deletes counts of a group. */
    public String deleteCounts() {
        return """
                DELETE FROM {group_change}
                WHERE group_id = :id AND id = ANY(CAST(:counts AS BIGINT ARRAY))
                """;
    }

    /** Returns the group with this name, including counts that are not added up yet. */
    public String findStatus() {
        return STATUS.formatted("(SELECT * FROM {group} WHERE name = :name) j");
    }

    /** Returns the groups that have not ended, beginning with the oldest group. */
    public String listUnended() {
        return STATUS.formatted("(SELECT * FROM {group} WHERE ended_at IS NULL ORDER BY created_at, id LIMIT :limit) j")
                + "ORDER BY j.created_at, j.id\n";
    }

    /** Returns the groups that have ended, beginning with the latest end. */
    public String listEnded() {
        return """
                SELECT %s
                FROM {group} j
                WHERE j.ended_at IS NOT NULL
                ORDER BY j.ended_at DESC, j.id DESC
                LIMIT :limit
                """.formatted(COLUMNS);
    }

    /** Changes the extras of a job that the transaction has locked. */
    public String setExtras() {
        return "UPDATE {job} SET extras = :extras WHERE id = :jobId";
    }

    /**
     * Deletes old groups that have ended or have no members, and returns their ids. The statement skips locked groups.
     */
    public abstract Script purge();

    /** Returns the ids of groups that were deleted but still have counts. */
    public String findOrphans() {
        return """
                SELECT DISTINCT c.group_id
                FROM {group_change} c
                LEFT JOIN {group} g ON g.id = c.group_id
                WHERE g.id IS NULL
                LIMIT :limit
                """;
    }

    /** Deletes all counts of a group. */
    public String deleteAllCounts() {
        return "DELETE FROM {group_change} WHERE group_id = :id";
    }

    static final String LOCK_OLD = """
            SELECT j.id
            FROM {group} j
            WHERE j.ended_at < :before
               OR (j.ended_at IS NULL AND j.created_at < :before
                   AND (j.state = :cancelled OR (j.state = :open AND j.begun = 0)))
            ORDER BY j.id
            LIMIT :limit
            FOR UPDATE SKIP LOCKED
            """;
}
