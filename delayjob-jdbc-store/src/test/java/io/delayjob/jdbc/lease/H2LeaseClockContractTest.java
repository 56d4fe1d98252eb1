package io.delayjob.jdbc.lease;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestH2;

class H2LeaseClockContractTest extends LeaseClockContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
