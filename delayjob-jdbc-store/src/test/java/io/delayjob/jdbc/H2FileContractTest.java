package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;

@Order(1)
class H2FileContractTest extends DatabaseContract {

    @TempDir
    static Path directory;

    @Override
    HikariDataSource newDatabase() {
        return TestH2.onFile(directory);
    }
}
