package io.delayjob.jdbc.lease;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestMariaDb;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbLeaseClockContractTest extends LeaseClockContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }
}
