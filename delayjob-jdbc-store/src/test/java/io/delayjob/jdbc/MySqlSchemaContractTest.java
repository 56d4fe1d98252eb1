package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MySqlSchemaContractTest extends SchemaContract {

    @Override
    HikariDataSource newDatabase() {
        return TestMySql.newDatabase();
    }

    @Override
    String platform() {
        return "mysql";
    }
}
