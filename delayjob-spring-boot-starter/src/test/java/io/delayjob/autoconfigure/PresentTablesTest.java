package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PresentTablesTest {

    private Connection connection;

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";DATABASE_TO_LOWER=true", ";DATABASE_TO_UPPER=false"})
    void statementsWhoseTableOrIndexIsThere_areLeftOut(String mode) throws SQLException {
        open(mode);
        PresentTables present = new PresentTables(connection);

        assertThat(present.withoutThem("""
                -- What is there; it stays.
                CREATE TABLE IF NOT EXISTS a_job (
                    id  INT, -- a number; never used again
                    due INT DEFAULT ';'
                );
                create table if not exists apart.b_job (id INT);
                CREATE INDEX IF NOT EXISTS a_job_due ON a_job (due);
                """).strip()).isEqualTo("-- What is there; it stays.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE IF NOT EXISTS axjob (id INT, text VARCHAR(9) DEFAULT 'a;b');",
                "CREATE TABLE IF NOT EXISTS b_job (id INT);",
                "CREATE TABLE IF NOT EXISTS apart.a_job (id INT);",
                "CREATE TABLE IF NOT EXISTS apa_t.b_job (id INT);",
                "CREATE UNIQUE INDEX IF NOT EXISTS a_job_key ON a_job (id);",
                "CREATE INDEX IF NOT EXISTS a_job_due ON b_job (id);",
                "CREATE TABLE a_job (id INT);",
                "ALTER TABLE a_job ADD COLUMN more INT;",
                "INSERT INTO a_job VALUES (1, 2);"
            })
    void statementThatMakesAnythingElse_stays(String statement) throws SQLException {
        open("");
        assertThat(new PresentTables(connection).withoutThem(statement)).isEqualTo(statement);
    }

    private void open(String mode) throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:" + mode);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA apart");
            statement.execute("CREATE TABLE a_job (id INT, due INT)");
            statement.execute("CREATE INDEX a_job_due ON a_job (due)");
            statement.execute("CREATE TABLE apart.b_job (id INT)");
        }
    }
}
