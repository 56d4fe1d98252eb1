package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlContractTest extends DatabaseContract {

    @Override
    HikariDataSource newDatabase() {
        return TestMySql.newDatabase();
    }
}
