package io.delayjob.jdbc.lease;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestMySql;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlLeaseClockContractTest extends LeaseClockContract {

    @Override
    HikariDataSource newStore() {
        return TestMySql.newStore();
    }
}
