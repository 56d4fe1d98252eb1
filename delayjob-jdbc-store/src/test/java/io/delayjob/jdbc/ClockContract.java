package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.store.InstanceStore;
import io.delayjob.time.StoreClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The store's clock, and the heart that beats beside everything else. */
abstract class ClockContract {

    private HikariDataSource pool;
    private JdbcTransactionManager manager;
    private JdbcJobStore store;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeEach
    final void makeStore() {
        pool = newStore();
        manager = new JdbcTransactionManager(pool);
        store = JdbcJobStore.builder(pool, manager).build();
    }

    @AfterEach
    final void closeStore() {
        if (pool != null) {
            store.close();
            pool.close();
        }
    }

    @Test
    void clock_runsOnWithinATransaction() {
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            store.find(new JobMaker(store).job().id());
            long first = store.clockMicros();
            long next = first;
            while (next == first) {
                next = store.clockMicros();
            }
            assertThat(next).isGreaterThan(first);
        });
    }

    @Test
    void clock_isThatOfTheWorld() {
        assertThat(Math.abs(store.clockMicros() - StoreClock.wallMicros())).isLessThan(TimeUnit.MINUTES.toMicros(1));
    }

    @Test
    void beat_answersTheClockAsItRunsOn() {
        InstanceStore instances = store.instances();
        long number = instances.register("instance-1", Set.of("default"), Set.of());

        long before = store.clockMicros();
        long beat = instances.beat(number, false).orElseThrow();
        long after = store.clockMicros();

        assertThat(beat).isBetween(before, after);
    }

    @Test
    void beat_goesOnWhileThePoolIsExhausted() throws Exception {
        InstanceStore instances = store.instances();
        long number = instances.register("instance-1", Set.of("default"), Set.of());
        List<Connection> taken = new ArrayList<>();
        try {
            while (taken.size() < pool.getMaximumPoolSize() - 1) {
                taken.add(pool.getConnection());
            }
            assertThat(instances.beat(number, false)).isPresent();
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readsOfPeople_doNotWaitForTheHeartbeatsConnection() throws Exception {
        Semaphore open = new Semaphore(0);
        CountDownLatch asked = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        DataSource slowOnce = new DelegatingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                if (slow.getAndSet(false)) {
                    asked.countDown();
                    open.acquireUninterruptibly();
                }
                return super.getConnection();
            }
        };
        ExecutorService heart = Executors.newSingleThreadExecutor();
        try (JdbcJobStore other = JdbcJobStore.builder(slowOnce, new JdbcTransactionManager(slowOnce))
                .build()) {
            slow.set(true);
            Future<Long> number = heart.submit(() -> other.instances().register("instance-1", Set.of(), Set.of()));
            asked.await();

            assertThat(other.instances().list()).isEmpty();
            assertThat(other.instances().handlers()).isEmpty();

            open.release();
            assertThat(number.get()).isPositive();
        } finally {
            open.release();
            heart.shutdown();
        }
    }

    @Test
    void close_givesTheConnectionBack() {
        store.instances().register("instance-1", Set.of("default"), Set.of());
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isOne();

        store.close();

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
}
