package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A database under the dialect of another one: its statements are read at start. */
class ForeignDialectTest {

    /** The database under another name. */
    private static DelegatingDataSource renamed(HikariDataSource pool) {
        return new DelegatingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                DatabaseMetaData metaData = connection.getMetaData();
                DatabaseMetaData renamed =
                        answering(DatabaseMetaData.class, metaData, "getDatabaseProductName", "Elsewhere");
                return answering(Connection.class, connection, "getMetaData", renamed);
            }
        };
    }

    private static <T> T answering(Class<T> type, T target, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    try {
                        return called.getName().equals(method) ? answer : called.invoke(target, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    private static JdbcJobStore store(HikariDataSource pool, String dialect) {
        DelegatingDataSource renamed = renamed(pool);
        return JdbcJobStore.builder(renamed, new JdbcTransactionManager(renamed))
                .dialect(dialect)
                .build();
    }

    @Test
    void databaseThatReadsTheStatements_isServed() {
        try (HikariDataSource h2 = TestH2.newStore();
                JdbcJobStore store = store(h2, "h2")) {
            assertThatCode(store::checkDialect).doesNotThrowAnyException();
            assertThat(store.toString()).matches("Elsewhere 2\\.\\d+ in the dialect of H2, prefix delayjob_");
        }
        try (HikariDataSource postgreSql = TestPostgres.newStore();
                JdbcJobStore store = store(postgreSql, "postgresql")) {
            assertThatCode(store::checkDialect).doesNotThrowAnyException();
        }
    }

    /**
     * A driver that hands statements over late: PostgreSQL's asks the server when a statement runs, or is described.
     */
    @Test
    void databaseThatRefusesAStatement_isToldWithDialectAndStatement() {
        try (HikariDataSource postgreSql = TestPostgres.newStore();
                JdbcJobStore store = store(postgreSql, "h2")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(store::checkDialect)
                    .withMessageStartingWith(
                            "Unsupported database 'Elsewhere' for delayjob.jdbc.dialect=h2: it refuses statements of that dialect, such as%n    SELECT"
                                    .formatted())
                    .withMessageContaining("syntax error");
        }
    }

    @Test
    void ownDialect_isNotLookedAt() {
        try (HikariDataSource pool = TestH2.newStore();
                JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                        .build()) {
            new JdbcTemplate(pool).execute("DROP TABLE delayjob_job");

            assertThatCode(store::checkDialect).doesNotThrowAnyException();
        }
    }
}
