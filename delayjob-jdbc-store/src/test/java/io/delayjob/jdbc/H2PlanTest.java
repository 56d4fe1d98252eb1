package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.Direction;
import io.delayjob.internal.jdbc.dialect.ReadSql;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The looks for people scan a bounded number of rows of tables with many jobs, as H2 counts them. */
class H2PlanTest {

    private static final int ROWS = 40_000;
    private static final int PARTITIONS = 8;
    private static final int PAGE = 50;
    private static final int LOOK = 500;
    private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

    private HikariDataSource pool;
    private Connection connection;
    private Database database;

    @BeforeEach
    void fill() throws SQLException {
        pool = TestH2.newStore();
        connection = pool.getConnection();
        database = new Database(
                pool,
                Dialect.of(connection.getMetaData()),
                new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null),
                Duration.ofSeconds(10));
        run("""
                INSERT INTO delayjob_job (id, partition_id, state, cancel_requested, token, due_at, planned_at, scheduled_at, owner,
                    run, attempt, failures, rescues, in_doubt, name)
                SELECT RANDOM_UUID(), MOD(x, %d), 0, FALSE, 7, x, x, x, 0, 1, 0, 0, 0, 0, 'send-mail'
                FROM SYSTEM_RANGE(1, %d)
                """.formatted(PARTITIONS, ROWS));
        run("""
                INSERT INTO delayjob_history (id, partition_id, state, cancel_requested, token, due_at, planned_at, scheduled_at,
                    ended_at, run, attempt, failures, rescues, in_doubt, name, failure_type)
                SELECT id, partition_id, 3, FALSE, 7, due_at, due_at, due_at, due_at, 1, 1, 0, 0, 0, name, 'java.io.IOException'
                FROM delayjob_job
                """);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        pool.close();
    }

    /** The filter matches nothing, so each look goes as far as it may. Rows of subqueries are counted, too. */
    @Test
    void looksForPeople_scanNoMoreThanTheyMayHoweverManyRowsThereAre() throws SQLException {
        ReadSql reads = database.dialect().reads();
        int look = 5 * LOOK;
        Map<String, Integer> looks = new LinkedHashMap<>();
        for (Direction direction : Direction.values()) {
            looks.put(reads.lookAtUnfinished(direction), look);
            looks.put(reads.lookAtEnded(direction), look);
            looks.put(reads.lookAtAll(direction), 2 * look);
            looks.put(reads.lookAtSpan(direction, ReadSql.ALL), look);
        }
        looks.put(reads.lookAtDue(ReadSql.ALL), look);
        looks.put(reads.countSpan(ReadSql.ALL), 5 * LOOK);
        looks.put(reads.nextUnfinished(), 5 * PAGE);
        looks.put(reads.countEnded(), 5 * PAGE);
        looks.put(reads.countDue(), 5 * PAGE);
        looks.put(reads.countDueByName(), 5 * PAGE);
        looks.put(reads.groupFailures(), 5 * PAGE);
        looks.put(reads.newestFailure(), PAGE);
        for (Map.Entry<String, Integer> each : looks.entrySet()) {
            assertThat(scanned(each.getKey()))
                    .as("rows scanned by %s", each.getKey())
                    .isBetween(1L, (long) each.getValue());
        }
    }

    private long scanned(String statement) throws SQLException {
        Sql sql = database.sql(database.dialect().reads().alongTheIndex() + statement);
        boolean isReversed = sql.text().contains("id < ?");
        boolean isNewestFailure = statement.equals(database.dialect().reads().newestFailure());
        boolean isInBuckets = sql.names().contains("width");
        Parameters parameters = Parameters.none()
                .set("after", isReversed ? new UUID(-1, -1) : new UUID(0, 0))
                .set("time", isReversed ? Long.MAX_VALUE : Long.MIN_VALUE)
                .set(
                        "state",
                        sql.text().contains("state = ? AND ended_at")
                                        || !sql.names().contains("fromTime")
                                ? 3
                                : null)
                .set("fromTime", Long.MIN_VALUE)
                .set("untilTime", Long.MAX_VALUE)
                .set("fromPartition", 0)
                .set("untilPartition", Integer.MAX_VALUE)
                .set("partition", 3)
                .set("due", 0L)
                .set("id", new UUID(0, 0))
                .set("name", isNewestFailure ? "send-mail" : "nobody")
                .set("key", null)
                .set("error", isNewestFailure ? "java.io.IOException" : null)
                .set("label", null)
                .set("payload", null)
                .set("groupLine", null)
                .set("lineBreak", "\n")
                .set("from", isInBuckets ? 0L : Long.MIN_VALUE)
                .set("since", 0L)
                .set("until", (long) ROWS / 2)
                .set("width", 1_000L)
                .set("endedAt", (long) ROWS / 4)
                .set("keepSeconds", 0)
                .set("lookAt", LOOK)
                .set("limit", PAGE);
        long scanned = 0;
        try (PreparedStatement explain = connection.prepareStatement("EXPLAIN ANALYZE " + sql.text())) {
            sql.bind(explain, parameters);
            try (ResultSet plan = explain.executeQuery()) {
                while (plan.next()) {
                    Matcher counts = SCANNED.matcher(plan.getString(1));
                    while (counts.find()) {
                        scanned += Long.parseLong(counts.group(1));
                    }
                }
            }
        }
        return scanned;
    }

    private void run(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }
}
