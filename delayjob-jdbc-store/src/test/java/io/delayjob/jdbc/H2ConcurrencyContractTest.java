package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2ConcurrencyContractTest extends ConcurrencyContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
