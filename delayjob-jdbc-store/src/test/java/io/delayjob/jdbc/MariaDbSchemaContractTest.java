package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

@Tag("all-databases")
class MariaDbSchemaContractTest extends SchemaContract {

    @Override
    HikariDataSource newDatabase() {
        return TestMariaDb.newDatabase();
    }

    @Override
    String platform() {
        return "mariadb";
    }
}
