package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbHandlerTransactionContractTest extends HandlerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }
}
