package io.delayjob.benchmarks.durable;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.JobSchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** PostgreSQL with delayjob's empty tables, in a schema that is dropped at the end. */
final class BenchmarkDatabase implements AutoCloseable {

    private static final AtomicInteger OPENED = new AtomicInteger();

    private static final String KEPT = "delayjob_benchmark_kept";

    private final String schema;
    private final @Nullable EmbeddedPostgres embedded;
    private final String url;
    private final HikariDataSource pool = new HikariDataSource();
    private final CountingDataSource counting = new CountingDataSource(pool);

    private BenchmarkDatabase(
            String schema, @Nullable EmbeddedPostgres embedded, String url, int connections, Commits commits) {
        this.schema = schema;
        this.embedded = embedded;
        this.url = url;
        pool.setJdbcUrl(url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema);
        pool.setMaximumPoolSize(connections);
        // Applications that write batches use the same setting.
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        pool.addDataSourceProperty("options", commits.connectionOptions());
    }

    /** @param url JDBC URL with user and password; {@code null} if a server must be started */
    static BenchmarkDatabase open(@Nullable String url, int connections) {
        BenchmarkDatabase database = openEmpty(url, connections, Commits.DURABLE);
        database.makeTables(JobSchema.ddl("postgresql", JobSchema.DEFAULT_PREFIX, null));
        return database;
    }

    /** The server keeps its data, so that the next benchmark finds the tables already filled. */
    static BenchmarkDatabase openKept(Path directory, int connections) {
        EmbeddedPostgres server = start(directory);
        BenchmarkDatabase database = new BenchmarkDatabase(
                KEPT, server, server.getJdbcUrl("postgres", "postgres"), connections, Commits.DURABLE);
        database.execute("CREATE SCHEMA IF NOT EXISTS " + KEPT);
        if (!database.answers("SELECT 1 FROM pg_tables WHERE schemaname = '%s'".formatted(KEPT))) {
            database.makeTables(JobSchema.ddl("postgresql", JobSchema.DEFAULT_PREFIX, null));
        }
        return database;
    }

    static BenchmarkDatabase openEmpty(@Nullable String url, int connections, Commits commits) {
        String schema =
                "delayjob_benchmark_%d_%d".formatted(ProcessHandle.current().pid(), OPENED.incrementAndGet());
        BenchmarkDatabase database;
        if (url == null) {
            EmbeddedPostgres server = start(null);
            database = new BenchmarkDatabase(
                    schema, server, server.getJdbcUrl("postgres", "postgres"), connections, commits);
        } else {
            database = new BenchmarkDatabase(schema, null, url, connections, commits);
        }
        database.execute("DROP SCHEMA IF EXISTS %1$s CASCADE; CREATE SCHEMA %1$s".formatted(database.schema));
        return database;
    }

    /** @param data the data directory; {@code null} for a directory that is deleted at the end */
    private static EmbeddedPostgres start(@Nullable Path data) {
        try {
            // An installed server has these settings by default, but an embedded server does not.
            EmbeddedPostgres.Builder server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("synchronous_commit", "on");
            if (data != null) {
                server.setDataDirectory(data).setCleanDataDirectory(false);
            }
            return server.start();
        } catch (IOException error) {
            throw new UncheckedIOException("No PostgreSQL could be started here; name one with --url=jdbc:…", error);
        }
    }

    void makeTables(String script) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(script);
        } catch (SQLException error) {
            throw new IllegalStateException("The tables could not be made on " + pool.getJdbcUrl(), error);
        }
    }

    /**
     * Writes jobs with ascending due times and ids. The due times lie in a hundred seconds that ended one second ago.
     *
     * @param payload the payload of each job; {@code null} for no payload
     */
    void fillDue(String name, int count, int partitions, @Nullable String payload) {
        execute("""
                INSERT INTO %1$s.delayjob_queue (name) VALUES ('default') ON CONFLICT DO NOTHING;
                INSERT INTO %1$s.delayjob_job (id, partition_id, state, cancel_requested, token, due_at, planned_at,
                    scheduled_at, owner, run, attempt, failures, rescues, in_doubt, name, payload)
                SELECT (LPAD(TO_HEX(due), 12, '0') || '7' || SUBSTR(noise, 1, 3) || '8' || SUBSTR(noise, 4, 15))::UUID,
                    q.number * 1024 + i %% %3$d, 0, FALSE, (random() * 1e18)::BIGINT, due, due,
                    due, 0, 1, 0, 0, 0, 0, '%2$s', %5$s
                FROM %1$s.delayjob_queue q, generate_series(1, %4$d) i,
                    (SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT - 1000 AS latest) l,
                    LATERAL (SELECT latest - 100000 * (%4$d - i)::BIGINT / %4$d AS due, MD5(random()::TEXT || i) AS noise) d
                WHERE q.name = 'default'
                """.formatted(schema, name, partitions, count, payload == null ? "NULL" : "'%s'".formatted(payload)));
    }

    void run(String sql) {
        inSchema(sql);
    }

    void vacuum() {
        inSchema("VACUUM ANALYZE");
    }

    boolean answers(String query) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        } catch (SQLException error) {
            throw new IllegalStateException("PostgreSQL at %s refused: %s".formatted(url, query), error);
        }
    }

    String text(String query) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException error) {
            throw new IllegalStateException("PostgreSQL at %s refused: %s".formatted(url, query), error);
        }
    }

    private void inSchema(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException error) {
            throw new IllegalStateException("PostgreSQL at %s refused: %s".formatted(url, sql), error);
        }
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException error) {
            throw new IllegalStateException("PostgreSQL at %s refused: %s".formatted(url, sql), error);
        }
    }

    Floor floor() {
        try {
            return new Floor(DriverManager.getConnection(pool.getJdbcUrl()));
        } catch (SQLException error) {
            throw new IllegalStateException(
                    "The second connection, which only measures, could not be opened on " + url, error);
        }
    }

    CountingDataSource dataSource() {
        return counting;
    }

    String url() {
        return url;
    }

    /**
     * A local server has the same clock as the benchmark. The benchmark can also read the server's CPU time and files.
     */
    boolean isLocal() {
        return embedded != null;
    }

    @Override
    public void close() {
        pool.close();
        if (embedded == null) {
            execute("DROP SCHEMA %s CASCADE".formatted(schema));
            return;
        }
        try {
            embedded.close();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
