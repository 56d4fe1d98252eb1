package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlConcurrencyContractTest extends ConcurrencyContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
