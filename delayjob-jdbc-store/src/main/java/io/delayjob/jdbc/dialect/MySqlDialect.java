package io.delayjob.jdbc.dialect;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * MySQL, and what MariaDB has in common with it. There are no arrays and no {@code RETURNING}: a batch goes in as JSON,
 * and a transition first locks its rows and reads them as they will be, then makes them so.
 *
 * <p>InnoDB locks the gap where a locking read or a duplicate finds nothing, and whoever inserts there has to wait. In
 * READ COMMITTED, the level of the store's own transactions, only duplicates do so; in REPEATABLE READ, the usual level
 * of the caller's, reads do as well. So the store looks before it inserts a key, and no statement locks what a plain
 * look does not find.
 */
class MySqlDialect extends Dialect {

    /** UTC, lest the hour that comes twice in autumn be ambiguous. Of the statement, as nothing here lasts. */
    private static final String MICROS = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

    private static final Map<String, String> CLAIMED = new TreeMap<>(Map.of(
            "state", "{running}",
            "owner", ":owner",
            "token", ":freshToken",
            "attempt", "j.attempt + 1",
            "started_at", "GREATEST(:now, j.due_at)"));

    private static final Map<String, String> RELEASED =
            new TreeMap<>(Map.of("state", "{delayed}", "owner", "0", "token", ":freshToken"));

    private static final Map<String, String> RESCUED = new TreeMap<>(Map.of(
            "state", "{delayed}",
            "owner", "0",
            "token", ":freshToken",
            "due_at", ":now",
            "failures", "j.failures + 1",
            "rescues", "j.rescues + 1",
            "in_doubt", "j.in_doubt + 1"));

    private static final String CHANGE_LOCKED = """
            UPDATE {locked}
            {job_of_locked}
            SET %s
            """;

    private static final String DELETE_LOCKED = """
            DELETE j
            FROM {locked}
            {job_of_locked}
            """;

    private static final String SKIP_LOCKED = " SKIP LOCKED";

    private final Map<String, String> fragments;

    /** The collation is the newest thing asked for. */
    MySqlDialect() {
        this("MySQL", "mysql", "8.0.17", JsonFragments.of("utf8mb4_0900_bin", "FOR UPDATE OF j", "FOR SHARE OF j"));
    }

    MySqlDialect(String productName, String platform, String oldest, Map<String, String> fragments) {
        super(productName, platform, oldest);
        this.fragments = fragments;
    }

    @Override
    final Map<String, String> fragments() {
        return fragments;
    }

    @Override
    public final boolean hasArrays() {
        return false;
    }

    @Override
    public final boolean looksThroughOnePartition() {
        return true;
    }

    @Override
    public final boolean insertsAllOrNothing() {
        return true;
    }

    @Override
    public final Mark mark() {
        return new Mark("SAVEPOINT delayjob_attempt", "RELEASE SAVEPOINT delayjob_attempt");
    }

    /** The columns of an unfinished job once {@code change} has been made. */
    private static String changed(Map<String, String> change) {
        return Fragments.jobColumns("j.", change);
    }

    private static String change(Map<String, String> change) {
        return CHANGE_LOCKED.formatted(change.entrySet().stream()
                .map(column -> "j." + column.getKey() + " = " + column.getValue())
                .collect(Collectors.joining(", ")));
    }

    /** Without {@code ON DUPLICATE KEY} or {@code IGNORE}: those lock the gaps beside every key that they insert. */
    @Override
    public final Script insertJobs() {
        return Script.writing("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
                SELECT UNHEX(b.id), b.partition_id, b.name, b.job_key, b.payload, b.schedule, b.retry, b.trace, {delayed},
                    b.token, b.scheduled_at, b.planned_at, b.due_at, 1, 0, 0, 0, 0, FALSE, 0
                FROM {new_jobs}
                """);
    }

    @Override
    public final String findKeys() {
        return """
                SELECT j.name, j.job_key, j.id, j.state
                FROM {keys}
                {job_of_key}
                """;
    }

    @Override
    public final String findLatestKeys() {
        return findKeys() + "{for_share}";
    }

    @Override
    public final Script replaceJobs() {
        return Script.answering("""
                SELECT j.id, b.partition_id, j.name, b.due_at, b.token, j.job_key
                FROM {new_jobs}
                {job_of_key}
                WHERE j.state = {delayed}
                {for_update}
                """, """
                UPDATE {new_jobs}
                {job_of_key}
                SET j.partition_id = b.partition_id, j.payload = b.payload, j.schedule = b.schedule, j.retry = b.retry, j.trace = b.trace,
                    j.token = b.token, j.scheduled_at = b.scheduled_at, j.planned_at = b.planned_at, j.due_at = b.due_at,
                    j.run = 1, j.failures = 0, j.rescues = 0
                WHERE {is_locked}
                """);
    }

    @Override
    public final Script postponeJobs() {
        return Script.answering("""
                SELECT j.id, b.partition_id, j.name, b.due_at, b.token, j.job_key
                FROM {new_jobs}
                {job_of_key}
                WHERE j.state = {delayed}
                {for_update}
                """, """
                UPDATE {new_jobs}
                {job_of_key}
                SET j.partition_id = b.partition_id, j.due_at = b.due_at,
                    j.planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN b.planned_at ELSE j.planned_at END,
                    j.token = b.token
                WHERE {is_locked}
                """);
    }

    @Override
    public final Script takeKeys() {
        return Script.answering("""
                SELECT j.id
                FROM {keys}
                {job_of_key}
                WHERE j.state = {running}
                {for_update}
                """, CHANGE_LOCKED.formatted("j.job_key = NULL, j.cancel_requested = TRUE"));
    }

    /** Looks first: see the class. */
    @Override
    public final String lockJob() {
        return """
                SELECT {job_columns}
                FROM (SELECT id AS found_id FROM {job} WHERE id = :id LIMIT 1) AS found
                STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = found_id
                {for_update}
                """;
    }

    /** Looks first: see the class. */
    @Override
    public final String lockKey() {
        return """
                SELECT {job_columns}
                FROM (SELECT id AS found_id FROM {job} WHERE name = :name AND job_key = :key LIMIT 1) AS found
                STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = found_id
                WHERE j.name = :name AND j.job_key = :key
                {for_update}
                """;
    }

    @Override
    public final Script reviveJob() {
        return Script.writing("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, {delayed},
                    :freshToken, h.scheduled_at, :dueAt, :dueAt, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                    h.started_at
                FROM {history} h
                WHERE h.id = :id AND h.state = {failed}
                """, """
                SELECT id, partition_id, name, due_at, token
                FROM {job}
                WHERE id = :id AND token = :freshToken
                """);
    }

    @Override
    public final Script claim() {
        return Script.answering("SELECT " + changed(CLAIMED) + """

                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token AND j.state = {delayed}
                {for_update}""" + SKIP_LOCKED, change(CLAIMED));
    }

    @Override
    public final Script release() {
        return Script.answering("SELECT " + changed(RELEASED) + """

                FROM {tokens}
                {job_of_batch}
                WHERE j.token IN (b.token, :claimToken)
                {for_update}""" + SKIP_LOCKED, change(RELEASED));
    }

    @Override
    public final Script rescue() {
        return Script.answering("SELECT " + changed(RESCUED) + """

                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token
                {for_update}""" + SKIP_LOCKED, change(RESCUED));
    }

    @Override
    public final Script endJobs() {
        return Script.answering("""
                SELECT j.id
                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token AND NOT (b.state = {failed} AND j.cancel_requested)
                {for_update}""" + SKIP_LOCKED, """
                INSERT INTO {history} ({history_columns})
                SELECT j.id, j.partition_id, j.name, j.job_key,
                    CASE WHEN b.state = {failed} THEN j.payload END,
                    j.schedule, j.retry, j.trace, b.state, b.fresh_token, j.scheduled_at, b.planned_at, j.due_at,
                    b.run, j.attempt, j.failures, j.rescues, GREATEST(0, j.in_doubt + b.doubt),
                    j.cancel_requested, j.started_at, b.ended_at,
                    b.failure_type, b.failure_message, b.failure_trace
                FROM {locked_endings}
                {job_of_batch}
                WHERE b.keep
                """, """
                DELETE a
                FROM {locked_endings}
                STRAIGHT_JOIN {attempt} a FORCE INDEX (attempt_job) ON a.job_id = UNHEX(b.id)
                WHERE NOT b.keep
                """, DELETE_LOCKED);
    }

    @Override
    public final Script returnJobs() {
        return Script.answering("""
                SELECT j.id
                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token AND NOT j.cancel_requested
                {for_update}""" + SKIP_LOCKED, """
                UPDATE {locked_returns}
                {job_of_batch}
                SET j.state = {delayed}, j.owner = 0, j.token = b.fresh_token, j.run = b.run,
                    j.planned_at = b.planned_at, j.due_at = b.due_at, j.failures = b.failures,
                    j.rescues = CASE WHEN b.new_run THEN 0 ELSE j.rescues END,
                    j.in_doubt = GREATEST(0, j.in_doubt + b.doubt)
                """);
    }

    @Override
    public final String locate() {
        return """
                SELECT j.id, j.token, j.state, j.cancel_requested
                FROM {ids}
                {job_of_batch}
                UNION ALL
                SELECT h.id, h.token, h.state, h.cancel_requested
                FROM {ids}
                STRAIGHT_JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(b.id)
                """;
    }

    @Override
    public final String insertAttempts() {
        return """
                INSERT INTO {attempt} (job_id, run, attempt, outcome, owner, started_at, ended_at,
                    failure_type, failure_message, failure_trace)
                SELECT UNHEX(b.id), b.run, b.attempt, b.outcome, b.owner, b.started_at, b.ended_at,
                    b.failure_type, b.failure_message, b.failure_trace
                FROM {attempts}
                """;
    }

    @Override
    public final String pruneAttempts() {
        return """
                DELETE a
                FROM (
                    SELECT job_id, id
                    FROM (
                        SELECT n.job_id, n.id, ROW_NUMBER() OVER (PARTITION BY n.job_id ORDER BY n.id DESC) AS place
                        FROM {ids}
                        STRAIGHT_JOIN {attempt} n FORCE INDEX (attempt_job) ON n.job_id = UNHEX(b.id)
                    ) AS ranked
                    WHERE place = :keep + 1
                ) AS superfluous
                STRAIGHT_JOIN {attempt} a FORCE INDEX (attempt_job)
                    ON a.job_id = superfluous.job_id AND a.id <= superfluous.id
                """;
    }

    @Override
    public final Script settleDoubt() {
        return Script.answering(
                """
                SELECT j.id
                FROM {ids}
                {job_of_batch}
                {for_update}""" + SKIP_LOCKED, CHANGE_LOCKED.formatted("j.in_doubt = GREATEST(0, j.in_doubt - :by)"));
    }

    @Override
    public final Script settleDoubtInHistory() {
        return Script.answering("""
                SELECT j.id
                FROM {ids}
                STRAIGHT_JOIN {history} j FORCE INDEX (PRIMARY) ON j.id = UNHEX(b.id)
                {for_update}""" + SKIP_LOCKED, """
                UPDATE {locked}
                STRAIGHT_JOIN {history} j FORCE INDEX (PRIMARY) ON j.id = UNHEX(l.id)
                SET j.in_doubt = GREATEST(0, j.in_doubt - :by)
                """);
    }

    /** The order of the ids would tempt the optimizer to read along the primary key. */
    @Override
    public final String findKey() {
        return super.findKey().replace("{history}", "{history} FORCE INDEX (history_key)");
    }

    /** Two ranges, as the optimizer reads them: it does not see one in a comparison of rows. */
    @Override
    public final String dueAfter() {
        return """
                SELECT id, partition_id, name, due_at, token
                FROM {job} FORCE INDEX (job_due)
                WHERE partition_id = :partition
                  AND (due_at = :due AND id > :id OR due_at > :due)
                  AND due_at <= :until
                  AND state = {delayed}
                ORDER BY due_at, id
                LIMIT :limit
                """;
    }

    /** The page is cut before its rows are numbered: the optimizer numbers all that there are. */
    @Override
    public final String overdue() {
        return """
                SELECT id, partition_id, name, due_at, token, wanted, place
                FROM (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token,
                        CASE WHEN p.state = {delayed} AND p.name IN (SELECT n.name FROM {names})
                            THEN TRUE ELSE FALSE END AS wanted,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, state
                        FROM {job} FORCE INDEX (job_due)
                        WHERE partition_id = :partition
                          AND (due_at = :due AND id > :id OR due_at > :due)
                          AND due_at <= :until
                        ORDER BY due_at, id
                        LIMIT :lookAt
                    ) AS p
                ) AS looked
                WHERE wanted OR place = :lookAt
                ORDER BY due_at, id
                LIMIT :limit
                """;
    }

    /** Cut before it is numbered, as {@link #overdue()}. */
    @Override
    public final String lost() {
        return """
                SELECT id, partition_id, name, due_at, token, lost, place
                FROM (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token,
                        CASE WHEN p.state = {running}
                            AND NOT EXISTS (SELECT 1 FROM {instance} i WHERE i.number = p.owner)
                            THEN TRUE ELSE FALSE END AS lost,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, state, owner
                        FROM {job} FORCE INDEX (job_due)
                        WHERE partition_id = :partition
                          AND (due_at = :due AND id > :id OR due_at > :due)
                          AND due_at <= :until
                        ORDER BY due_at, id
                        LIMIT :limit
                    ) AS p
                ) AS page
                WHERE lost OR place = :limit
                """;
    }

    @Override
    public final String partitionsInUse() {
        return "SELECT partition_id, MIN(due_at) FROM {job} FORCE INDEX (job_due) GROUP BY partition_id";
    }

    @Override
    public final Script purgeHistory() {
        return Script.answering("""
                SELECT id
                FROM {history} FORCE INDEX (history_ended)
                WHERE state = :state AND ended_at < :before
                    AND (state <> {cancelled} OR job_key IS NULL OR job_key <> :declaredKey)
                ORDER BY ended_at
                LIMIT :limit
                FOR UPDATE SKIP LOCKED
                """, """
                DELETE a
                FROM {locked}
                STRAIGHT_JOIN {attempt} a FORCE INDEX (attempt_job) ON a.job_id = UNHEX(l.id)
                """, """
                DELETE h
                FROM {locked}
                STRAIGHT_JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(l.id)
                """);
    }

    @Override
    public final Script registerInstance() {
        return Script.writing("""
                INSERT INTO {instance} (incarnation, queues, handlers, stopping, beats)
                VALUES (:incarnation, :queues, :handlers, FALSE, 0)
                """, "SELECT LAST_INSERT_ID()");
    }

    @Override
    public final Script beat() {
        return Script.writing("""
                UPDATE {instance}
                SET beats = beats + 1, stopping = :stopping
                WHERE number = :number
                """, "SELECT " + MICROS + " FROM {instance} WHERE number = :number");
    }

    @Override
    public final String insertNotice() {
        return """
                INSERT IGNORE INTO {notice} (kind, name, owner, noted_at)
                VALUES (:kind, :name, :owner, :now)
                """;
    }

    /** The names first, each of which finds its notice by the primary key. */
    @Override
    public final String deleteNotices() {
        return """
                DELETE noted
                FROM {names}
                STRAIGHT_JOIN {notice} noted FORCE INDEX (PRIMARY) ON noted.kind = :kind AND noted.name = n.name
                WHERE noted.owner = :owner
                """;
    }

    @Override
    public final String clock() {
        return "SELECT " + MICROS;
    }

    @Override
    public final String insertQueue() {
        return """
                INSERT INTO {queue} (name)
                SELECT :name
                FROM DUAL
                WHERE NOT EXISTS (SELECT 1 FROM {queue} q WHERE q.name = :name)
                """;
    }

    @Override
    public final String shortenLock() {
        return """
                UPDATE {lock}
                SET lock_until = TIMESTAMPADD(MICROSECOND, :micros, UTC_TIMESTAMP(3))
                WHERE name = :name AND lock_until > TIMESTAMPADD(MICROSECOND, :micros, UTC_TIMESTAMP(3))
                """;
    }
}
