package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgreSqlSchemaContractTest extends SchemaContract {

    @Override
    HikariDataSource newDatabase() {
        return TestPostgres.newDatabase();
    }

    @Override
    String platform() {
        return "postgresql";
    }
}
