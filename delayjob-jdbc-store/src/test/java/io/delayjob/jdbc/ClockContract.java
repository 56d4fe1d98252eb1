package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.JobId;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceStore;
import io.delayjob.time.StoreClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The store's clock, and the heart that beats beside everything else. */
abstract class ClockContract {

    private final Random random = new Random(1);
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
        long beat = instances.beat(number, false, null).orElseThrow();
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
            assertThat(instances.beat(number, false, null)).isPresent();
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
    void manyCancellations_areForgottenByOneStatement() {
        LosingDataSource counting = new LosingDataSource(pool);
        try (JdbcJobStore counted = JdbcJobStore.builder(counting, new JdbcTransactionManager(counting))
                .build()) {
            InstanceStore instances = counted.instances();
            long number = instances.register("instance-1", Set.of("default"), Set.of());
            long another = instances.register("instance-2", Set.of("default"), Set.of());
            List<JobId> cancelled = cancelled(number, 5_000);
            List<JobId> others = cancelled(another, 1);
            int before = counting.prepared.get();

            instances.forgetCancellations(
                    number, Stream.of(cancelled, others).flatMap(List::stream).toList());

            assertThat(counting.prepared).hasValue(before + 1);
            assertThat(instances.look(number).cancelRequested()).isEmpty();
            assertThat(instances.look(another).cancelRequested()).containsExactlyElementsOf(others);
        }
    }

    @Test
    void lookAtTooManyCancellations_leavesTheRestToTheNext() {
        InstanceStore instances = store.instances();
        long number = instances.register("instance-1", Set.of("default"), Set.of());
        List<JobId> cancelled = cancelled(number, Notices.MOST_CANCELLATIONS + 2);
        store.pause(Paused.queue("bulk"), new PauseNote(JobMaker.NOW, null, null), () -> {});

        ClusterView first = instances.look(number);
        instances.forgetCancellations(number, first.cancelRequested());
        ClusterView second = instances.look(number);

        assertThat(first.cancelRequested().size()).isEqualTo(Notices.MOST_CANCELLATIONS);
        assertThat(second.cancelRequested()).hasSize(2);
        assertThat(Stream.of(first, second)
                        .flatMap(view -> view.cancelRequested().stream())
                        .collect(Collectors.toSet()))
                .isEqualTo(Set.copyOf(cancelled));
        assertThat(first.paused()).isEqualTo(Paused.queue("bulk"));
        assertThat(first.instances()).hasSize(1);
    }

    /** Jobs of that instance that somebody has asked to cancel. */
    private List<JobId> cancelled(long owner, int count) {
        List<JobId> ids = Stream.generate(() -> JobId.create(JobMaker.NOW.toEpochMilli(), random))
                .limit(count)
                .toList();
        List<Object[]> rows =
                ids.stream().map(id -> new Object[] {id.toString(), owner}).toList();
        new TransactionTemplate(manager)
                .executeWithoutResult(status -> new JdbcTemplate(pool)
                        .batchUpdate(
                                "INSERT INTO delayjob_notice (kind, name, owner, noted_at) VALUES (3, ?, ?, 0)", rows));
        return ids;
    }

    @Test
    void close_givesTheConnectionBack() {
        store.instances().register("instance-1", Set.of("default"), Set.of());
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isOne();

        store.close();

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
}
