package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlGroupTransactionContractTest extends GroupTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMySql.newStore();
    }
}
