package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.store.JobStore;
import io.delayjob.test.TransactionalStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The contract on one database, emptied before each test. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class DatabaseContract extends TransactionalStoreContract {

    private HikariDataSource pool;
    private JdbcJobStore store;

    /** A pool over a new database. */
    abstract HikariDataSource newDatabase();

    @BeforeAll
    final void makeTables() {
        pool = newDatabase();
        TestSchema.apply(pool);
    }

    @Override
    protected final JobStore store() {
        TestSchema.clear(pool);
        store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build();
        return store;
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @AfterAll
    final void closeDatabase() {
        if (pool != null) {
            pool.close();
        }
    }
}
