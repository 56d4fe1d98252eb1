package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2TransactionContractTest extends TransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }

    @Override
    boolean refusesToWriteInReadOnlyTransactions() {
        return false;
    }
}
