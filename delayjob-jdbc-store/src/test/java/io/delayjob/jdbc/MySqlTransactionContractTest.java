package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlTransactionContractTest extends TransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMySql.newStore();
    }
}
