package io.delayjob.proofs.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Jobs and leases of a worker in PostgreSQL. */
final class JdbcWorkerStore implements WorkerStore {

    private static final int CONNECTIONS = 12;
    private static final long START_MILLIS = 30_000;
    private static final long BETWEEN_TRIES_MILLIS = 20;

    private static final int MAX_STARTS = 3;

    private final HikariDataSource pool;
    private final JdbcTransactionManager transactionManager;
    private final Transactions transactions;
    private final JdbcJobStore store;
    private final CountDownLatch never = new CountDownLatch(1);

    private JdbcWorkerStore(HikariDataSource pool, Profile profile) {
        this.pool = pool;
        this.transactionManager = new JdbcTransactionManager(pool);
        this.transactions = new Transactions(transactionManager, pool);
        this.store = build(profile);
    }

    /** Tries several times, because the server may restart while a worker starts. */
    private JdbcJobStore build(Profile profile) {
        for (int tries = 1; ; tries++) {
            try {
                return JdbcJobStore.builder(pool, transactionManager)
                        .statementTimeout(profile.statementTimeout())
                        .build();
            } catch (RuntimeException failure) {
                if (tries == MAX_STARTS) {
                    throw failure;
                }
            }
        }
    }

    static JdbcWorkerStore open(WorkerOrders orders) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(orders.url());
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setMinimumIdle(0);
        pool.setInitializationFailTimeout(START_MILLIS);
        pool.setConnectionTimeout(START_MILLIS);
        JdbcWorkerStore store = new JdbcWorkerStore(pool, orders.profile());
        long connectionMillis = orders.profile().connectionTimeout().toMillis();
        pool.setConnectionTimeout(connectionMillis);
        pool.setValidationTimeout(Math.min(pool.getValidationTimeout(), connectionMillis));
        return store;
    }

    @Override
    public JobStore jobs() {
        return store;
    }

    @Override
    public LeaseProvider leases(String incarnation, Mutant mutant, EngineClock clock) {
        return JdbcLeases.inDatabase(
                pool, transactionManager, store.platform(), mutant.leaseOwner(incarnation), mutant.leaseClock(clock));
    }

    @Override
    public Transactions transactions() {
        return transactions;
    }

    @Override
    public int hog(Duration length) {
        long until = System.nanoTime() + length.toNanos();
        List<Connection> taken = new ArrayList<>();
        try {
            while (System.nanoTime() - until < 0) {
                try {
                    taken.add(pool.getConnection());
                } catch (SQLException none) {
                    never.await(BETWEEN_TRIES_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            taken.forEach(JdbcWorkerStore::giveBack);
        }
        return taken.size();
    }

    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public void close() {
        store.close();
        pool.close();
    }
}
