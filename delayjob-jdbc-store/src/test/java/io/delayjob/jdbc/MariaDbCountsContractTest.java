package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbCountsContractTest extends CountsContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }
}
