package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** A PostgreSQL for tests: see {@link TestServer}. {@code DELAYJOB_TEST_POSTGRES_URL} names one that runs. */
public final class TestPostgres {

    private static final TestServer SERVER = new TestServer(
            "PostgreSQL",
            "DELAYJOB_TEST_POSTGRES_URL",
            () -> EmbeddedPostgres.builder()
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("fsync", "off")
                    .setServerConfig("full_page_writes", "off")
                    .setServerConfig("wal_level", "minimal")
                    .setServerConfig("max_wal_senders", "0")
                    .setServerConfig("max_wal_size", "4GB")
                    .start()
                    .getJdbcUrl("postgres", "postgres"));

    private TestPostgres() {}

    /** A pool over a new, empty database. Close the pool when done. */
    public static HikariDataSource newDatabase() {
        return newDatabase(10);
    }

    /** A pool of at most {@code connections} over a new, empty database. */
    public static HikariDataSource newDatabase(int connections) {
        return SERVER.newDatabase(connections);
    }

    /** A pool over a new database that holds delayjob's tables. */
    public static HikariDataSource newStore() {
        HikariDataSource pool = newDatabase();
        TestSchema.apply(pool);
        return pool;
    }
}
