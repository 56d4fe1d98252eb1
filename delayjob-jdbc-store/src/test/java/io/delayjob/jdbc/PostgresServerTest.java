package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresServerTest {

    @Test
    void keepsItsPortItsSettingsAndWhatWasCommittedOverAnImmediateStop() throws Exception {
        keepsAllOver(TestPostgresServer::stopImmediately);
    }

    @Test
    void keepsItsPortItsSettingsAndWhatWasCommittedOverAKill() throws Exception {
        keepsAllOver(TestPostgresServer::kill);
    }

    private static void keepsAllOver(Consumer<TestPostgresServer> end) throws Exception {
        try (TestPostgresServer server = TestPostgresServer.start(Map.of("work_mem", "5MB"))) {
            server.createDatabase("app");
            try (Connection connection = DriverManager.getConnection(server.url("app"));
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE number AS SELECT 42 AS value");
                end.accept(server);
                assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> DriverManager.getConnection(server.url("app")))
                        .isInstanceOf(SQLException.class);
            }
            server.startAgain();
            try (Connection connection = DriverManager.getConnection(server.url("app"));
                    Statement statement = connection.createStatement()) {
                ResultSet row = statement.executeQuery("SELECT value, current_setting('work_mem') FROM number");
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).isEqualTo(42);
                assertThat(row.getString(2)).isEqualTo("5MB");
            }
        }
    }
}
