package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2AnswerTransactionContractTest extends AnswerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }
}
