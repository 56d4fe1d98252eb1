package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import org.junit.jupiter.api.Test;

class SchemaScriptsTest {

    private static String script(Dialect dialect) {
        return JobSchema.ddl(dialect, SqlTemplate.DEFAULT_PREFIX, null);
    }

    @Test
    void mariaDbAndMySql_differInCollationsOnly() {
        assertThat(script(Dialect.mariaDb())
                        .replace("MariaDB 10.6", "MySQL 8.0.17")
                        .replace("utf8mb4_nopad_bin", "utf8mb4_0900_bin"))
                .isEqualTo(script(Dialect.mySql()));
    }
}
