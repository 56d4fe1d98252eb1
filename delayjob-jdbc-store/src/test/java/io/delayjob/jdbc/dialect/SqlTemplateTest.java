package io.delayjob.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTemplateTest {

    @Test
    void fill_putsInTablesAndStates() {
        assertThat(new SqlTemplate("delayjob_", null).fill(Dialect.h2(), "SELECT id FROM {job} WHERE state = {failed}"))
                .isEqualTo("SELECT id FROM delayjob_job WHERE state = 3");
        assertThat(new SqlTemplate("dj_", "jobs").fill(Dialect.h2(), "DELETE FROM {history}"))
                .isEqualTo("DELETE FROM jobs.dj_history");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1st_", "a-b", "a b", "a;", "äb", "x123456789012345678901234567890_", "a.b"})
    void prefix_thatIsNoNameIsRefused(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SqlTemplate(prefix, null))
                .withMessageContaining("'" + prefix + "'")
                .withMessageContaining("at most 31");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_", "A", "delayjob_", "x12345678901234567890123456789_"})
    void prefix_thatIsANameIsTaken(String prefix) {
        assertThat(new SqlTemplate(prefix, null).fill(Dialect.h2(), "{queue}")).isEqualTo(prefix + "queue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "public; DROP", "\"x\""})
    void schema_thatIsNoNameIsRefused(String schema) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SqlTemplate("delayjob_", schema))
                .withMessageContaining("schema");
    }

    static Stream<Dialect> dialects() {
        return Stream.of(Dialect.h2(), Dialect.postgreSql(), Dialect.mariaDb(), Dialect.mySql());
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void everyStatement_isFilledToTheLastPlaceholder(Dialect dialect) throws Exception {
        SqlTemplate template = new SqlTemplate("delayjob_", null);
        for (Method statement : Dialect.class.getDeclaredMethods()) {
            boolean answersSql = statement.getReturnType() == String.class || statement.getReturnType() == Script.class;
            if (!answersSql || Modifier.isStatic(statement.getModifiers()) || statement.getParameterCount() > 0) {
                continue;
            }
            Object sql = statement.invoke(dialect);
            if (sql == null) {
                // Another statement does for this database what it would be for.
                continue;
            }
            String filled = template.fill(dialect, sql.toString());
            assertThat(filled).as(statement.getName()).doesNotContain("{");
        }
    }
}
