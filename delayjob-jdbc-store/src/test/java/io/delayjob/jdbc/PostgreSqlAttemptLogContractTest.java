package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlAttemptLogContractTest extends AttemptLogContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
