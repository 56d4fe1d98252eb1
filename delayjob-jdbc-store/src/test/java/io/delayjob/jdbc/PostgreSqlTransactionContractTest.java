package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlTransactionContractTest extends TransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
