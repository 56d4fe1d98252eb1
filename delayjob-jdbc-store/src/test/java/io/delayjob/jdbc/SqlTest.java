package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.internal.jdbc.dialect.Dialect;
import org.junit.jupiter.api.Test;

class SqlTest {

    @Test
    void parse_numbersTheNames() {
        Sql sql = Sql.parse("UPDATE t SET a = :value WHERE id = :id AND b < :value", Binding.of(Dialect.h2()));

        assertThat(sql.text()).isEqualTo("UPDATE t SET a = ? WHERE id = ? AND b < ?");
        assertThat(sql.names()).containsExactly("value", "id", "value");
    }
}
