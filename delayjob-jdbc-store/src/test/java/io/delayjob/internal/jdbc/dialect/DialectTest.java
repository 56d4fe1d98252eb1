package io.delayjob.internal.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialectTest {

    private static DatabaseMetaData database(String product, String version) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                DialectTest.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getDatabaseProductName" -> product;
                    case "getDatabaseProductVersion" -> version;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** As drivers answer it; that of MySQL takes a MariaDB for a MySQL. */
    @ParameterizedTest
    @CsvSource({
        "PostgreSQL, 18.6 (Debian 18.6-1), postgresql",
        "PostgreSQL, 13.22, postgresql",
        "H2, 2.4.240 (2025-09-22), h2",
        "MariaDB, 11.4.5-MariaDB, mariadb",
        "MariaDB, 10.6.22-MariaDB-log, mariadb",
        "MySQL, 11.4.5-MariaDB, mariadb",
        "MySQL, 5.5.5-10.11.14-MariaDB-0+deb12u2, mariadb",
        "MySQL, 8.0.31, mysql",
        "MySQL, 8.4.7-0ubuntu0.24.04, mysql",
        "MySQL, 9.5.0, mysql"
    })
    void database_isRecognised(String product, String version, String platform) throws SQLException {
        assertThat(Dialect.of(database(product, version)).platform()).isEqualTo(platform);
    }

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL, 12.22, 13",
        "H2, 2.1.214 (2022-06-13), 2.2",
        "MariaDB, 10.5.29-MariaDB, 10.6",
        "MySQL, 5.5.5-10.5.29-MariaDB, 10.6",
        "MySQL, 8.0.16, 8.0.17",
        "MySQL, 5.7.44-log, 8.0.17"
    })
    void oldDatabase_isRefused(String product, String version, String oldest) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dialect.of(database(product, version)))
                .withMessageContaining("'" + version + "'")
                .withMessageContaining("must be " + oldest + " or later");
    }

    @Test
    void unknownDatabase_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dialect.of(database("Oracle", "23")))
                .withMessageContaining("'Oracle'")
                .withMessageContaining("PostgreSQL, MariaDB, MySQL, H2");
    }
}
