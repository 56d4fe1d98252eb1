package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlGroupTransactionContractTest extends GroupTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
