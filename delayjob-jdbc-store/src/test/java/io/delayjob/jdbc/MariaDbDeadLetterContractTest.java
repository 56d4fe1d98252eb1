package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbDeadLetterContractTest extends DeadLetterContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }
}
