package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Order;

@Order(1)
class PostgreSqlContractTest extends DatabaseContract {

    @Override
    HikariDataSource newDatabase() {
        return TestPostgres.newDatabase();
    }
}
