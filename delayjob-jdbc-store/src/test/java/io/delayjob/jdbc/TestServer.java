package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * A database server for tests: the one that an environment variable names (a JDBC URL with user and password), else one
 * of this JVM's own, started at first use and shared. Where neither can be had a test is skipped and says why; with
 * {@code DELAYJOB_TEST_REQUIRE_DATABASES=true} it fails. Thread-safe.
 */
final class TestServer {

    private final AtomicInteger databases = new AtomicInteger();
    private final String product;
    private final String variable;
    private final Callable<String> start;
    private boolean tried;
    private String url = "";
    private String reason = "";

    /**
     * @param variable names a running server
     * @param start starts one that stops with the JVM, and answers its JDBC URL
     */
    TestServer(String product, String variable, Callable<String> start) {
        this.product = product;
        this.variable = variable;
        this.start = start;
    }

    /** A pool of at most {@code connections} over a new, empty database. */
    HikariDataSource newDatabase(int connections) {
        String name = "delayjob_" + ProcessHandle.current().pid() + "_" + databases.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + name);
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException error) {
            throw new IllegalStateException("No database could be created on " + url(), error);
        }
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url().replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1"));
        pool.setMaximumPoolSize(connections);
        pool.setMinimumIdle(0);
        return pool;
    }

    private synchronized String url() {
        if (!tried) {
            tried = true;
            find();
        }
        Assumptions.assumeFalse(url.isEmpty(), reason);
        return url;
    }

    private void find() {
        String named = System.getenv(variable);
        if (named != null && !named.isBlank()) {
            url = named;
            return;
        }
        try {
            url = start.call();
        } catch (Exception cannotStart) {
            reason = "no %s: %s names none, and none could be started here (%s)"
                    .formatted(product, variable, cannotStart.getMessage());
            if (Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_DATABASES"))) {
                throw new IllegalStateException(product + " is required and could not be started.", cannotStart);
            }
        }
    }
}
