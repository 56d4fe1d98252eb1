package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2MemoryContractTest extends DatabaseContract {

    @Override
    HikariDataSource newDatabase() {
        return TestH2.inMemory();
    }
}
