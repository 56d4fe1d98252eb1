package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2LostAnswerContractTest extends LostAnswerContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
