package io.delayjob.internal.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestPostgres;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids go to PostgreSQL in binary wherever its driver can send them so, and as text elsewhere. */
@Timeout(60)
class PostgreSqlIdsTest {

    private static final List<UUID> IDS = List.of(new UUID(0, 0), new UUID(-1, -1), new UUID(1, Long.MIN_VALUE));

    private static HikariDataSource pool;

    @BeforeAll
    static void createDatabase() {
        pool = TestPostgres.newDatabase(2);
    }

    @AfterAll
    static void closePool() {
        pool.close();
    }

    @Test
    void ids_throughAPool_areReadAsTheyWereSent() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            assertThat(PostgreSqlIds.isPossible(connection)).isTrue();
            assertThat(answered(connection, IDS)).isEqualTo(IDS);
        }
    }

    @Test
    void noIds_areAnEmptyArray() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            assertThat(answered(connection, List.of())).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extendedForPrepared"})
    void ids_inEveryQueryMode_areReadAsTheyWereSent(String mode) throws SQLException {
        String separator = pool.getJdbcUrl().contains("?") ? "&" : "?";
        String url = pool.getJdbcUrl() + separator + "preferQueryMode=" + mode;
        try (Connection connection = DriverManager.getConnection(url, pool.getUsername(), pool.getPassword())) {
            assertThat(PostgreSqlIds.isPossible(connection)).isEqualTo(!mode.equals("simple"));
            assertThat(answered(connection, IDS)).isEqualTo(IDS);
        }
    }

    @Test
    void anArray_canBeLogged() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            Array array = PostgreSqlIds.array(connection, IDS.toArray(UUID[]::new));

            assertThat(array).hasToString("""
                    {"%s","%s","%s"}""".formatted(IDS.toArray()));
        }
    }

    private static List<UUID> answered(Connection connection, List<UUID> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT unnest(?::uuid[])")) {
            statement.setArray(1, Dialect.postgreSql().array(connection, "uuid", ids.toArray(UUID[]::new)));
            List<UUID> answered = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    answered.add(rows.getObject(1, UUID.class));
                }
            }
            return answered;
        }
    }
}
