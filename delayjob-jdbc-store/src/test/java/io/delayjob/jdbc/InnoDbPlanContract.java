package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.Direction;
import io.delayjob.internal.jdbc.dialect.ReadSql;
import io.delayjob.internal.jdbc.dialect.Script;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The hot statements read so many rows as they have to, counted by the server, over a table whose statistics are those
 * of an empty one, and over one that has been analysed since.
 */
abstract class InnoDbPlanContract {

    /**
     * Of each partition as many overdue as yet to come; all of one partition that fall due in the same millisecond are
     * many.
     */
    private static final int ROWS = 1_000_000;

    private static final int PARTITIONS = 8;
    private static final int BATCH = 100;
    private static final int PAGE = 50;
    private static final int LOOK = 500;
    private static final SqlTemplate TABLES = new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null);

    private final Map<String, Integer> statements = new LinkedHashMap<>();
    private HikariDataSource pool;
    private Connection connection;
    private Dialect dialect;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeEach
    final void makeTables() throws SQLException {
        pool = newStore();
        connection = pool.getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        dialect = Dialect.of(connection.getMetaData());
        run("ALTER TABLE delayjob_job STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0");
        run("ANALYZE TABLE delayjob_job");
        connection.setAutoCommit(false);
    }

    @AfterEach
    final void closeDatabase() throws SQLException {
        if (pool != null) {
            connection.close();
            pool.close();
        }
    }

    /**
     * The statements, and how many rows each may read: the server counts those of the JSON and of temporary tables as
     * well.
     */
    private void addHotStatements() {
        int batch = 6 * BATCH;
        int page = 5 * PAGE;
        addScript(dialect.claims().claim(), batch);
        addScript(dialect.claims().release(), batch);
        addScript(dialect.ends().endJobs(), batch);
        addScript(dialect.ends().returnJobs(), batch);
        addScript(dialect.claims().rescue(), batch);
        statements.put(
                Objects.requireNonNull(dialect.submission().insertFollowers().lock()), batch);
        statements.put(dialect.ends().locate(), batch);
        statements.put(dialect.ends().locateEnded(), batch);
        statements.put(dialect.byHand().lockJobs(), batch);
        statements.put(dialect.byHand().rescheduleJobs(), batch);
        statements.put(dialect.pages().dueAfter(), page);
        statements.put(dialect.pages().overdue(), 10 * LOOK);
        statements.put(dialect.pages().claimed(), 2 * page);
    }

    private void addScript(Script script, int atMost) {
        statements.put(Objects.requireNonNull(script.lock()), atMost);
        script.writes().forEach(write -> statements.put(write, atMost));
    }

    @Test
    void hotStatements_readWhatTheyMust() throws SQLException {
        addHotStatements();
        fill();

        for (Map.Entry<String, Integer> each : statements.entrySet()) {
            assertThat(rowsRead(each.getKey()))
                    .as("rows read with the statistics of an empty table by %s", each.getKey())
                    .isBetween(1L, (long) each.getValue());
        }
        run("ANALYZE TABLE delayjob_job");
        statements.put(dialect.pages().partitionsInUse(), 4 * PARTITIONS);
        for (Map.Entry<String, Integer> each : statements.entrySet()) {
            assertThat(rowsRead(each.getKey()))
                    .as("rows read with statistics by %s", each.getKey())
                    .isBetween(1L, (long) each.getValue());
        }
    }

    /** What people ask for, with a filter that nothing matches, so that each look goes as far as it may. */
    @Test
    void looksForPeople_readNoMoreThanTheyMayHoweverManyRowsThereAre() throws SQLException {
        fill();
        run("""
                INSERT INTO delayjob_history (id, partition_id, state, cancel_requested, token, due_at, planned_at, scheduled_at,
                    ended_at, run, attempt, failures, rescues, in_doubt, name, failure_type)
                SELECT id, partition_id, 3, FALSE, 7, due_at, due_at, due_at, due_at, 1, 1, 0, 0, 0, name, 'java.io.IOException'
                FROM delayjob_job
                """);
        connection.commit();
        // Each row that is looked at is written to temporary tables and read from there, to be numbered and sorted.
        int look = 15 * LOOK;
        Map<String, Integer> looks = new LinkedHashMap<>();
        for (Direction direction : Direction.values()) {
            looks.put(dialect.reads().lookAtUnfinished(direction), look);
            looks.put(dialect.reads().lookAtEnded(direction), look);
            looks.put(dialect.reads().lookAtAll(direction), 2 * look);
            looks.put(dialect.reads().lookAtSpan(direction, ReadSql.ALL), look);
        }
        looks.put(dialect.reads().lookAtDue(ReadSql.ALL), look);
        looks.put(dialect.reads().countSpan(ReadSql.ALL), 5 * LOOK);
        looks.put(dialect.reads().nextUnfinished(), 5 * PAGE);
        looks.put(dialect.reads().countEnded(), 5 * PAGE);
        looks.put(dialect.reads().countDue(), 5 * PAGE);
        looks.put(dialect.reads().countDueByName(), 5 * PAGE);
        looks.put(dialect.reads().groupFailures(), 5 * PAGE);
        looks.put(dialect.reads().newestFailure(), PAGE);
        for (Map.Entry<String, Integer> each : looks.entrySet()) {
            assertThat(rowsRead(each.getKey()))
                    .as("rows read by %s", each.getKey())
                    .isBetween(1L, (long) each.getValue());
        }
    }

    private void fill() throws SQLException {
        run("""
                INSERT INTO delayjob_job
                SELECT UNHEX(LPAD(HEX(n * 7919), 32, '0')), MOD(n, %d), 0, FALSE, FALSE, 7, CASE WHEN n < 20000 THEN 0 ELSE n END,
                    n, n, NULL, 0, 1, 0, 0, 0, 0, 'send-mail', CASE WHEN MOD(n, 10) = 0 THEN CONCAT('key-', n) END,
                    REPEAT('x', 100), NULL, NULL, NULL, NULL
                FROM (
                    SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + 100000 * g.d + 1 AS n
                    FROM {digits} a, {digits} b, {digits} c, {digits} e, {digits} f, {digits} g
                ) AS numbers
                WHERE n <= %d
                """.formatted(PARTITIONS, ROWS).replace("{digits}", """
                (SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
                 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"""));
        connection.commit();
    }

    private long rowsRead(String statement) throws SQLException {
        List<UUID> ids = ids();
        long before = reads();
        execute(Sql.parse(TABLES.fill(dialect, statement), Binding.of(dialect)), ids);
        long read = reads() - before;
        connection.rollback();
        return read;
    }

    private long reads() throws SQLException {
        long reads = 0;
        try (PreparedStatement statement =
                        connection.prepareStatement("SHOW SESSION STATUS WHERE variable_name LIKE 'Handler\\_read%'");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                reads += rows.getLong(2);
            }
        }
        return reads;
    }

    private void execute(Sql sql, List<UUID> ids) throws SQLException {
        Parameters parameters = Parameters.none()
                .uuids("id", ids, id -> id)
                .longs("token", ids, id -> 7L)
                .longs("freshToken", ids, id -> 8L)
                .ints("run", ids, id -> 1)
                .booleans("newRun", ids, id -> false)
                .booleans("awaiting", ids, id -> false)
                .longs("plannedAt", ids, id -> 1L)
                .longs("dueAt", ids, id -> 1L)
                .longs("endedAt", ids, id -> 1L)
                .ints("failures", ids, id -> 0)
                .ints("doubt", ids, id -> 0)
                .shorts("state", ids, id -> (short) 2)
                .booleans("keep", ids, id -> true)
                .ints("keepSeconds", ids, id -> 0)
                .locked(ids);
        parameters.value("batch");
        parameters.value("lockedRows");
        parameters
                .set("owner", 1L)
                .set("now", (long) ROWS / 2)
                .set("until", (long) ROWS / 2)
                .set("limit", PAGE)
                .set("lookAt", LOOK)
                .set("claimToken", 9L)
                .set("freshToken", 8L)
                .set("partition", 3)
                // In the midst of those of one millisecond.
                .set("due", 0L)
                .set("id", new UUID(0, 7919 * 10_000))
                .names("name", List.of("send-mail", "send-sms"));
        if (sql.names().contains("fromTime")) {
            boolean isOfOneState = sql.text().contains("state = ? AND ended_at");
            parameters
                    .set("after", sql.text().contains("id < ?") ? new UUID(-1, -1) : new UUID(0, 0))
                    .set("state", isOfOneState ? 3 : null)
                    .set("time", sql.text().contains("id < ?") ? Long.MAX_VALUE : Long.MIN_VALUE)
                    .set("fromTime", Long.MIN_VALUE)
                    .set("untilTime", Long.MAX_VALUE)
                    .set("fromPartition", 0)
                    .set("untilPartition", Integer.MAX_VALUE)
                    .set("error", null)
                    .set("label", null)
                    .set("payload", null)
                    .set("groupLine", null)
                    .set("lineBreak", "\n")
                    .set("name", "nobody")
                    .set("key", null);
        }
        boolean isInBuckets = sql.names().contains("width");
        parameters
                .set("from", isInBuckets ? 0L : Long.MIN_VALUE)
                .set("since", 0L)
                .set("width", 1_000L);
        if (sql.names().equals(List.of("state", "limit"))) {
            parameters.set("state", 3);
        } else if (sql.names().contains("error") && !sql.names().contains("fromTime")) {
            parameters.set("endedAt", 30_000L).set("name", "send-mail").set("error", "java.io.IOException");
            parameters.set("keepSeconds", 0);
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
            sql.bind(statement, parameters);
            statement.execute();
        }
    }

    private List<UUID> ids() throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT id FROM delayjob_job ORDER BY id LIMIT " + BATCH);
                ResultSet rows = statement.executeQuery()) {
            List<UUID> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(Database.uuid(rows, 1));
            }
            return ids;
        }
    }

    private void run(String statement) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(statement)) {
            prepared.execute();
        }
    }
}
