package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlDeadLetterContractTest extends DeadLetterContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
