package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class H2FileContractTest extends DatabaseContract {

    @TempDir
    static Path directory;

    @Override
    HikariDataSource newDatabase() {
        return TestH2.onFile(directory);
    }
}
