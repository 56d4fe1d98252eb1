package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlLostAnswerContractTest extends LostAnswerContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
