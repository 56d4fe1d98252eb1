package io.delayjob.internal.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

    private static final Set<Class<?>> SQL = Set.of(String.class, Script.class, Straight.class, Dialect.Mark.class);

    static Stream<Dialect> dialects() {
        return Stream.of(Dialect.h2(), Dialect.postgreSql(), Dialect.mariaDb(), Dialect.mySql());
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void everyStatement_isFilledToTheLastPlaceholder(Dialect dialect) throws Exception {
        SqlTemplate template = new SqlTemplate("delayjob_", null);
        List<Object> roles = Stream.of(
                        dialect,
                        dialect.submission(),
                        dialect.submission().bulkWriter(),
                        dialect.byHand(),
                        dialect.claims(),
                        dialect.ends(),
                        dialect.pages(),
                        dialect.reads(),
                        dialect.register())
                .filter(Objects::nonNull)
                .toList();
        int statements = 0;
        for (Object role : roles) {
            Class<?> declaring = role == dialect ? Dialect.class : role.getClass();
            for (Method statement : declaring.getMethods()) {
                if (!SQL.contains(statement.getReturnType())
                        || Modifier.isStatic(statement.getModifiers())
                        || statement.getParameterCount() > 0
                        || statement.getDeclaringClass() == Object.class) {
                    continue;
                }
                statement.setAccessible(true);
                Object sql = statement.invoke(role);
                if (sql == null) {
                    // Another statement does its work in this database.
                    continue;
                }
                String filled = template.fill(dialect, sql.toString());
                assertThat(filled).as(statement.getName()).doesNotContain("{");
                statements++;
            }
        }
        assertThat(statements).isGreaterThan(60);
    }
}
