package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2ClockContractTest extends ClockContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
