package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SchemaScriptsTest {

    private static String script(String platform) {
        return JobSchema.ddl(platform, JobSchema.DEFAULT_PREFIX, null);
    }

    @Test
    void mariaDbAndMySql_differInCollationsOnly() {
        assertThat(script("mariadb")
                        .replace("MariaDB 10.6", "MySQL 8.0.17")
                        .replace("utf8mb4_nopad_bin", "utf8mb4_0900_bin"))
                .isEqualTo(script("mysql"));
    }
}
