package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2AttemptLogContractTest extends AttemptLogContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
