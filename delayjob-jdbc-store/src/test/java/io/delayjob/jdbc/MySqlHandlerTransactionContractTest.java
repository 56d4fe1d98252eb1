package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlHandlerTransactionContractTest extends HandlerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMySql.newStore();
    }
}
