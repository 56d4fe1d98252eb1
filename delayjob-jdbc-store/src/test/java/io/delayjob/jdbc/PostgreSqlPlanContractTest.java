package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The hot statements touch so many rows as they have to, whatever the planner knows: counted by the server, over a table that
 * was empty when the statements were first planned, filled since, and analysed at last.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgreSqlPlanContractTest {

    /** Of each partition as many overdue as yet to come. */
    private static final int ROWS = 200_000;

    private static final int PARTITIONS = 8;
    private static final int BATCH = 100;
    private static final int PAGE = 50;
    private static final int LOOK = 500;
    private static final SqlTemplate TABLES = new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null);
    private static final List<Integer> ALL_PARTITIONS =
            IntStream.range(0, PARTITIONS).boxed().toList();

    private HikariDataSource pool;
    private Connection connection;
    private List<String> names;

    @BeforeEach
    void makeTables() throws SQLException {
        names = List.of("send-mail", "send-sms");
        pool = TestPostgres.newStore();
        connection = pool.getConnection();
        run("ALTER TABLE delayjob_job SET (autovacuum_enabled = false)");
        run("VACUUM ANALYZE delayjob_job");
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
    private static Map<String, Integer> hotStatements() {
        Dialect dialect = Dialect.postgreSql();
        int batch = 3 * BATCH;
        int pages = PAGE * PARTITIONS;
        Map<String, Integer> statements = new LinkedHashMap<>();
        statements.put(dialect.claim().answer(), batch);
        statements.put(dialect.release().answer(), batch);
        statements.put(dialect.lostPage(), PAGE);
        statements.put(dialect.rescue().answer(), batch);
        statements.put(dialect.endJobs().answer(), batch);
        statements.put(dialect.returnJobs().answer(), batch);
        statements.put(dialect.dueAfter(), pages);
        statements.put(dialect.overdue(), pages);
        statements.put(dialect.partitionsInUse(), 2 * PARTITIONS);
        return statements;
    }

    @Test
    void hotStatements_touchWhatTheyMust() throws SQLException {
        Map<Sql, Integer> statements = new LinkedHashMap<>();
        hotStatements().forEach((text, atMost) -> statements.put(sql(text), atMost));
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
        for (Map.Entry<Sql, Integer> each : statements.entrySet()) {
            assertThat(rowsTouched(each.getKey()))
                    .as("rows touched with statistics by %s", each.getKey().text())
                    .isBetween(1L, (long) each.getValue());
        }
    }

    @Test
    void overdue_stepsOverNoMoreRowsOfOthersThanItIsAskedTo() throws SQLException {
        names = List.of("send-sms");
        fill();

        assertThat(rowsTouched(sql(Dialect.postgreSql().overdue())))
                .as("rows touched in a backlog of %d of another name", ROWS / 2)
                .isEqualTo(LOOK * PARTITIONS);
    }

    @Test
    void settings_endWithTheStatement() throws SQLException {
        connection.setAutoCommit(true);
        execute(sql(Dialect.postgreSql().dueAfter()), List.of());

        assertThat(text("SHOW enable_seqscan")).isEqualTo("on");
        assertThat(text("SHOW enable_bitmapscan")).isEqualTo("on");
    }

    private void fill() throws SQLException {
        run("""
                INSERT INTO delayjob_job
                SELECT gen_random_uuid(), i %% %d, 0, FALSE, 7, i, i, i, NULL, 0, 1, 0, 0, 0, 0, 'send-mail',
                    CASE WHEN i %% 10 = 0 THEN 'key-' || i END, repeat('x', 100), NULL, NULL, NULL
                FROM generate_series(1, %d) i
                """.formatted(PARTITIONS, ROWS));
        connection.commit();
    }

    /** Rows that the server has read in the table of unfinished jobs for one execution; it is rolled back. */
    private long rowsTouched(Sql sql) throws SQLException {
        List<UUID> ids = ids();
        long before = reads();
        execute(sql, ids);
        long touched = reads() - before;
        connection.rollback();
        return touched;
    }

    private long reads() throws SQLException {
        return Long.parseLong(text("""
                SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0)
                FROM pg_stat_xact_user_tables
                WHERE relname = 'delayjob_job'
                """));
    }

    private void execute(Sql sql, List<UUID> ids) throws SQLException {
        Parameters parameters = Parameters.none()
                .longs("token", ids, id -> 7L)
                .longs("freshToken", ids, id -> 8L)
                .ints("run", ids, id -> 1)
                .booleans("newRun", ids, id -> false)
                .longs("plannedAt", ids, id -> 1L)
                .longs("dueAt", ids, id -> 1L)
                .longs("endedAt", ids, id -> 1L)
                .ints("failures", ids, id -> 0)
                .ints("doubt", ids, id -> 0)
                .shorts("state", ids, id -> (short) 2)
                .texts("failureType", ids, id -> null)
                .texts("failureMessage", ids, id -> null)
                .texts("failureTrace", ids, id -> null)
                .booleans("keep", ids, id -> true)
                .set("owner", 1L)
                .set("now", (long) ROWS / 2)
                .set("until", (long) ROWS / 2)
                .set("limit", PAGE)
                .set("lookAt", LOOK)
                .set("claimToken", 9L)
                .ints("partition", ALL_PARTITIONS, partition -> partition)
                .longs("due", ALL_PARTITIONS, partition -> Long.MIN_VALUE)
                .set("partitionId", 3)
                .set("afterDue", Long.MIN_VALUE)
                .set("afterId", new UUID(0, 0))
                .texts("name", names, handler -> handler);
        boolean pages = sql.names().contains("partition");
        parameters.uuids(
                "id", pages ? ALL_PARTITIONS.stream().map(p -> new UUID(0, 0)).toList() : ids, id -> id);
        if (sql.text().contains("WITH picked AS") && !sql.names().contains("run")) {
            parameters.set("freshToken", 8L);
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
            Database.query(statement, sql, parameters, row -> row.getObject(1));
        }
    }

    private static Sql sql(String statement) {
        return Sql.parse(TABLES.fill(Dialect.postgreSql(), statement), Binding.ARRAYS);
    }

    private List<UUID> ids() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT id FROM delayjob_job TABLESAMPLE SYSTEM (1) ORDER BY id LIMIT " + BATCH);
                ResultSet rows = statement.executeQuery()) {
            List<UUID> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getObject(1, UUID.class));
            }
            return ids;
        }
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
