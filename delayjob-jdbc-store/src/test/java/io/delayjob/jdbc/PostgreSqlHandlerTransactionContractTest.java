package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlHandlerTransactionContractTest extends HandlerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
