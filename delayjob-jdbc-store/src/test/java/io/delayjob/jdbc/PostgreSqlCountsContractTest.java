package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlCountsContractTest extends CountsContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
