package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

    @Test
    void catalogue_isAskedOnceAboutEachTable() throws SQLException {
        open("");
        List<String> asked = new ArrayList<>();
        PresentTables present = new PresentTables(counting(asked));

        assertThat(present.withoutThem("""
                CREATE TABLE IF NOT EXISTS a_job (id INT);
                CREATE INDEX IF NOT EXISTS a_job_due ON a_job (due);
                CREATE INDEX IF NOT EXISTS a_job_id ON a_job (id);
                CREATE INDEX IF NOT EXISTS b_job_id ON b_job (id);
                """)).contains("a_job_id", "b_job_id").doesNotContain("a_job_due");
        assertThat(asked).containsExactly("getTables", "getIndexInfo", "getTables");
    }

    @Test
    void catalogue_isAskedOnceAboutTablesThatBeginAlike() throws SQLException {
        open("");
        List<String> asked = new ArrayList<>();
        PresentTables present = new PresentTables(counting(asked));

        assertThat(present.withoutThem("""
                CREATE TABLE IF NOT EXISTS a_job (id INT);
                CREATE TABLE IF NOT EXISTS a_group_change (id INT);
                CREATE TABLE IF NOT EXISTS apart.b_job (id INT);
                CREATE TABLE IF NOT EXISTS lock (id INT);
                """)).contains("a_group_change", "lock").doesNotContain("a_job", "b_job");
        assertThat(asked).containsExactly("getTables", "getTables", "getTables");
    }

    /** @param asked gets the names of the methods that read tables or indexes */
    private Connection counting(List<String> asked) throws SQLException {
        DatabaseMetaData real = connection.getMetaData();
        DatabaseMetaData catalogue = proxy(DatabaseMetaData.class, (method, arguments) -> {
            if (method.getName().startsWith("getTables") || method.getName().startsWith("getIndexInfo")) {
                asked.add(method.getName());
            }
            return method.invoke(real, arguments);
        });
        return proxy(
                Connection.class,
                (method, arguments) ->
                        method.getName().equals("getMetaData") ? catalogue : method.invoke(connection, arguments));
    }

    private interface Call {
        Object answer(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.answer(method, arguments)));
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
