package io.delayjob.jdbc.dialect;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;
import org.springframework.util.ClassUtils;

/**
 * PostgreSQL: each transition is one statement. Batches are joined through {@code UNNEST}, never by {@code = ANY(...)}
 * beside other predicates, which leaves the choice of the index to the statistics.
 *
 * <p>A table of unfinished jobs is empty at one moment and holds a million rows at the next, and a plan that was made
 * for the empty one reads all of the million until the next {@code ANALYZE}. So the engine's statements come with the
 * settings that rule this out. They hold for the engine's own short transaction and travel with the statement, in one
 * round trip. In an application's transaction they would hold on; there the driver has the statement planned anew.
 */
final class PostgreSqlDialect extends Dialect {

    /** For batches of ids and of keys: a plan for the tables as they are now, a fraction of a millisecond. */
    private static final String PLANNED_ANEW = "SET LOCAL plan_cache_mode = force_custom_plan;\n";

    /**
     * For batches of ids: each is looked up. To read a table of some ten thousand rows as a whole looks cheaper to the
     * planner, and is not: the next batch reads all of it again.
     */
    private static final String ONE_BY_ONE = "SET LOCAL enable_hashjoin = off;\nSET LOCAL enable_mergejoin = off;\n";

    /**
     * For pages: along the index, in its order, and no further than the page goes. Without statistics the planner takes
     * a range for short and would rather collect and sort it.
     */
    private static final String ALONG_THE_INDEX =
            "SET LOCAL enable_seqscan = off;\nSET LOCAL enable_bitmapscan = off;\n";

    /**
     * An engine goes on at once from one statement to the next; a process that was stopped in between has lost its
     * turn.
     */
    private static final String ENDED_WHEN_SILENT = "SET LOCAL idle_in_transaction_session_timeout = '5s';\n";

    /** Somebody's transaction on a row is worth a short wait: most are over by then. */
    private static final String HARDLY_WAITING = "SET LOCAL lock_timeout = '5ms';\n";

    /**
     * For a lone row, found by its primary key: no kept plan along the index is a bad one, and to plan would take longer
     * than to run.
     */
    private static final String STRAIGHT_TO_ONE = ENDED_WHEN_SILENT + HARDLY_WAITING + ALONG_THE_INDEX;

    private static final String STRAIGHT = ENDED_WHEN_SILENT + HARDLY_WAITING + PLANNED_ANEW + ONE_BY_ONE;

    private static final String CLAIMED =
            "state = {running}, owner = :owner, token = :freshToken, attempt = attempt + 1, started_at = GREATEST(:now, due_at)";

    private static final String INSERTED_JOBS = """
            INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
            SELECT n.id, n.partition_id, n.name, n.job_key, n.payload, n.schedule, n.retry, n.trace, {delayed}, n.token,
                n.scheduled_at, n.planned_at, n.due_at, 1, 0, 0, 0, 0, FALSE, 0
            FROM {new_jobs}
            """;

    private static final String INSERTED_JOB = """
            INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
            VALUES (:id, :partition, :name, :key, :payload, :schedule, :retry, :trace, {delayed}, :token,
                :scheduledAt, :plannedAt, :dueAt, 1, 0, 0, 0, 0, FALSE, 0)
            """;

    private static final String UNLESS_TAKEN = "ON CONFLICT DO NOTHING\nRETURNING id\n";

    /** Others than PostgreSQL's own driver speak to such servers as well. */
    private static final boolean HAS_ITS_DRIVER =
            ClassUtils.isPresent("org.postgresql.PGStatement", PostgreSqlDialect.class.getClassLoader());

    /** Apart, for its class can be loaded only where the driver is. */
    private static final class Driver {

        /** Never prepares the statement on the server, which would keep a plan of it sooner or later. */
        static void planAnew(PreparedStatement statement) throws SQLException {
            if (statement.isWrapperFor(PGStatement.class)) {
                statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            }
        }
    }

    PostgreSqlDialect() {
        super("PostgreSQL", "postgresql", "13");
    }

    @Override
    public String guard() {
        return ENDED_WHEN_SILENT + PLANNED_ANEW + ONE_BY_ONE;
    }

    @Override
    public String limitLockWaits() {
        return "SET LOCAL lock_timeout = '200ms'";
    }

    @Override
    public void planAnew(PreparedStatement statement) throws SQLException {
        if (HAS_ITS_DRIVER) {
            Driver.planAnew(statement);
        }
    }

    @Override
    public Script insertJobs() {
        return Script.of(INSERTED_JOBS + UNLESS_TAKEN);
    }

    /** To see whether each row may be inserted, and to answer that, is work that jobs without keys need not cause. */
    @Override
    public Script insertUnkeyedJobs() {
        return Script.writing(INSERTED_JOBS);
    }

    /**
     * COPY heeds no rules, does not write through a view, and refuses where row level security is on for the user, who
     * may be another in each transaction. What is selected is worked out in its order: first the limit as it was.
     */
    @Override
    public @Nullable Copy copyUnkeyedJobs() {
        if (!HAS_ITS_DRIVER) {
            return null;
        }
        return new Copy("""
                SELECT t.present, set_config('statement_timeout',
                    CASE WHEN t.present <> '0' AND CAST(t.present AS INTERVAL) < CAST(:timeout AS INTERVAL)
                        THEN t.present ELSE :timeout END, TRUE)
                FROM (SELECT current_setting('statement_timeout') AS present) AS t
                CROSS JOIN pg_class c
                WHERE c.oid = CAST('{job}' AS REGCLASS)
                  AND c.relkind IN ('r', 'p') AND NOT c.relhasrules AND NOT row_security_active(c.oid)
                """, """
                COPY {job} (id, partition_id, name, token, scheduled_at, planned_at, due_at%s)
                FROM STDIN (FORMAT binary)
                """, "SELECT set_config('statement_timeout', :before, TRUE)");
    }

    @Override
    public Script insertJob() {
        return Script.of(INSERTED_JOB + UNLESS_TAKEN);
    }

    /** A row that may be refused is written first and confirmed later, which is a record of the log more. */
    @Override
    public Script insertUnkeyedJob() {
        return Script.writing(INSERTED_JOB);
    }

    @Override
    public Script replaceJobs() {
        return Script.of("""
                UPDATE {job} j
                SET partition_id = n.partition_id, payload = n.payload, schedule = n.schedule, retry = n.retry, trace = n.trace, token = n.token,
                    scheduled_at = n.scheduled_at, planned_at = n.planned_at, due_at = n.due_at,
                    run = 1, failures = 0, rescues = 0
                FROM {new_jobs}
                WHERE j.name = n.name AND j.job_key = n.job_key AND j.state = {delayed}
                RETURNING j.id, j.partition_id, j.name, j.due_at, j.token, j.job_key
                """);
    }

    @Override
    public Script postponeJobs() {
        return Script.of("""
                UPDATE {job} j
                SET partition_id = n.partition_id, due_at = n.due_at,
                    planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN n.planned_at ELSE j.planned_at END,
                    token = n.token
                FROM {new_jobs}
                WHERE j.name = n.name AND j.job_key = n.job_key AND j.state = {delayed}
                RETURNING j.id, j.partition_id, j.name, j.due_at, j.token, j.job_key
                """);
    }

    @Override
    public Script takeKeys() {
        return Script.of("""
                UPDATE {job} j
                SET job_key = NULL, cancel_requested = TRUE
                FROM {keys}
                WHERE j.name = k.name AND j.job_key = k.job_key AND j.state = {running}
                RETURNING j.id
                """);
    }

    @Override
    public Script reviveJob() {
        return Script.of("""
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                    started_at)
                SELECT id, partition_id, name, job_key, payload, schedule, retry, trace, {delayed}, :freshToken,
                    scheduled_at, :dueAt, :dueAt, run, attempt, 0, 0, in_doubt, FALSE, 0,
                    started_at
                FROM {history}
                WHERE id = :id AND state = {failed}
                ON CONFLICT DO NOTHING
                RETURNING id, partition_id, name, due_at, token
                """);
    }

    /**
     * The state is looked at in the locked rows alone: beside the token it would be a predicate on the table, and stale
     * statistics could talk the planner out of the primary key. A locked row is found again by its place, which saves a
     * second way through the index; the id goes with it, for places are unique in one table only. Who has changed it a
     * moment before has moved it: then it counts as locked.
     */
    @Override
    public Script claim() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id, j.ctid AS place, j.state AS picked_state
                    FROM {tokens}
                    JOIN {job} j ON j.id = u.id
                    WHERE j.token = u.token
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job} j
                SET %s
                FROM picked
                WHERE j.ctid = place AND j.id = picked_id AND picked_state = {delayed}
                RETURNING {job_columns}
                """.formatted(CLAIMED));
    }

    /** The state is part of the comparison of tokens, for the reason for which {@link #claim()} looks at it late. */
    @Override
    public Straight straight() {
        return new Straight(
                Script.of(STRAIGHT + """
                        UPDATE {job} j
                        SET %s
                        FROM {tokens}
                        WHERE j.id = u.id AND CASE WHEN j.state = {delayed} THEN j.token END = u.token
                        RETURNING {claimed_columns}
                        """.formatted(CLAIMED)),
                Script.of(STRAIGHT_TO_ONE + """
                        UPDATE {job} j
                        SET %s
                        WHERE j.id = :id AND j.token = :token AND j.state = {delayed}
                        RETURNING {claimed_columns}
                        """.formatted(CLAIMED)),
                finishing(STRAIGHT, """
                        USING {ends}
                        WHERE j.id = e.id AND j.token = e.token
                        """, "e.fresh_token, e.ended_at"),
                finishing(
                        STRAIGHT_TO_ONE,
                        """
                        WHERE j.id = :id AND j.token = :token
                        """,
                        "CAST(:freshToken AS BIGINT) AS fresh_token, CAST(:endedAt AS BIGINT) AS ended_at"),
                Script.of(STRAIGHT + """
                        DELETE FROM {job} j
                        USING {tokens}
                        WHERE j.id = u.id AND j.token = u.token
                        RETURNING j.id
                        """),
                Script.of(STRAIGHT_TO_ONE + """
                        DELETE FROM {job}
                        WHERE id = :id AND token = :token
                        RETURNING id
                        """));
    }

    private static Script finishing(String settings, String which, String end) {
        return Script.of(settings + """
                WITH gone AS (
                    DELETE FROM {job} j
                    %s    RETURNING j.id, j.partition_id, j.name, j.job_key, j.schedule, j.retry, j.trace, j.scheduled_at,
                        j.planned_at, j.due_at, j.run, j.attempt, j.failures, j.rescues, j.in_doubt, j.cancel_requested,
                        j.started_at, %s
                ), kept AS (
                    INSERT INTO {history} ({history_columns})
                    SELECT id, partition_id, name, job_key, NULL, schedule, retry, trace, {finished},
                        fresh_token, scheduled_at, planned_at, due_at, run, attempt, failures, rescues,
                        in_doubt, cancel_requested, started_at, ended_at, NULL, NULL, NULL
                    FROM gone
                )
                SELECT id FROM gone
                """.formatted(which, end));
    }

    @Override
    public Script release() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id
                    FROM {tokens}
                    JOIN {job} j ON j.id = u.id
                    WHERE j.token IN (u.token, :claimToken)
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job}
                SET state = {delayed}, owner = 0, token = :freshToken
                FROM picked
                WHERE id = picked_id
                RETURNING {job_columns}
                """);
    }

    @Override
    public Script rescue() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id
                    FROM {tokens}
                    JOIN {job} j ON j.id = u.id
                    WHERE j.token = u.token
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job}
                SET state = {delayed}, owner = 0, token = :freshToken, due_at = :now,
                    failures = failures + 1, rescues = rescues + 1, in_doubt = in_doubt + 1
                FROM picked
                WHERE id = picked_id
                RETURNING {job_columns}
                """);
    }

    @Override
    public Script endJobs() {
        return Script.of("""
                WITH picked AS (
                    SELECT e.*
                    FROM {ended_jobs}
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                ), gone AS (
                    DELETE FROM {job} j
                    USING picked e
                    WHERE j.id = e.id
                    RETURNING j.id, j.partition_id, j.name, j.job_key,
                        CASE WHEN e.state = {failed} THEN j.payload END AS payload,
                        j.schedule, j.retry, j.trace, e.state, e.fresh_token, j.scheduled_at, e.planned_at, j.due_at,
                        e.run, j.attempt, j.failures, j.rescues, GREATEST(0, j.in_doubt + e.doubt) AS in_doubt,
                        j.cancel_requested, j.started_at, e.ended_at,
                        e.failure_type, e.failure_message, e.failure_trace, e.keep
                ), kept AS (
                    INSERT INTO {history} ({history_columns})
                    SELECT id, partition_id, name, job_key, payload, schedule, retry, trace, state, fresh_token,
                        scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt,
                        cancel_requested, started_at, ended_at, failure_type, failure_message, failure_trace
                    FROM gone
                    WHERE keep
                ), forgotten AS (
                    DELETE FROM {attempt} a
                    USING gone g
                    WHERE a.job_id = g.id AND NOT g.keep
                )
                SELECT id FROM gone
                """);
    }

    @Override
    public Script returnJobs() {
        return Script.of("""
                WITH picked AS (
                    SELECT r.*
                    FROM {returns}
                    JOIN {job} j ON j.id = r.id AND j.token = r.token AND NOT j.cancel_requested
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job} j
                SET state = {delayed}, owner = 0, token = r.fresh_token, run = r.run, planned_at = r.planned_at,
                    due_at = r.due_at, failures = r.failures,
                    rescues = CASE WHEN r.new_run THEN 0 ELSE j.rescues END,
                    in_doubt = GREATEST(0, j.in_doubt + r.doubt)
                FROM picked r
                WHERE j.id = r.id
                RETURNING j.id
                """);
    }

    @Override
    public Script settleDoubt() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id
                    FROM {ids}
                    JOIN {job} j ON j.id = u.id
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job}
                SET in_doubt = GREATEST(0, in_doubt - :by)
                FROM picked
                WHERE id = picked_id
                RETURNING id
                """);
    }

    @Override
    public Script settleDoubtInHistory() {
        return Script.of("""
                WITH picked AS (
                    SELECT h.id AS picked_id
                    FROM {ids}
                    JOIN {history} h ON h.id = u.id
                    ORDER BY h.id
                    FOR UPDATE OF h SKIP LOCKED
                )
                UPDATE {history}
                SET in_doubt = GREATEST(0, in_doubt - :by)
                FROM picked
                WHERE id = picked_id
                RETURNING id
                """);
    }

    @Override
    public String pruneAttempts() {
        return """
                DELETE FROM {attempt} a
                USING (
                    SELECT u.id AS job_id, oldest.id AS id
                    FROM UNNEST(CAST(:id AS UUID ARRAY)) AS u(id)
                    CROSS JOIN LATERAL (
                        SELECT n.id FROM {attempt} n WHERE n.job_id = u.id ORDER BY n.id DESC LIMIT 1 OFFSET :keep
                    ) AS oldest
                ) AS superfluous
                WHERE a.job_id = superfluous.job_id AND a.id <= superfluous.id
                """;
    }

    @Override
    public String dueAfter() {
        return ALONG_THE_INDEX + """
                SELECT d.id, d.partition_id, d.name, d.due_at, d.token
                FROM UNNEST(
                    CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                ) AS c(partition_id, due_at, id)
                CROSS JOIN LATERAL (
                    SELECT j.id, j.partition_id, j.name, j.due_at, j.token
                    FROM {job} j
                    WHERE j.partition_id = c.partition_id
                      AND (j.due_at, j.id) > (c.due_at, c.id)
                      AND j.due_at <= :until
                      AND j.state = {delayed}
                    ORDER BY j.due_at, j.id
                    LIMIT :limit
                ) AS d
                """;
    }

    @Override
    public String overdue() {
        return ALONG_THE_INDEX + """
                SELECT d.id, d.partition_id, d.name, d.due_at, d.token, d.wanted, d.place
                FROM UNNEST(
                    CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                ) AS c(partition_id, due_at, id)
                CROSS JOIN LATERAL (
                    SELECT l.id, l.partition_id, l.name, l.due_at, l.token, l.wanted, l.place
                    FROM (
                        SELECT p.id, p.partition_id, p.name, p.due_at, p.token,
                            p.state = {delayed} AND p.name = ANY(CAST(:name AS CHARACTER VARYING ARRAY)) AS wanted,
                            ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                        FROM (
                            SELECT j.id, j.partition_id, j.name, j.due_at, j.token, j.state
                            FROM {job} j
                            WHERE j.partition_id = c.partition_id
                              AND (j.due_at, j.id) > (c.due_at, c.id)
                              AND j.due_at <= :until
                            ORDER BY j.due_at, j.id
                            LIMIT :lookAt
                        ) AS p
                    ) AS l
                    WHERE l.wanted OR l.place = :lookAt
                    ORDER BY l.due_at, l.id
                    LIMIT :limit
                ) AS d
                """;
    }

    @Override
    public String lost() {
        return ALONG_THE_INDEX + """
                SELECT d.id, d.partition_id, d.name, d.due_at, d.token, d.lost, d.place
                FROM UNNEST(
                    CAST(:partition AS INTEGER ARRAY), CAST(:due AS BIGINT ARRAY), CAST(:id AS UUID ARRAY)
                ) AS c(partition_id, due_at, id)
                CROSS JOIN LATERAL (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token,
                        p.state = {running}
                            AND NOT EXISTS (SELECT 1 FROM {instance} i WHERE i.number = p.owner) AS lost,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT j.id, j.partition_id, j.name, j.due_at, j.token, j.state, j.owner
                        FROM {job} j
                        WHERE j.partition_id = c.partition_id
                          AND (j.due_at, j.id) > (c.due_at, c.id)
                          AND j.due_at <= :until
                        ORDER BY j.due_at, j.id
                        LIMIT :limit
                    ) AS p
                ) AS d
                WHERE d.lost OR d.place = :limit
                """;
    }

    /**
     * Hops from one partition to the next: so many index look-ups as there are partitions, whatever the number of rows.
     */
    @Override
    public String partitionsInUse() {
        return ALONG_THE_INDEX + """
                WITH RECURSIVE used AS (
                    (SELECT partition_id, due_at FROM {job} ORDER BY partition_id, due_at LIMIT 1)
                    UNION ALL
                    SELECT next.partition_id, next.due_at
                    FROM used u
                    CROSS JOIN LATERAL (
                        SELECT j.partition_id, j.due_at
                        FROM {job} j
                        WHERE j.partition_id > u.partition_id
                        ORDER BY j.partition_id, j.due_at
                        LIMIT 1
                    ) AS next
                )
                SELECT partition_id, due_at
                FROM used
                """;
    }

    @Override
    public String alongTheIndex() {
        return ALONG_THE_INDEX + ONE_BY_ONE;
    }

    /** One partition after the other, until it has seen enough. */
    @Override
    public String countUnfinished() {
        return countUnfinished("""
                SELECT d.state, d.due_at
                FROM UNNEST(CAST(:partition AS INTEGER ARRAY)) AS c(partition_id)
                CROSS JOIN LATERAL (
                    SELECT j.state, j.due_at
                    FROM {job} j
                    WHERE j.partition_id = c.partition_id AND j.due_at > :from AND j.due_at <= :until
                    ORDER BY j.due_at
                    LIMIT :limit
                ) AS d
                LIMIT :limit
                """);
    }

    @Override
    public Script purgeHistory() {
        return Script.of(ALONG_THE_INDEX + """
                WITH old AS (
                    SELECT ctid AS place, id
                    FROM {history}
                    WHERE state = :state AND ended_at < :before
                        AND (state <> {cancelled} OR job_key IS NULL OR job_key <> :declaredKey)
                    ORDER BY ended_at
                    LIMIT :limit
                    FOR UPDATE SKIP LOCKED
                ), gone AS (
                    DELETE FROM {history} h
                    USING old
                    WHERE h.ctid = old.place AND h.id = old.id
                    RETURNING h.id
                ), forgotten AS (
                    DELETE FROM {attempt} a
                    USING gone g
                    WHERE a.job_id = g.id
                )
                SELECT id FROM gone
                """);
    }

    @Override
    public Script registerInstance() {
        return Script.of("""
                INSERT INTO {instance} (incarnation, queues, handlers, stopping, beats)
                VALUES (:incarnation, :queues, :handlers, FALSE, 0)
                RETURNING number
                """);
    }

    /** Its clock is read after the commit, whose time would count as time that has passed on the way. */
    @Override
    public Script beat() {
        return Script.writing("""
                UPDATE {instance}
                SET beats = beats + 1, stopping = :stopping
                WHERE number = :number
                """, clock() + " FROM {instance} WHERE number = :number");
    }

    @Override
    public String insertNotice() {
        return """
                INSERT INTO {notice} (kind, name, owner, noted_at)
                VALUES (:kind, :name, :owner, :now)
                ON CONFLICT DO NOTHING
                """;
    }

    /** The names are joined to nothing: without statistics all of them would be gone through for each notice. */
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
