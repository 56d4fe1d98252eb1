package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Order;

@Order(1)
class H2MemoryContractTest extends DatabaseContract {

    @Override
    HikariDataSource newDatabase() {
        return TestH2.inMemory();
    }
}
