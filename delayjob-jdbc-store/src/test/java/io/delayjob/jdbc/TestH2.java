package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** H2 databases for tests. */
public final class TestH2 {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestH2() {}

    /** A pool over a new database in memory, which is gone once the pool is closed. */
    public static HikariDataSource inMemory() {
        return pool("jdbc:h2:mem:delayjob-" + DATABASES.incrementAndGet());
    }

    /** A pool over a database in this directory that keeps what it has acknowledged. */
    public static HikariDataSource onFile(Path directory) {
        return pool("jdbc:h2:file:" + directory.resolve("delayjob") + ";WRITE_DELAY=0");
    }

    /** A pool over a new database in memory that holds delayjob's tables. */
    public static HikariDataSource newStore() {
        HikariDataSource pool = inMemory();
        TestSchema.apply(pool);
        return pool;
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }
}
