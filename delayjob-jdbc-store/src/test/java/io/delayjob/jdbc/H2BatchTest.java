package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.internal.jdbc.dialect.ByHandSql;
import io.delayjob.internal.jdbc.dialect.ClaimSql;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.EndSql;
import io.delayjob.internal.jdbc.dialect.GroupSql;
import io.delayjob.internal.jdbc.dialect.Script;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.internal.jdbc.dialect.SubmissionSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * H2 reads each array of a batch once for each statement. If H2 reads an array again for each row, the time of the
 * statement grows with the square of the batch. The tests count how often H2 evaluates the arrays.
 */
class H2BatchTest {

    private static final int ROWS = 100;
    private static final int OTHER_ROWS = 100;

    // Numbers of the first row of each kind.
    private static final int UNFINISHED = 0;
    private static final int ENDED = 1000;
    private static final int NEW = 2000;
    private static final int GROUP = 9999;

    private final List<Integer> rows = IntStream.range(0, ROWS).boxed().toList();
    private HikariDataSource pool;
    private Connection connection;
    private Database database;

    /** Contains the function that H2 calls when it evaluates an array. */
    public static final class Evaluations {
        private static final AtomicLong COUNT = new AtomicLong();

        private Evaluations() {}

        public static long count() {
            return COUNT.incrementAndGet();
        }
    }

    @BeforeEach
    void fill() throws SQLException {
        pool = TestH2.newStore();
        connection = pool.getConnection();
        database = new Database(
                pool,
                Dialect.of(connection.getMetaData()),
                new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null),
                Duration.ofSeconds(10));
        run("CREATE ALIAS count_evaluation FOR '%s.count'".formatted(Evaluations.class.getName()));
        // The id and the key of a row contain the number of the row.
        run("""
                INSERT INTO delayjob_job (id, partition_id, state, cancel_requested, token, due_at, planned_at, scheduled_at,
                    owner, run, attempt, failures, rescues, in_doubt, name, job_key, extras)
                SELECT CAST(LPAD(x, 32, '0') AS UUID), 0, 0, FALSE, 7, x, x, x, 0, 1, 0, 0, 0, 0, 'send-mail', 'key-' || x, 'x'
                FROM SYSTEM_RANGE(0, %d)
                """.formatted(ROWS + OTHER_ROWS - 1));
        run("""
                INSERT INTO delayjob_history (id, partition_id, state, cancel_requested, token, due_at, planned_at, scheduled_at,
                    ended_at, run, attempt, failures, rescues, in_doubt, name)
                SELECT CAST(LPAD(%d + x, 32, '0') AS UUID), 0, 3, FALSE, 7, x, x, x, x, 1, 1, 0, 0, 0, 'send-mail'
                FROM SYSTEM_RANGE(0, %d)
                """.formatted(ENDED, ROWS + OTHER_ROWS - 1));
        run("""
                INSERT INTO delayjob_attempt (job_id, run, attempt, outcome, owner, ended_at)
                SELECT id, 1, n.x, 'FAILED', 0, 0
                FROM (SELECT id FROM delayjob_job UNION ALL SELECT id FROM delayjob_history), SYSTEM_RANGE(1, 3) n
                """);
        run("""
                INSERT INTO delayjob_group (id, name, state, created_at, ended_at, begun, finished, failed, cancelled)
                SELECT id, due_at, 2, due_at, due_at, 0, 0, 0, 0
                FROM delayjob_job
                """);
        run("""
                INSERT INTO delayjob_group_change (group_id, begun, finished, failed, cancelled)
                SELECT CAST(LPAD(%d, 32, '0') AS UUID), 1, 0, 0, 0
                FROM delayjob_job
                """.formatted(GROUP));
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.rollback();
        connection.close();
        pool.close();
    }

    @Test
    void endsOfManyJobs_readTheBatchOnce() throws SQLException {
        EndSql ends = database.dialect().ends();
        assertReadOnce(Map.of(
                "endJobs", new Case(ends.endJobs(), endings(true)),
                "endJobs without history", new Case(ends.endJobs(), endings(false)),
                "returnJobs", new Case(ends.returnJobs(), endings(true)),
                "settleDoubt", new Case(ends.settleDoubt(), batch(UNFINISHED)),
                "settleDoubtInHistory", new Case(ends.settleDoubtInHistory(), batch(ENDED)),
                "locate", new Case(ends.locate(), batch(UNFINISHED)),
                "insertAttempts", new Case(ends.insertAttempts(), endings(true)),
                "pruneAttempts", new Case(ends.pruneAttempts(), batch(UNFINISHED), 2 * ROWS),
                "purgeHistory", new Case(ends.purgeHistory(), batch(UNFINISHED))));
    }

    @Test
    void claimsOfManyJobs_readTheBatchOnce() throws SQLException {
        ClaimSql claims = database.dialect().claims();
        assertReadOnce(Map.of(
                "claim", new Case(claims.claim(), batch(UNFINISHED)),
                "release", new Case(claims.release(), batch(UNFINISHED)),
                "rescue", new Case(claims.rescue(), batch(UNFINISHED))));
    }

    @Test
    void changesOfManyJobsByHand_readTheBatchOnce() throws SQLException {
        ByHandSql byHand = database.dialect().byHand();
        assertReadOnce(Map.of(
                "lockJobs", new Case(byHand.lockJobs(), batch(UNFINISHED)),
                "rescheduleJobs", new Case(byHand.rescheduleJobs(), batch(UNFINISHED)),
                "lockEnded", new Case(byHand.lockEnded(), batch(ENDED)),
                "reviveJobs", new Case(byHand.reviveJobs(), batch(ENDED)),
                "deleteAllFromHistory", new Case(byHand.deleteAllFromHistory(), batch(ENDED))));
    }

    @Test
    void submissionsOfManyJobs_readTheBatchOnce() throws SQLException {
        SubmissionSql submission = database.dialect().submission();
        assertReadOnce(Map.of(
                "insertJobs", new Case(submission.insertJobs(), withoutKeys()),
                "insertFollowers", new Case(submission.insertFollowers(), withoutKeys()),
                "findKeys", new Case(submission.findKeys(), batch(NEW)),
                "findLatestKeys", new Case(submission.findLatestKeys(), batch(NEW)),
                "lockWaiting", new Case(submission.lockWaiting(), batch(NEW)),
                "replaceJobs", new Case(submission.replaceJobs(), batch(NEW)),
                "postponeJobs", new Case(submission.postponeJobs(), batch(NEW))));
    }

    @Test
    void keysTakenFromManyRunningJobs_readTheBatchOnce() throws SQLException {
        SubmissionSql submission = database.dialect().submission();
        run("UPDATE delayjob_job SET state = 1");
        connection.commit();
        assertReadOnce(Map.of("takeKeys", new Case(submission.takeKeys(), batch(NEW))));
    }

    @Test
    void changesOfManyGroups_readTheBatchOnce() throws SQLException {
        GroupSql groups = database.dialect().groups();
        List<Long> counts = new ArrayList<>();
        try (PreparedStatement select =
                        connection.prepareStatement("SELECT id FROM delayjob_group_change LIMIT " + ROWS);
                ResultSet found = select.executeQuery()) {
            while (found.next()) {
                counts.add(found.getLong(1));
            }
        }
        assertReadOnce(Map.of(
                "purge", new Case(groups.purge(), batch(UNFINISHED)),
                "insertCounts", new Case(groups.insertCounts(), batch(UNFINISHED)),
                "deleteCounts",
                        new Case(
                                groups.deleteCounts(),
                                Parameters.none().set("id", id(GROUP)).longs("counts", counts, id -> id))));
    }

    /** @param changed number of rows that the last statement changes or returns */
    private record Case(Script script, Parameters parameters, int changed) {

        Case(Script script, Parameters parameters) {
            this(script, parameters, ROWS);
        }

        Case(String statement, Parameters parameters) {
            this(statement, parameters, ROWS);
        }

        Case(String statement, Parameters parameters, int changed) {
            this(new Script(null, List.of(), statement), parameters, changed);
        }
    }

    private void assertReadOnce(Map<String, Case> cases) throws SQLException {
        Map<String, Long> readAgain = new LinkedHashMap<>();
        for (Map.Entry<String, Case> each : cases.entrySet()) {
            Case one = each.getValue();
            Database.Steps steps = database.steps(one.script);
            List<Sql> statements = new ArrayList<>(steps.writes());
            if (steps.answer() != null) {
                statements.add(steps.answer());
            }
            if (steps.lock() != null) {
                List<UUID> locked = new ArrayList<>();
                count(each.getKey() + ", lock", steps.lock(), one.parameters, locked, readAgain);
                assertThat(locked).as("rows locked by %s", each.getKey()).hasSize(ROWS);
                one.parameters.locked(locked);
            }
            long changed = 0;
            for (Sql statement : statements) {
                changed = count(
                        each.getKey() + ", statement " + (statements.indexOf(statement) + 1),
                        statement,
                        one.parameters,
                        new ArrayList<>(),
                        readAgain);
            }
            assertThat(changed).as("rows changed by %s", each.getKey()).isEqualTo(one.changed);
            connection.rollback();
        }
        assertThat(readAgain).as("evaluations of the arrays of %d rows", ROWS).isEmpty();
    }

    private long count(String name, Sql sql, Parameters parameters, List<UUID> ids, Map<String, Long> readAgain)
            throws SQLException {
        String counting = sql.text()
                .replaceAll(
                        "CAST\\(\\? AS ([A-Z ]+) ARRAY\\)",
                        "CASE WHEN count_evaluation() > 0 THEN CAST(? AS $1 ARRAY) END");
        long arrays = counting.split("count_evaluation", -1).length - 1;
        long before = Evaluations.COUNT.get();
        long changed = 0;
        try (PreparedStatement statement = connection.prepareStatement(counting)) {
            sql.bind(statement, parameters);
            if (statement.execute()) {
                try (ResultSet result = statement.getResultSet()) {
                    while (result.next()) {
                        changed++;
                        if (result.getObject(1) instanceof UUID id) {
                            ids.add(id);
                        }
                    }
                }
            } else {
                changed = statement.getUpdateCount();
            }
        }
        long evaluations = Evaluations.COUNT.get() - before;
        if (evaluations > arrays) {
            readAgain.put(name, evaluations);
        }
        return changed;
    }

    private Parameters batch(int firstId) {
        return Parameters.none()
                .uuids("id", rows, i -> id(firstId + i))
                .longs("token", rows, i -> 7L)
                .longs("dueAt", rows, i -> 5L)
                .longs("plannedAt", rows, i -> 5L)
                .longs("scheduledAt", rows, i -> 5L)
                .ints("partition", rows, i -> 0)
                .texts("name", rows, i -> "send-mail")
                .texts("key", rows, i -> "key-" + i)
                .texts("payload", rows, i -> null)
                .texts("schedule", rows, i -> null)
                .texts("retry", rows, i -> null)
                .texts("trace", rows, i -> null)
                .texts("extras", rows, i -> null)
                .longs("begun", rows, i -> 1L)
                .longs("finished", rows, i -> 1L)
                .longs("cancelled", rows, i -> 1L)
                .longs("failed", rows, i -> 1L)
                .set("freshToken", 8L)
                .set("claimToken", 9L)
                .set("owner", 1L)
                .set("now", 5L)
                .set("by", 1)
                .set("keep", 1)
                .set("state", 3)
                .set("keepSeconds", 0)
                .set("before", Long.MAX_VALUE)
                .set("declaredKey", "")
                .set("open", 0)
                .set("limit", ROWS);
    }

    private Parameters withoutKeys() {
        return batch(NEW).texts("key", rows, i -> null);
    }

    private Parameters endings(boolean keep) {
        return batch(UNFINISHED)
                .longs("freshToken", rows, i -> 8L)
                .shorts("state", rows, i -> (short) 4)
                .ints("run", rows, i -> 1)
                .longs("calledAt", rows, i -> null)
                .longs("endedAt", rows, i -> 5L)
                .ints("doubt", rows, i -> 0)
                .texts("failureType", rows, i -> null)
                .texts("failureMessage", rows, i -> null)
                .texts("failureTrace", rows, i -> null)
                .booleans("keep", rows, i -> keep)
                .ints("keepSeconds", rows, i -> 0)
                .booleans("newRun", rows, i -> false)
                .booleans("awaiting", rows, i -> false)
                .ints("failures", rows, i -> 1)
                .ints("attempt", rows, i -> 1)
                .texts("outcome", rows, i -> "FAILED")
                .longs("owner", rows, i -> 1L)
                .longs("startedAt", rows, i -> 5L);
    }

    private static UUID id(int number) {
        return UUID.fromString("00000000-0000-0000-0000-%012d".formatted(number));
    }

    private void run(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }
}
