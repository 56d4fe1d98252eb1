package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2SchemaContractTest extends SchemaContract {

    @Override
    HikariDataSource newDatabase() {
        return TestH2.inMemory();
    }

    @Override
    String platform() {
        return "h2";
    }
}
