package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlClockContractTest extends ClockContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
