package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A store on one database for all tests of a class, with a table of the application's beside it; both are emptied
 * before each.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class StoreContract {

    final ExecutorService threads = Executors.newCachedThreadPool();
    HikariDataSource pool;
    JdbcTransactionManager manager;
    TransactionTemplate transaction;
    JdbcTemplate jdbc;
    JdbcJobStore store;
    JobMaker jobs;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeAll
    final void makeDatabase() {
        pool = newStore();
        manager = new JdbcTransactionManager(pool);
        transaction = new TransactionTemplate(manager);
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
    }

    @BeforeEach
    final void makeStore() {
        TestSchema.clear(pool);
        jdbc.update("DELETE FROM orders");
        store = JdbcJobStore.builder(pool, manager).build();
        jobs = new JobMaker(store);
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @AfterAll
    final void closeDatabase() {
        threads.shutdownNow();
        if (pool != null) {
            pool.close();
        }
    }
}
