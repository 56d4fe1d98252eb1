package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlAnswerTransactionContractTest extends AnswerTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMySql.newStore();
    }
}
