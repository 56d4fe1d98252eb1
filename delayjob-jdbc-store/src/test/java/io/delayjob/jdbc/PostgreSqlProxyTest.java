package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestProxy.Effect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The test proxy's one-shot faults, before a real PostgreSQL: each is where it says, and the server did what it says.
 */
@Timeout(60)
class PostgreSqlProxyTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static HikariDataSource direct;

    private TestProxy proxy;
    private String url;

    @BeforeAll
    static void createDatabase() {
        direct = TestPostgres.newDatabase(2);
    }

    @AfterAll
    static void closePool() {
        direct.close();
    }

    @BeforeEach
    void startProxy() throws SQLException {
        proxy = TestProxy.before(direct.getJdbcUrl());
        url = proxy.through(direct.getJdbcUrl());
        execute("DROP TABLE IF EXISTS number", "CREATE TABLE number (value INT)");
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    private static void execute(String... statements) throws SQLException {
        try (Connection connection = direct.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static int numbers() throws SQLException {
        try (Connection connection = direct.getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM number")) {
            count.next();
            return count.getInt(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    private static void insert(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO number VALUES (?)")) {
            insert.setInt(1, 1);
            insert.executeUpdate();
        }
    }

    @Test
    void losesTheAnswerToACommitThatTheServerHasDone() throws SQLException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            // From the second one on the driver sends COMMIT by its statement's name.
            insert(connection);
            connection.commit();
            TestFault fault = proxy.atCommit("insert into NUMBER", Effect.LOSE_ANSWER);
            insert(connection);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(fault.hasHappened()).isTrue();
        }
        assertThat(numbers()).isEqualTo(2);
        assertThat(proxy.counts().faults()).isEqualTo(1);
    }

    @Test
    void anAutomaticCommitIsACommit() throws SQLException {
        proxy.atCommit("number", Effect.LOSE_ANSWER);
        try (Connection connection = connect()) {
            connection.createStatement().executeQuery("SELECT COUNT(*) FROM number");
            assertThatThrownBy(() -> insert(connection)).isInstanceOf(SQLException.class);
        }
        assertThat(numbers()).isEqualTo(1);
    }

    @Test
    void losesACommitBeforeTheServerHasDoneIt() throws SQLException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            proxy.atCommit("", Effect.LOSE_REQUEST);
            insert(connection);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        // Waits for the row's transaction, if the server should still have it.
        execute("ALTER TABLE number ADD another INT");
        assertThat(numbers()).isZero();
    }

    @Test
    void deliversALateCommitAfterItsClientHasGivenUp() throws SQLException, InterruptedException {
        TestFault fault = proxy.atCommit("number", Effect.DELAY_REQUEST);
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            insert(connection);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThat(fault.hasHappened()).isTrue();
        assertThat(numbers()).isZero();
        fault.release();
        assertThat(fault.awaitAnswer(SOON)).isTrue();
        assertThat(numbers()).isEqualTo(1);
    }

    @Test
    void holdsTheAnswerToOneStatementOnly() throws Exception {
        try (Connection held = connect();
                Connection other = connect()) {
            TestFault fault = proxy.atStatement("INSERT", Effect.HOLD_ANSWER);
            CompletableFuture<Void> inserted = CompletableFuture.runAsync(() -> {
                try {
                    insert(held);
                } catch (SQLException error) {
                    throw new IllegalStateException(error);
                }
            });
            assertThat(fault.await(SOON)).isTrue();
            insert(other);
            assertThat(inserted).isNotDone();
            fault.release();
            inserted.get(SOON.toSeconds(), TimeUnit.SECONDS);
            insert(held);
        }
        assertThat(numbers()).isEqualTo(3);
    }

    @Test
    void aRolledBackTransactionIsNoCommit() throws SQLException {
        TestFault fault = proxy.atCommit("number", Effect.LOSE_ANSWER);
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            insert(connection);
            connection.rollback();
            connection.createStatement().execute("SELECT 1");
            connection.commit();
        }
        assertThat(fault.hasHappened()).isFalse();
    }
}
