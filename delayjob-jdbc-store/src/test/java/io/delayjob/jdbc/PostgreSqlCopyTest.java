package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.internal.jdbc.dialect.BulkWriter;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Many jobs without keys go in by COPY, wherever that is as good as an INSERT. */
@Timeout(60)
class PostgreSqlCopyTest {

    private static final int MANY = TransactionContract.MANY;

    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private TransactionTemplate transaction;
    private JdbcJobStore store;
    private JobMaker jobs;

    /** With a table that takes down by which statement, and within which time, jobs were written. */
    @BeforeEach
    void makeStore() {
        pool = TestPostgres.newStore();
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("""
                CREATE TABLE written (statement TEXT, timeout TEXT);
                CREATE FUNCTION take_down() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS $$
                BEGIN
                    INSERT INTO written VALUES (substr(ltrim(current_query()), 1, 4), current_setting('statement_timeout'));
                    RETURN NULL;
                END $$;
                CREATE TRIGGER take_down AFTER INSERT ON delayjob_job
                    FOR EACH STATEMENT EXECUTE FUNCTION take_down();
                """);
        open(pool, builder -> {});
        // Which makes the queue known, in a transaction of its own.
        jobs.submit(jobs.job("first", OnExisting.KEEP));
        jdbc.update("DELETE FROM written");
    }

    private void open(DataSource dataSource, Consumer<JdbcJobStoreBuilder> settings) {
        JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
        transaction = new TransactionTemplate(manager);
        JdbcJobStoreBuilder builder = JdbcJobStore.builder(dataSource, manager);
        settings.accept(builder);
        store = builder.build();
        jobs = new JobMaker(store);
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        pool.close();
    }

    private List<String> statements() {
        return jdbc.queryForList("SELECT statement FROM written", String.class);
    }

    private int count() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_job", Integer.class);
    }

    /** Before each row. */
    private void trigger(String body) {
        jdbc.execute("""
                CREATE FUNCTION odd() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN %s RETURN NEW; END $$;
                CREATE TRIGGER odd BEFORE INSERT ON delayjob_job FOR EACH ROW EXECUTE FUNCTION odd();
                """.formatted(body));
    }

    @Test
    void writesManyJobsWithoutKeys() {
        store.submit(jobs.jobs(MANY), jobs.sink);
        transaction.executeWithoutResult(status -> store.submit(jobs.jobs(MANY), jobs.sink));

        assertThat(statements()).containsExactly("COPY", "COPY");
        assertThat(count()).isEqualTo(1 + 2 * MANY);
    }

    /** The time of each statement is limited. */
    @Test
    void writesALongBatchBySeveralStatements() {
        String payload = "x".repeat(20_000_000 / MANY);

        store.submit(IntStream.range(0, MANY).mapToObj(i -> jobs.jobOf(payload)).toList(), jobs.sink);

        assertThat(statements()).containsExactly("COPY", "COPY");
        assertThat(count()).isEqualTo(1 + MANY);
    }

    /** What is alike in all new jobs, and texts that none has, are left to the columns' defaults. */
    @Test
    void writesTheSameAsAnInsert() {
        List<NewJob> plain = jobs.jobs(MANY);
        List<NewJob> mixed = new ArrayList<>(jobs.jobs(MANY));
        mixed.set(3, withTexts(jobs.job()));
        NewJob lone = jobs.job();
        NewJob loneWithTexts = withTexts(jobs.job());

        store.submit(plain, jobs.sink);
        store.submit(mixed, jobs.sink);
        jobs.submit(lone);
        jobs.submit(loneWithTexts);

        assertThat(statements()).containsExactly("COPY", "COPY", "INSE", "INSE");
        assertSame(plain.get(0), lone);
        assertSame(mixed.get(2), lone);
        assertSame(mixed.get(3), loneWithTexts);
    }

    private static NewJob withTexts(NewJob job) {
        return new NewJob(
                job.id(),
                job.partition(),
                new JobTask(job.name(), job.key(), null, null, "00-trace"),
                new JobPlan("every:PT1H", "retries:3", job.scheduledAt(), 1, job.plannedAt(), job.dueAt()),
                job.onExisting(),
                job.token());
    }

    private void assertSame(NewJob copied, NewJob inserted) {
        assertThat(store.find(copied.id()).orElseThrow())
                .usingRecursiveComparison()
                .ignoringFields("id", "progress.token")
                .isEqualTo(store.find(inserted.id()).orElseThrow());
    }

    @Test
    void doesNotWriteFewJobs() {
        store.submit(jobs.jobs(2), jobs.sink);

        assertThat(statements()).containsExactly("INSE");
    }

    @Test
    void doesNotWriteKeys() {
        List<NewJob> batch = new ArrayList<>(jobs.jobs(MANY));
        batch.set(3, jobs.job("42", OnExisting.KEEP));

        store.submit(batch, jobs.sink);

        assertThat(statements()).containsExactly("INSE");
    }

    @Test
    void doesNotWriteWhereRowsHaveASecurityOfTheirOwn() {
        String role = "writer_" + ProcessHandle.current().pid() + "_" + System.identityHashCode(this);
        jdbc.execute("""
                CREATE ROLE %1$s;
                GRANT SELECT, INSERT ON delayjob_job TO %1$s;
                ALTER TABLE delayjob_job ENABLE ROW LEVEL SECURITY;
                CREATE POLICY everything ON delayjob_job USING (TRUE) WITH CHECK (TRUE);
                """.formatted(role));
        try {
            transaction.executeWithoutResult(status -> {
                jdbc.execute("SET LOCAL ROLE " + role);
                store.submit(jobs.jobs(MANY), jobs.sink);
            });
            store.submit(jobs.jobs(MANY), jobs.sink);
        } finally {
            jdbc.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
        }

        assertThat(statements()).containsExactly("INSE", "COPY");
    }

    @Test
    void doesNotWritePastARule() {
        jdbc.execute("""
                CREATE TABLE audit (id UUID);
                CREATE RULE audit AS ON INSERT TO delayjob_job DO ALSO INSERT INTO audit VALUES (NEW.id);
                """);

        store.submit(jobs.jobs(MANY), jobs.sink);

        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM audit", Integer.class))
                .isEqualTo(MANY);
    }

    @Test
    void doesNotWriteIntoAView() {
        jdbc.execute("""
                ALTER TABLE delayjob_job RENAME TO all_jobs;
                CREATE VIEW delayjob_job AS SELECT * FROM all_jobs;
                """);

        store.submit(jobs.jobs(MANY), jobs.sink);

        assertThat(statements()).containsExactly("INSE");
    }

    /** The driver then undoes a failed statement by itself. */
    @Test
    void doesNotWriteWhereTheDriverSavesEachStatement() {
        try (HikariDataSource saving = new HikariDataSource()) {
            pool.copyStateTo(saving);
            saving.addDataSourceProperty("autosave", "always");
            store.close();
            open(saving, builder -> {});

            store.submit(jobs.jobs(MANY), jobs.sink);
            store.close();
        }
        assertThat(statements()).containsExactly("INSE");
    }

    @Test
    void doesNotWriteThroughAConnectionThatKeepsTheDriversToItself() {
        store.close();
        open(
                new DelegatingDataSource(pool) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        return wrapped(super.getConnection());
                    }
                },
                builder -> {});

        store.submit(jobs.jobs(MANY), jobs.sink);

        assertThat(statements()).containsExactly("INSE");
    }

    private static Connection wrapped(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                PostgreSqlCopyTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("isWrapperFor")) {
                        return false;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** As a statement's own timeout, it is gone afterwards. */
    @Test
    void isGivenTheTimeOfAStatement() {
        transaction.executeWithoutResult(status -> {
            jdbc.execute("SET LOCAL statement_timeout = '7min'");
            store.submit(jobs.jobs(MANY), jobs.sink);
            assertThat(timeout()).isEqualTo("7min");
        });
        transaction.executeWithoutResult(status -> {
            store.submit(jobs.jobs(MANY), jobs.sink);
            assertThat(timeout()).isEqualTo("0");
            jdbc.execute("SET LOCAL statement_timeout = '1500ms'");
            store.submit(jobs.jobs(MANY), jobs.sink);
            assertThat(timeout()).isEqualTo("1500ms");
        });
        transaction.setTimeout(100);
        transaction.executeWithoutResult(status -> store.submit(jobs.jobs(MANY), jobs.sink));

        List<String> timeouts = jdbc.queryForList("SELECT timeout FROM written", String.class);
        assertThat(timeouts.subList(0, 3)).containsExactly("10s", "10s", "1500ms");
        assertThat(timeouts.get(3)).matches("(9\\d|100)s|1min 40s");
    }

    private String timeout() {
        return jdbc.queryForObject("SHOW statement_timeout", String.class);
    }

    /** It waits for a row that another transaction has not committed: the client has written all by then. */
    @Test
    void thatTakesTooLongIsCancelled() {
        NewJob other = jobs.job();
        List<NewJob> batch = new ArrayList<>(jobs.jobs(MANY));
        batch.set(500, other);
        TransactionTemplate outer = transaction;
        outer.executeWithoutResult(status -> {
            jobs.submit(other);
            try (JdbcJobStore quick = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                    .statementTimeout(Duration.ofSeconds(1))
                    .build()) {
                List<Throwable> errors = new ArrayList<>();
                onAnotherThread(() -> errors.add(catchThrowable(() -> quick.submit(batch, jobs.sink))));
                onAnotherThread(() ->
                        errors.add(catchThrowable(() -> quick.submit(List.of(other, jobs.job()), jobs.sink))));
                assertThat(errors)
                        .hasSize(2)
                        .allSatisfy(error -> assertThat(error)
                                .isInstanceOfSatisfying(
                                        StoreException.class,
                                        refused -> assertThat(refused.isTransient())
                                                .isTrue()));
                assertThat(errors.get(0).getCause())
                        .hasSameClassAs(errors.get(1).getCause());
            }
        });
        store.submit(jobs.jobs(MANY), jobs.sink);
        assertThat(count()).isEqualTo(2 + MANY);
    }

    private static void onAnotherThread(Runnable action) {
        Thread thread = new Thread(action);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void whoseConnectionIsLostInTheMiddleLeavesNothing() {
        trigger("IF NEW.payload = 'end' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;");
        List<NewJob> batch = new ArrayList<>(jobs.jobs(20 * MANY));
        batch.set(MANY, jobs.jobOf("end"));

        List<Throwable> errors = new ArrayList<>();
        errors.add(catchThrowable(() -> store.submit(batch, jobs.sink)));
        // Its rollback fails as well, and that is what its own caller gets to see.
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    errors.add(catchThrowable(() -> store.submit(batch, jobs.sink)));
                    status.setRollbackOnly();
                }))
                .isInstanceOf(DataAccessResourceFailureException.class);

        assertThat(errors)
                .hasSize(2)
                .allSatisfy(error -> assertThat(error)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                lost -> assertThat(lost.isTransient()).isTrue()));
        assertThat(count()).isOne();
        for (int i = 0; i < 10; i++) {
            store.submit(jobs.jobs(MANY), jobs.sink);
        }
        assertThat(count()).isEqualTo(1 + 10 * MANY);
    }

    /** Each side would wait for the other to read. 20 MB are more than the buffers of both sides hold. */
    @Test
    void hearsWhatTheServerSaysMeanwhile() {
        trigger("RAISE NOTICE '%', repeat('x', 2000);");

        store.submit(jobs.jobs(10 * MANY), jobs.sink);

        assertThat(count()).isEqualTo(1 + 10 * MANY);
    }

    @Test
    void whoseRowsCannotBeReadIsCancelled() throws SQLException {
        Database database = new Database(
                pool, Dialect.postgreSql(), new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null), Duration.ofSeconds(10));
        BulkWriter writer =
                Objects.requireNonNull(database.dialect().submission().bulkWriter());
        String insert = database.filled(writer.insert()).formatted("");
        IllegalStateException unreadable = new IllegalStateException("unreadable");

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> database.onConnection(connection -> {
                    writer.write(connection, insert, List.of(1), (row, rows) -> {
                        rows.row(7);
                        throw unreadable;
                    });
                    return true;
                })))
                .isSameAs(unreadable);

        assertThat(unreadable).hasNoSuppressedExceptions();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("SELECT 1")).isTrue();
        }
        assertThat(count()).isOne();
    }

    @Test
    void ofATableThatIsMissingSaysSo() {
        jdbc.execute("DROP TABLE delayjob_job");

        assertThatThrownBy(() -> store.submit(jobs.jobs(MANY), jobs.sink))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("delayjob_job")
                .hasMessageContaining("check that the tables exist");
    }
}
