package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbAnswerTransactionContractTest extends AnswerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }
}
