package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2GroupTransactionContractTest extends GroupTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
