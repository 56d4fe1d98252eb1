package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbAttemptLogContractTest extends AttemptLogContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }
}
