package io.delayjob.internal.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** The SQL that reads and counts jobs, for people and applications. Immutable and thread-safe. */
public class ReadSql {

    /**
     * Looks at the first {@code :lookAt} rows after the cursor. Returns the matching rows and the last row that was
     * read, but at most {@code :limit} rows. The limit {@code :lookAt} applies before the filter, so the database never
     * reads more rows.
     */
    private static final String LOOK = """
            SELECT %1$s, wanted, place, is_last
            FROM (
                SELECT l.id AS found_id, l.wanted, l.place, l.is_last
                FROM (
                    SELECT l.id, l.time_at,
                        CASE WHEN (CAST(:state AS {smallint}) IS NULL OR l.state = :state)
                                AND l.time_at BETWEEN :fromTime AND :untilTime
                                AND l.partition_id BETWEEN :fromPartition AND :untilPartition
                                AND (CAST(:name AS {text}) IS NULL OR l.name = :name)
                                AND (CAST(:key AS {text}) IS NULL OR l.job_key = :key)
                                AND (CAST(:error AS {text}) IS NULL OR l.failure_type = :error)
                                AND l.is_labelled = 1
                                AND l.has_text = 1
                            THEN 1 ELSE 0 END AS wanted,
                        ROW_NUMBER() OVER (ORDER BY %2$s) AS place,
                        CASE WHEN LEAD(l.id) OVER (ORDER BY %2$s) IS NULL THEN 1 ELSE 0 END AS is_last
                    FROM (
            %3$s
                        LIMIT :lookAt
                    ) AS l
                ) AS l
                WHERE l.wanted = 1 OR l.is_last = 1
                ORDER BY %2$s
                LIMIT :limit
            ) AS found
            JOIN %4$s ON id = found_id
            """;

    ReadSql() {}

    /**
     * Returns settings for statements with a limit. With the settings, the database reads along the index, and stops at
     * the limit. If the store reads in a transaction of its own, the store sends these settings before the statement.
     * Empty if the database needs no such settings.
     */
    public String alongTheIndex() {
        return "";
    }

    public String findJob() {
        return """
                SELECT {unfinished_row}
                FROM {job}
                WHERE id = :id
                UNION ALL
                SELECT {ended_row}
                FROM {history}
                WHERE id = :id
                """;
    }

    /** Returns the unfinished job of a key or, if there is none, its ended job with the highest id. */
    public String findKey() {
        return """
                SELECT *
                FROM (
                    (
                        SELECT {unfinished_row}, 0 AS ended
                        FROM {job}
                        WHERE name = :name AND job_key = :key
                    )
                    UNION ALL
                    (
                        SELECT {ended_row}, 1 AS ended
                        FROM {history}
                        WHERE name = :name AND job_key = :key
                        ORDER BY id DESC
                        LIMIT 1
                    )
                ) AS found
                ORDER BY ended
                LIMIT 1
                """;
    }

    /** The empty condition, for all unfinished jobs. */
    public static final String ALL = "";

    /**
     * Returns a condition for reads by due time: the job must await an answer. {@code null} if the database has no
     * index of these jobs.
     */
    public @Nullable String awaiting() {
        return null;
    }

    private static final String BY_ID = "l.id{way}";

    /** Every dead letter meets this condition. With this condition, a database can use the index by end time. */
    private static final String OF_GENERAL_TIME = " AND keep_seconds = 0";

    private static final String BY_TIME = "l.time_at{way}, l.id{way}";

    /** Line breaks are parameters, because databases write them in different ways. */
    private static final String HAS_LINE = "(CAST(:%1$s AS {text}) IS NULL OR POSITION(CAST(:%1$s AS {text}) IN"
            + " CONCAT(CAST(:lineBreak AS {text}), extras, CAST(:lineBreak AS {text}))) > 0)";

    private static final String IS_LABELLED = "CASE WHEN " + HAS_LINE.formatted("label") + " AND "
            + HAS_LINE.formatted("groupLine") + " THEN 1 ELSE 0 END AS is_labelled";

    private static final String HAS_TEXT =
            "CASE WHEN CAST(:payload AS {text}) IS NULL THEN 1 WHEN POSITION(CAST(:payload AS {text}) IN payload) > 0"
                    + " THEN 1 ELSE 0 END AS has_text";

    private static final String UNFINISHED =
            "SELECT id, {seen_state} AS state, name, job_key, partition_id, due_at AS time_at,"
                    + " {no_text} AS failure_type, " + IS_LABELLED + ", " + HAS_TEXT + "\n";

    private static final String ENDED =
            "SELECT id, state, name, job_key, partition_id, ended_at AS time_at, failure_type, " + IS_LABELLED + ", "
                    + HAS_TEXT + "\n";

    private static String lookAtUnfinished(String order, String rows) {
        return LOOK.formatted("{unfinished_row}", order, UNFINISHED + rows, "{job}");
    }

    private static String lookAtEnded(String order, String rows) {
        return LOOK.formatted("{ended_row}", order, ENDED + rows, "{history}");
    }

    /** One statement reads both tables, so a job that moves meanwhile is returned exactly once. */
    private static String both(String unfinished, String ended) {
        return "(" + unfinished + ") UNION ALL (" + ended + ")";
    }

    /** Reads the unfinished jobs, in the order of ids. */
    public String lookAtUnfinished(Direction direction) {
        return direction.of(lookAtUnfinished(BY_ID, """
                FROM {job_by_id}
                WHERE id {behind} :after
                ORDER BY id{way}
                """));
    }

    /**
     * Reads unfinished jobs of a partition in the order of (due time, id). The read begins after ({@code :time}, {@code
     * :after}) and ends with the due time {@code :untilTime}.
     *
     * @param only {@link #ALL} or {@link #awaiting()}
     */
    public String lookAtDue(String only) {
        return Direction.ASCENDING.of(lookAtUnfinished(BY_TIME, """
                FROM {job_by_due}
                WHERE partition_id = :partition AND %s AND due_at <= :untilTime%s
                ORDER BY partition_id, due_at, id
                """.formatted(behind(":time", ":after"), only)));
    }

    /** Selects the rows after the given due time and id. The database must begin at this place in the index. */
    String behind(String due, String id) {
        return "due_at >= %1$s AND (due_at, id) > (%1$s, %2$s)".formatted(due, id);
    }

    /**
     * Reads the unfinished jobs of a partition in a span of due times, in the order of ids. Used only for few jobs.
     *
     * @param only {@link #ALL} or {@link #awaiting()}
     */
    public String lookAtSpan(Direction direction, String only) {
        return direction.of(lookAtUnfinished(BY_ID, """
                FROM {job_by_due}
                WHERE partition_id = :partition AND due_at >= :fromTime AND due_at <= :untilTime AND id {behind} :after%s
                ORDER BY partition_id, due_at, id
                """.formatted(only)));
    }

    /**
     * Reads the jobs that ended in this state within a time span, in the order of (end, id). All these jobs have the
     * retention time {@code :keepSeconds}; 0 stands for the general retention time.
     */
    public String lookAtEnded(Direction direction) {
        return direction.of(lookAtEnded(BY_TIME, """
                FROM {history_by_end}
                WHERE state = :state AND keep_seconds = :keepSeconds AND ended_at BETWEEN :fromTime AND :untilTime
                    AND ended_at {at} :time AND (ended_at {behind} :time OR id {behind} :after)
                ORDER BY state{way}, keep_seconds{way}, ended_at{way}, id{way}
                """));
    }

    /** Looks at the retention times of finished jobs. Returns the shortest one above {@code :above}, in seconds. */
    public String nextKeepSeconds() {
        return """
                SELECT keep_seconds
                FROM {history_by_end}
                WHERE state = {finished} AND keep_seconds > :above
                ORDER BY state, keep_seconds
                LIMIT 1
                """;
    }

    /** Reads all jobs. The jobs of each table are in the order of their ids. */
    public String lookAtAll(Direction direction) {
        return both(lookAtUnfinished(direction), direction.of(lookAtEnded(BY_ID, """
                FROM {history_by_id}
                WHERE id {behind} :after
                ORDER BY id{way}
                """)));
    }

    /** Reads the jobs with this name and key. The jobs of each table are in the order of their ids. */
    public String lookAtKey(Direction direction) {
        return direction.of(both(lookAtUnfinished(BY_ID, """
                FROM {job_by_key}
                WHERE name = :name AND job_key = :key AND id {behind} :after
                ORDER BY id{way}
                """), lookAtEnded(BY_ID, """
                FROM {history_by_key}
                WHERE name = :name AND job_key = :key AND id {behind} :after
                ORDER BY id{way}
                """)));
    }

    /** Returns the newest lines of a job's attempt log. */
    public String findAttempts() {
        return """
                SELECT job_id, run, attempt, outcome, owner, due_at, started_at, called_at, ended_at,
                    failure_type, failure_message, failure_trace
                FROM {attempt}
                WHERE job_id = :id
                ORDER BY id DESC
                LIMIT :limit
                """;
    }

    /**
     * Reads the next {@code :limit} unfinished jobs that are due by {@code :until}. Returns state, partition, due time
     * and id, in the order of partition, due time and id. The read begins after the cursor {@code :partition}, {@code
     * :due}, {@code :id}. If the dialect {@linkplain PageSql#looksThroughOnePartition() looks through one partition},
     * these three parameters are single values. Otherwise, they are arrays.
     */
    public String nextUnfinished() {
        return """
                SELECT {seen_state} AS state, partition_id, due_at, id
                FROM {job_by_due}
                WHERE partition_id = :partition AND %s AND due_at <= :until
                ORDER BY partition_id, due_at, id
                LIMIT :limit
                """.formatted(behind(":due", ":id"));
    }

    /** Returns the number of jobs that have ended in a state, counted up to {@code :limit}. */
    public String countEnded() {
        return """
                SELECT COUNT(*)
                FROM (
                    SELECT state
                    FROM {history_by_end}
                    WHERE state = :state
                    LIMIT :limit
                ) AS looked
                """;
    }

    /**
     * Counts the unfinished jobs of a partition with a due time from {@code :from} on, but before {@code :until}. Only
     * the first {@code :limit} jobs are counted. Returns bucket, name and number. Buckets are {@code :width}
     * milliseconds wide.
     */
    public String countDueByName() {
        return countDue("name");
    }

    /** Counts jobs like {@link #countDueByName()}, but reads only the index and returns an empty name. */
    public String countDue() {
        return countDue("'' AS name");
    }

    /**
     * Counts the unfinished jobs of a partition in each bucket, up to {@code :limit} in each. Returns the columns of
     * {@link #countDue()}, but no rows for empty buckets. {@code null} if the database can count only one bucket at a
     * time.
     */
    public @Nullable String countDueInEachBucket() {
        return null;
    }

    /**
     * Counts the unfinished jobs of a partition that are due within a span of time, but at most {@code :lookAt} jobs.
     *
     * @param only {@link #ALL} or {@link #awaiting()}
     */
    public String countSpan(String only) {
        return """
                SELECT COUNT(*)
                FROM (
                    SELECT due_at
                    FROM {job_by_due}
                    WHERE partition_id = :partition AND due_at >= :fromTime AND due_at <= :untilTime%s
                    ORDER BY partition_id, due_at
                    LIMIT :lookAt
                ) AS looked
                """.formatted(only);
    }

    private static String countDue(String name) {
        return """
                SELECT bucket, name, COUNT(*)
                FROM (
                    SELECT FLOOR((due_at - :from) / :width) AS bucket, name
                    FROM (
                        SELECT due_at, %s
                        FROM {job_by_due}
                        WHERE partition_id = :partition AND due_at >= :from AND due_at < :until
                        ORDER BY partition_id, due_at
                        LIMIT :limit
                    ) AS looked
                ) AS placed
                GROUP BY bucket, name
                """.formatted(name);
    }

    /** Returns the maximum number of dead letters to group. */
    public int failuresToGroup() {
        return 2_000;
    }

    /**
     * Groups the newest {@code :limit} dead letters that ended after {@code :since} and by {@code :until}. Returns
     * name, type of failure, bucket, number of jobs, first end and last end. Buckets are {@code :width} milliseconds
     * wide.
     */
    public String groupFailures() {
        return groupFailures(OF_GENERAL_TIME, ", keep_seconds DESC");
    }

    static String groupFailures(String ofGeneralTime, String thenByTime) {
        return """
                SELECT name, failure_type, bucket, COUNT(*), MIN(ended_at), MAX(ended_at)
                FROM (
                    SELECT name, failure_type, ended_at, FLOOR((ended_at - :since - 1) / :width) AS bucket
                    FROM (
                        SELECT name, failure_type, ended_at
                        FROM {history_by_end}
                        WHERE state = {failed}%s AND ended_at > :since AND ended_at <= :until
                        ORDER BY state DESC%s, ended_at DESC
                        LIMIT :limit
                    ) AS looked
                ) AS placed
                GROUP BY name, failure_type, bucket
                """.formatted(ofGeneralTime, thenByTime);
    }

    /** Reads id and message of one failed job, by {@code :name}, {@code :endedAt} and failure type {@code :error}. */
    public String newestFailure() {
        return newestFailure(OF_GENERAL_TIME);
    }

    static String newestFailure(String ofGeneralTime) {
        return """
                SELECT id, failure_message
                FROM {history_by_end}
                WHERE state = {failed}%s AND ended_at = :endedAt AND name = :name AND failure_type = :error
                ORDER BY id DESC
                LIMIT 1
                """.formatted(ofGeneralTime);
    }

    /**
     * Returns a query for the database's own estimates of the numbers of jobs. Each row has a state and a number of
     * jobs. The row of state 0 counts all unfinished jobs. {@code null} if the database has no estimates.
     */
    public @Nullable String estimateJobs() {
        return null;
    }

    /**
     * Returns a query for the size of jobs, history, attempts and indexes, in bytes. {@code null} if such a query would
     * cost too much work.
     */
    public @Nullable String sizeOfTables() {
        return null;
    }
}
