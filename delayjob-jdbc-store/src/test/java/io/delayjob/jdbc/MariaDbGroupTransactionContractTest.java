package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbGroupTransactionContractTest extends GroupTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }
}
