package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2HandlerTransactionContractTest extends HandlerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
