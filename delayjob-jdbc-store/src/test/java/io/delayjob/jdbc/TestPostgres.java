package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL for tests: the server that {@code DELAYJOB_TEST_POSTGRES_URL} names (a JDBC URL with user and password), else
 * one of this JVM's own, started at first use and shared. Where neither can be had a test is skipped and says why; with
 * {@code DELAYJOB_TEST_REQUIRE_DATABASES=true} it fails.
 */
public final class TestPostgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestPostgres() {}

    /** A pool over a new, empty database. Close the pool when done. */
    public static HikariDataSource newDatabase() {
        return newDatabase(10);
    }

    /** A pool of at most {@code connections} over a new, empty database. */
    public static HikariDataSource newDatabase(int connections) {
        String name = "delayjob_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(Server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + name);
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException error) {
            throw new IllegalStateException("No database could be created on " + Server.url(), error);
        }
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(Server.url().replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1"));
        pool.setMaximumPoolSize(connections);
        pool.setMinimumIdle(0);
        return pool;
    }

    /** A pool over a new database that holds delayjob's tables. */
    public static HikariDataSource newStore() {
        HikariDataSource pool = newDatabase();
        TestSchema.apply(pool);
        return pool;
    }

    /** Starts when it is first touched, and stops with the JVM. */
    private static final class Server {
        private static final String URL = find();

        static String url() {
            Assumptions.assumeTrue(!URL.isEmpty(), "no PostgreSQL: none is named, and none could be started here");
            return URL;
        }

        private static String find() {
            String named = System.getenv("DELAYJOB_TEST_POSTGRES_URL");
            if (named != null && !named.isBlank()) {
                return named;
            }
            try {
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("fsync", "off")
                        .start();
                return server.getJdbcUrl("postgres", "postgres");
            } catch (IOException | RuntimeException cannotStart) {
                if (Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_DATABASES"))) {
                    throw new IllegalStateException("PostgreSQL is required and could not be started.", cannotStart);
                }
                return "";
            }
        }
    }
}
