package io.delayjob.benchmarks.durable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.JobSchema;
import io.delayjob.jdbc.dialect.Dialect;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL with empty job tables: the database that {@code DELAYJOB_BENCHMARK_POSTGRES_URL} names (its job tables are
 * dropped!), else an embedded server with its defaults, fsync included.
 */
final class BenchDatabase implements AutoCloseable {

    private static final String PREFIX = "delayjob_";

    private final @Nullable EmbeddedPostgres server;
    private final HikariDataSource pool;
    private final StatementCounter statements;

    private BenchDatabase(@Nullable EmbeddedPostgres server, String url) throws SQLException {
        this.server = server;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(16);
        this.pool = new HikariDataSource(config);
        this.statements = new StatementCounter(pool);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS delayjob_job, delayjob_history, delayjob_attempt,"
                    + " delayjob_instance, delayjob_queue, shedlock");
            statement.execute(JobSchema.ddl(Dialect.of(connection.getMetaData()), PREFIX, null));
        }
    }

    static BenchDatabase open() throws IOException, SQLException {
        String named = System.getenv("DELAYJOB_BENCHMARK_POSTGRES_URL");
        if (named != null && !named.isBlank()) {
            return new BenchDatabase(null, named);
        }
        EmbeddedPostgres server =
                EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
        return new BenchDatabase(server, server.getJdbcUrl("postgres", "postgres"));
    }

    /** The pool, its statements counted. */
    StatementCounter dataSource() {
        return statements;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String version() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    @Override
    public void close() throws IOException {
        pool.close();
        if (server != null) {
            server.close();
        }
    }
}
