package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2CountsContractTest extends CountsContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
