package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2DeadLetterContractTest extends DeadLetterContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
