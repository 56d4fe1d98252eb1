package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlCountsContractTest extends CountsContract {

    @Override
    HikariDataSource newStore() {
        return TestMySql.newStore();
    }
}
