package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL, which calls it a MySQL. */
@Tag("all-databases")
class MariaDbThroughMySqlDriverContractTest extends DatabaseContract {

    @Override
    HikariDataSource newDatabase() {
        HikariDataSource pool = TestMariaDb.newDatabase();
        pool.setJdbcUrl(pool.getJdbcUrl().replace("jdbc:mariadb:", "jdbc:mysql:") + "&sslMode=DISABLED");
        return pool;
    }
}
