package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.Direction;
import io.delayjob.internal.jdbc.dialect.ReadSql;
import io.delayjob.internal.jdbc.dialect.Script;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.internal.jdbc.dialect.Straight;
import io.delayjob.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The hot statements touch so many rows as they have to, whatever the planner knows: counted by the server, over a
 * table that was empty when the statements were first planned, filled since, and analysed at last.
 */
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgreSqlPlanContractTest {

    /** Of each partition as many overdue as yet to come. */
    private static final int MANY = 200_000;

    /** Number of rows for a single statement. One partition has more rows than any bound of these tests. */
    private static final int ENOUGH = 50_000;

    /** Number of unfinished jobs among which people look for some. There are half as many ended jobs. */
    private static final int CROWD = Integer.getInteger("delayjob.test.rows", 200_000);

    private static final int PARTITIONS = 8;
    private static final int ONE = 3;
    private static final int PAGE = 50;
    private static final int LOOK = 500;
    private static final int BUCKETS = 4;

    /** One job in so many awaits an answer, in each partition. */
    private static final int AWAITING = 1_001;

    private static final SqlTemplate TABLES = new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null);
    private static final List<Integer> ALL_PARTITIONS =
            IntStream.range(0, PARTITIONS).boxed().toList();

    private HikariDataSource pool;
    private Connection connection;
    private Database database;
    private int rows;
    private int batch;
    private List<String> names;
    private long cursorTime;
    private UUID cursorId;

    @BeforeEach
    void makeTables() throws SQLException {
        rows = ENOUGH;
        batch = 100;
        names = List.of("send-mail", "send-sms");
        cursorTime = Long.MIN_VALUE;
        cursorId = new UUID(0, 0);
        pool = TestPostgres.newStore();
        connection = pool.getConnection();
        database = new Database(pool, Dialect.postgreSql(), TABLES, Duration.ofSeconds(10));
        for (String table : List.of("delayjob_job", "delayjob_history")) {
            run("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
            run("VACUUM ANALYZE " + table);
        }
        connection.setAutoCommit(false);
    }

    @AfterEach
    void closeDatabase() throws SQLException {
        if (pool != null) {
            connection.close();
            pool.close();
        }
    }

    /** The statements, and how many rows each may touch: an id is looked up once to lock it and once to change it. */
    private Map<Sql, Integer> hotStatements() {
        Dialect dialect = database.dialect();
        int lookedUp = 3 * batch;
        int pages = PAGE * PARTITIONS;
        Map<Sql, Integer> statements = new LinkedHashMap<>();
        for (Script script : List.of(
                dialect.claims().claim(),
                dialect.claims().release(),
                dialect.claims().rescue(),
                dialect.ends().endJobs(),
                dialect.ends().returnJobs(),
                dialect.submission().insertFollowers(),
                dialect.ends().settleDoubt(),
                dialect.ends().settleDoubtInHistory())) {
            statements.put(Objects.requireNonNull(database.ownSteps(script).answer()), lookedUp);
        }
        for (Straight straight : Stream.of(
                        dialect.claims().claimStraight(),
                        dialect.ends().finishStraight(),
                        dialect.ends().forgetStraight())
                .map(Objects::requireNonNull)
                .toList()) {
            statements.put(only(database.keptSteps(straight.batch())), batch);
            statements.put(only(database.keptSteps(straight.few())), batch);
            statements.put(only(database.keptSteps(straight.one())), ONE);
        }
        statements.put(database.keptSql(dialect.pages().dueAfter()), pages);
        statements.put(database.keptSql(dialect.pages().overdue()), pages);
        statements.put(database.keptSql(Objects.requireNonNull(dialect.pages().nextRows())), pages);
        statements.put(database.keptSql(dialect.pages().claimed()), pages);
        statements.put(
                database.keptSql(
                        dialect.reads().alongTheIndex() + dialect.pages().partitionsInUse()),
                2 * PARTITIONS);
        return statements;
    }

    /**
     * What people ask for, with filters that every job or those of one key match. Each row is first judged and then
     * read.
     */
    private Map<Sql, Integer> fullPages() {
        Dialect dialect = database.dialect();
        // The server reads a few ahead.
        return Map.of(
                look(dialect.reads().lookAtUnfinished(Direction.ASCENDING)), 3 * PAGE,
                look(dialect.reads().lookAtDue(ReadSql.ALL)), 3 * PAGE,
                look(dialect.reads().lookAtEnded(Direction.DESCENDING)), 3 * PAGE,
                look(dialect.reads().lookAtAll(Direction.ASCENDING)), 6 * PAGE,
                look(dialect.reads().lookAtKey(Direction.ASCENDING)), 4 * ONE);
    }

    private static Sql only(Database.Steps script) {
        Sql answer = script.answer();
        return answer == null ? script.writes().get(0) : answer;
    }

    /** Those that run in an application's transaction as well, where a setting would outlast them. */
    private Map<Sql, Integer> statementsOfApplications() {
        Dialect dialect = database.dialect();
        int lookedUp = 3 * batch;
        Map<Sql, Integer> statements = new LinkedHashMap<>();
        for (Script script : List.of(
                dialect.submission().replaceJobs(),
                dialect.submission().postponeJobs(),
                dialect.submission().takeKeys(),
                dialect.submission().insertFollowers(),
                dialect.ends().endJobs())) {
            statements.put(Objects.requireNonNull(database.steps(script).answer()), lookedUp);
        }
        statements.put(database.sql(dialect.submission().findKeys()), lookedUp);
        statements.put(database.sql(dialect.submission().findLatestKeys()), lookedUp);
        statements.put(database.sql(dialect.ends().locate()), lookedUp);
        statements.put(database.sql(dialect.ends().locateEnded()), lookedUp);
        for (String statement : List.of(
                dialect.byHand().lockJobs(),
                dialect.byHand().rescheduleJobs(),
                dialect.byHand().lockEnded(),
                dialect.byHand().deleteAllFromHistory())) {
            statements.put(database.sql(statement), lookedUp);
        }
        statements.put(
                Objects.requireNonNull(
                        database.steps(dialect.byHand().reviveJobs()).answer()),
                lookedUp);
        for (String statement : List.of(
                dialect.byHand().lockJob(),
                dialect.byHand().lockKey(),
                dialect.reads().findJob(),
                dialect.reads().findKey(),
                dialect.byHand().requestCancel(),
                dialect.byHand().dropKey(),
                dialect.byHand().reschedule(),
                dialect.byHand().lockFailed(),
                dialect.byHand().deleteFromHistory())) {
            statements.put(database.sql(statement), ONE);
        }
        statements.put(
                Objects.requireNonNull(
                        database.steps(dialect.byHand().reviveJob()).answer()),
                ONE);
        return statements;
    }

    /** All in the same tables, because these take long to fill. */
    @Test
    void statementsOfTheEngine_ofApplications_andForPeople_touchWhatTheyMust() throws SQLException {
        rows = MANY;
        Map<Sql, Integer> statements = hotStatements();
        statements.putAll(statementsOfApplications());
        statements.putAll(fullPages());
        touchWhatTheyMust(statements);
    }

    /** The planner takes so many look-ups for dearer than to read them all. */
    @Test
    void hotStatements_touchWhatTheyMustAmongFewRows() throws SQLException {
        rows = 20_000;
        batch = 1_000;
        touchWhatTheyMust(hotStatements());
    }

    private void touchWhatTheyMust(Map<Sql, Integer> statements) throws SQLException {
        for (Sql sql : statements.keySet()) {
            // More often than the driver and the server wait before they keep a plan.
            for (int i = 0; i < 15; i++) {
                execute(sql, List.of());
                connection.commit();
            }
        }
        fill();

        for (Map.Entry<Sql, Integer> each : statements.entrySet()) {
            assertThat(rowsTouched(each.getKey()))
                    .as("rows touched without statistics by %s", each.getKey().text())
                    .isBetween(1L, (long) each.getValue());
        }
        run("ANALYZE delayjob_job");
        run("ANALYZE delayjob_history");
        for (Map.Entry<Sql, Integer> each : statements.entrySet()) {
            assertThat(rowsTouched(each.getKey()))
                    .as("rows touched with statistics by %s", each.getKey().text())
                    .isBetween(1L, (long) each.getValue());
        }
    }

    /** What people ask for, with filters that nothing matches, so that each look goes as far as it may. */
    @Test
    void looksForPeople_touchNoMoreThanTheyMayHoweverManyRowsThereAre() throws SQLException {
        rows = CROWD;
        names = List.of("nobody");
        Dialect dialect = database.dialect();
        Map<Sql, Integer> looks = new LinkedHashMap<>();
        // The last row that was looked at is read for the cursor, and the server reads a few ahead.
        for (Direction direction : Direction.values()) {
            looks.put(look(dialect.reads().lookAtUnfinished(direction)), LOOK + PAGE);
            looks.put(look(dialect.reads().lookAtEnded(direction)), LOOK + PAGE);
            looks.put(look(dialect.reads().lookAtAll(direction)), 2 * LOOK + PAGE);
        }
        looks.put(look(dialect.reads().lookAtDue(ReadSql.ALL)), LOOK + PAGE);
        looks.put(look(dialect.reads().lookAtSpan(Direction.ASCENDING, ReadSql.ALL)), LOOK + PAGE);
        looks.put(look(dialect.reads().lookAtSpan(Direction.DESCENDING, ReadSql.ALL)), LOOK + PAGE);
        looks.put(look(dialect.reads().countSpan(ReadSql.ALL)), LOOK + PAGE);
        String awaiting = Objects.requireNonNull(dialect.reads().awaiting());
        int found = rows / AWAITING / PARTITIONS;
        looks.put(look(dialect.reads().lookAtDue(awaiting)), 2 * found);
        looks.put(look(dialect.reads().lookAtSpan(Direction.ASCENDING, awaiting)), 2 * found);
        looks.put(look(dialect.reads().lookAtSpan(Direction.DESCENDING, awaiting)), 2 * found);
        looks.put(look(dialect.reads().countSpan(awaiting)), 2 * found);
        looks.put(look(Objects.requireNonNull(dialect.reads().countDueInEachBucket())), 2 * BUCKETS * PAGE);
        looks.put(look(dialect.reads().countDue()), 2 * PAGE);
        looks.put(look(dialect.reads().countDueByName()), 2 * PAGE);
        looks.put(look(dialect.reads().groupFailures()), 2 * PAGE);
        looks.put(look(dialect.reads().newestFailure()), ONE);
        looks.put(look(dialect.reads().nextUnfinished()), 2 * PAGE);
        looks.put(look(dialect.reads().countEnded()), 2 * PAGE);
        touchWhatTheyMust(looks);
    }

    @Test
    void lookBehindACursor_amidJobsOfOneDueTime_touchesNoMoreThanItMay() throws SQLException {
        names = List.of("nobody");
        fill();
        run("UPDATE delayjob_job SET due_at = 7");
        cursorTime = 7;
        cursorId =
                UUID.fromString(text("SELECT id FROM delayjob_job WHERE partition_id = 3 ORDER BY id OFFSET %d LIMIT 1"
                        .formatted(rows / PARTITIONS / 2)));
        connection.commit();

        for (boolean isAnalysed : List.of(false, true)) {
            if (isAnalysed) {
                run("ANALYZE delayjob_job");
            }
            assertThat(rowsTouched(look(database.dialect().reads().lookAtDue(ReadSql.ALL))))
                    .isBetween((long) LOOK, LOOK + (long) PAGE);
        }
    }

    @Test
    void attemptsOfAJob_touchItsLogAlone() throws SQLException {
        Sql attempts = database.sql(database.dialect().reads().findAttempts());
        run("""
                INSERT INTO delayjob_attempt (job_id, run, attempt, outcome, owner, ended_at)
                SELECT LPAD(TO_HEX(i / 5), 32, '0')::UUID, 1, i %% 5, 'RETRY', 7, i
                FROM generate_series(0, %d) i
                """.formatted(rows));
        for (boolean isAnalysed : List.of(false, true)) {
            if (isAnalysed) {
                run("ANALYZE delayjob_attempt");
            }
            assertThat(rowsTouched("delayjob_attempt", attempts, List.of(new UUID(0, 77))))
                    .isEqualTo(5);
        }
    }

    @Test
    void minutesOfASpan_touchItsRowsAlone() throws SQLException {
        Sql minutes = database.sql(database.dialect().statistics().sumMinutes());
        run("""
                INSERT INTO delayjob_minute
                SELECT minute * CAST(60000 AS BIGINT), owner, 'send-mail', 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
                FROM generate_series(1, %d) minute, generate_series(1, 4) owner
                """.formatted(rows / 4));
        for (boolean isAnalysed : List.of(false, true)) {
            if (isAnalysed) {
                run("ANALYZE delayjob_minute");
            }
            // The server reads a few ahead.
            assertThat(rowsTouched("delayjob_minute", minutes, List.of())).isBetween(4L * 60, 5L * 60);
        }
    }

    private Sql look(String statement) {
        return database.sql(database.dialect().reads().alongTheIndex() + statement);
    }

    @Test
    void applicationsOwnSettings_areLeftAlone() throws SQLException {
        String before = text("SHOW plan_cache_mode");
        for (Sql sql : statementsOfApplications().keySet()) {
            execute(sql, List.of());
            assertThat(text("SHOW plan_cache_mode")).isEqualTo(before);
        }
    }

    @Test
    void overdue_stepsOverNoMoreRowsOfOthersThanItIsAskedTo() throws SQLException {
        names = List.of("send-sms");
        fill();

        assertThat(rowsTouched(database.keptSql(Dialect.postgreSql().pages().overdue())))
                .as("rows touched in a backlog of %d of another name", rows / 2)
                .isEqualTo(LOOK * PARTITIONS);
    }

    @Test
    void purge_walksItsIndexPastWhatItSpares() throws SQLException {
        fill();
        int spared = 2 * PAGE;
        run("UPDATE delayjob_history SET state = 4, job_key = CASE WHEN ended_at <= %d THEN '@schedule' END"
                .formatted(spared));
        connection.commit();

        Sql purge = Objects.requireNonNull(
                database.ownSteps(database.dialect().ends().purgeHistory()).answer());
        assertThat(rowsTouched(purge)).isBetween(1L, 2L * PAGE + spared);
        run("ANALYZE delayjob_history");
        assertThat(rowsTouched(purge)).isBetween(1L, 2L * PAGE + spared);
    }

    @Test
    void purge_passesOverNoJobThatIsKeptForLonger() throws SQLException {
        fill();
        run("UPDATE delayjob_history SET state = 4, keep_seconds = CASE WHEN ended_at <= %d THEN 7776000 ELSE 0 END"
                .formatted(rows / 2));
        connection.commit();

        Sql purge = Objects.requireNonNull(
                database.ownSteps(database.dialect().ends().purgeHistory()).answer());
        assertThat(rowsTouched(purge)).isBetween(1L, 2L * PAGE);
        run("ANALYZE delayjob_history");
        assertThat(rowsTouched(purge)).isBetween(1L, 2L * PAGE);
    }

    @Test
    void keepTimes_areFoundInOneStepEach() throws SQLException {
        fill();
        run("UPDATE delayjob_history SET state = 2, keep_seconds = CASE WHEN ended_at <= %d THEN 7776000 ELSE 0 END"
                .formatted(rows / 2));
        connection.commit();

        Sql next = database.sql(database.dialect().reads().alongTheIndex()
                + database.dialect().reads().nextKeepSeconds());
        assertThat(rowsTouched(next)).isBetween(1L, 2L);
        run("ANALYZE delayjob_history");
        assertThat(rowsTouched(next)).isBetween(1L, 2L);
    }

    @Test
    void settings_endWithTheStatement() throws SQLException {
        connection.setAutoCommit(true);
        execute(database.keptSql(Dialect.postgreSql().pages().dueAfter()), List.of());

        assertThat(text("SHOW enable_seqscan")).isEqualTo("on");
        assertThat(text("SHOW enable_bitmapscan")).isEqualTo("on");
    }

    private void fill() throws SQLException {
        run("""
                INSERT INTO delayjob_job
                SELECT gen_random_uuid(), i %% %d, 0, FALSE, i %% %d = 0, 7, i, i, i, NULL, 0, 1, 0, 0, 0, 0, 'send-mail',
                    CASE WHEN i %% 10 = 0 THEN 'key-' || i END, repeat('x', 100), NULL, NULL, NULL
                FROM generate_series(1, %d) i
                """.formatted(PARTITIONS, AWAITING, rows));
        run("""
                INSERT INTO delayjob_history (id, partition_id, state, cancel_requested, token, due_at, planned_at, scheduled_at,
                    ended_at, run, attempt, failures, rescues, in_doubt, name, job_key, failure_type)
                SELECT gen_random_uuid(), partition_id, 3, FALSE, 7, due_at, due_at, due_at, due_at, 1, 1, 0, 0, 0, name, job_key,
                    'java.io.IOException'
                FROM delayjob_job
                WHERE partition_id < 4
                """);
        connection.commit();
    }

    /** Rows that the server has read in the tables of jobs for one execution; it is rolled back. */
    private long rowsTouched(Sql sql) throws SQLException {
        List<UUID> ids = ids();
        long before = reads("delayjob_job") + reads("delayjob_history");
        execute(sql, ids);
        long touched = reads("delayjob_job") + reads("delayjob_history") - before;
        connection.rollback();
        return touched;
    }

    /** Rows that the server has read in one table for one execution. */
    private long rowsTouched(String table, Sql sql, List<UUID> ids) throws SQLException {
        long before = reads(table);
        execute(sql, ids);
        return reads(table) - before;
    }

    private long reads(String table) throws SQLException {
        return Long.parseLong(text("""
                SELECT SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0))
                FROM pg_stat_xact_user_tables
                WHERE relname = '%s'
                """.formatted(table)));
    }

    private void execute(Sql sql, List<UUID> ids) throws SQLException {
        Parameters parameters = Parameters.none()
                .longs("token", ids, id -> 7L)
                .longs("freshToken", ids, id -> 8L)
                .ints("run", ids, id -> 1)
                .booleans("newRun", ids, id -> false)
                .booleans("awaiting", ids, id -> false)
                .longs("scheduledAt", ids, id -> 1L)
                .longs("plannedAt", ids, id -> 1L)
                .longs("dueAt", ids, id -> 1L)
                .longs("calledAt", ids, id -> 1L)
                .longs("endedAt", ids, id -> 1L)
                .ints("failures", ids, id -> 0)
                .ints("doubt", ids, id -> 0)
                .shorts("state", ids, id -> (short) 2)
                .texts("payload", ids, id -> null)
                .texts("schedule", ids, id -> null)
                .texts("retry", ids, id -> null)
                .texts("trace", ids, id -> null)
                .texts("extras", ids, id -> null)
                .texts("failureType", ids, id -> null)
                .texts("failureMessage", ids, id -> null)
                .texts("failureTrace", ids, id -> null)
                .booleans("keep", ids, id -> true)
                .ints("keepSeconds", ids, id -> 0)
                .set("above", 0)
                .set("by", 1)
                .set("owner", 1L)
                .set("now", (long) rows / 2)
                .set("from", Long.MIN_VALUE)
                .set("until", (long) rows / 2)
                .set("limit", PAGE)
                .set("lookAt", LOOK)
                .set("since", 0L)
                .set("width", 1_000L)
                .set("firstBucket", 1)
                .set("lastBucket", BUCKETS)
                .set("claimToken", 9L);
        if (sql.names().contains("fromTime")) {
            boolean ofKey = sql.text().contains("job_key = ? AND id > ?");
            boolean isReversed = sql.text().contains("id < ?");
            parameters
                    .set("after", isReversed ? new UUID(-1, -1) : cursorId)
                    .set("time", isReversed ? Long.MAX_VALUE : cursorTime)
                    .set("state", sql.text().contains("state = ? AND keep_seconds") ? 3 : null)
                    .set("keepSeconds", 0)
                    .set("fromTime", Long.MIN_VALUE)
                    .set("untilTime", Long.MAX_VALUE)
                    .set("fromPartition", 0)
                    .set("untilPartition", Integer.MAX_VALUE)
                    .set("partition", 3)
                    .set("error", null)
                    .set("label", null)
                    .set("payload", null)
                    .set("groupLine", null)
                    .set("lineBreak", "\n")
                    .set("name", names.get(0))
                    .set("key", ofKey ? "key-10" : null);
        } else if (sql.names().contains("begin")) {
            long hour = 60 * 60_000;
            parameters
                    .set("from", hour)
                    .set("begin", hour)
                    .set("until", 2 * hour)
                    .set("width", 60_000L);
        } else if (sql.names().contains("width") && sql.names().contains("partition")) {
            parameters.set("from", 0L).set("partition", 3);
        } else if (sql.names().equals(List.of("state", "limit"))) {
            parameters.set("state", 3);
        } else if (sql.names().contains("lookAt") || sql.names().contains("until")) {
            parameters
                    .ints("partition", ALL_PARTITIONS, partition -> partition)
                    .longs("due", ALL_PARTITIONS, partition -> Long.MIN_VALUE)
                    .uuids("id", ALL_PARTITIONS, partition -> new UUID(0, 0))
                    .texts("name", names, handler -> handler);
        } else if (sql.text().contains("UNNEST") || sql.text().contains("UUID ARRAY")) {
            parameters
                    .ints("partition", ids, id -> 3)
                    .uuids("id", inOrder(ids), id -> id)
                    .texts("name", ids, id -> "send-mail")
                    .texts("key", ids, id -> "key-" + 10 * (1 + ids.indexOf(id)));
            if (!sql.names().contains("run") && !sql.names().contains("endedAt")) {
                parameters.set("freshToken", 8L);
            }
        } else if (sql.names().contains("declaredKey")) {
            parameters
                    .set("state", 4)
                    .set("before", (long) rows)
                    .set("declaredKey", "@schedule")
                    .set("keepSeconds", 0);
        } else {
            parameters
                    .set("id", one(ids, sql.text().contains("FROM delayjob_history")))
                    .set("name", "send-mail")
                    .set("key", "key-10")
                    .set("error", "java.io.IOException")
                    .set("dueAt", 1L)
                    .set("calledAt", 1L)
                    .set("endedAt", 1L)
                    .set("keep", true)
                    .set("token", 7L)
                    .set("freshToken", 8L);
        }
        try (PreparedStatement statement = database.prepare(connection, sql)) {
            sql.bind(statement, parameters);
            statement.execute();
        }
    }

    private static List<UUID> inOrder(List<UUID> ids) {
        return ids.stream().map(JobId::new).sorted().map(JobId::value).toList();
    }

    private static UUID one(List<UUID> ids, boolean ended) {
        return ids.isEmpty() ? new UUID(0, 0) : ids.get(ended ? ids.size() - 1 : 0);
    }

    /** Of unfinished jobs, then of ended ones. */
    private List<UUID> ids() throws SQLException {
        List<UUID> ids = new ArrayList<>();
        for (String table : List.of("delayjob_job", "delayjob_history")) {
            try (PreparedStatement statement = connection.prepareStatement(
                            "SELECT id FROM %s TABLESAMPLE SYSTEM (10) LIMIT %d".formatted(table, batch / 2));
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getObject(1, UUID.class));
                }
            }
        }
        return ids;
    }

    private String text(String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getString(1);
        }
    }

    private void run(String statement) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(statement)) {
            prepared.execute();
        }
    }
}
