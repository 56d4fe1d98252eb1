package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlContractTest extends DatabaseContract {

    @Override
    HikariDataSource newDatabase() {
        return TestPostgres.newDatabase();
    }
}
