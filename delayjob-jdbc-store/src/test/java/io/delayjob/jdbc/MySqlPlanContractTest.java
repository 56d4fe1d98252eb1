package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlPlanContractTest extends InnoDbPlanContract {

    @Override
    HikariDataSource newStore() {
        return TestMySql.newStore();
    }
}
