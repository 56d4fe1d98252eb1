package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlAnswerTransactionContractTest extends AnswerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
