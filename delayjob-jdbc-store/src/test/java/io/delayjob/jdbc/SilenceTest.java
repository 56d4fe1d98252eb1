package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestProxy.Effect;
import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.store.StoreException;
import io.delayjob.time.StoreClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** How long the store's connections may keep silent, on a real PostgreSQL. */
@Timeout(60)
class SilenceTest {

    private static HikariDataSource database;

    private final Watched dataSource = new Watched();
    private JdbcTransactionManager manager;
    private JdbcJobStore store;
    private JobMaker jobs;

    @BeforeAll
    static void makeDatabase() {
        database = TestPostgres.newStore();
    }

    @AfterAll
    static void closeDatabase() {
        if (database != null) {
            database.close();
        }
    }

    @BeforeEach
    void makeStore() {
        TestSchema.clear(database);
        manager = new JdbcTransactionManager(dataSource);
        store = store(dataSource, manager);
        jobs = new JobMaker(store);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private static JdbcJobStore store(DataSource dataSource, PlatformTransactionManager manager) {
        return JdbcJobStore.builder(dataSource, manager)
                .statementTimeout(Duration.ofSeconds(1))
                .heartbeatTimeout(Duration.ofMillis(500))
                .build();
    }

    /** Makes a new connection each time, and notes their network timeouts: no pool puts them back. */
    private static final class Watched extends AbstractDataSource {
        private final List<Integer> atCommit = new ArrayList<>();
        private final List<Integer> atClose = new ArrayList<>();
        private int before;

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = DriverManager.getConnection(database.getJdbcUrl());
            connection.setNetworkTimeout(Runnable::run, before);
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("commit")) {
                            atCommit.add(connection.getNetworkTimeout());
                        }
                        if (method.getName().equals("close")) {
                            atClose.add(connection.getNetworkTimeout());
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    });
        }

        @Override
        public Connection getConnection(String user, String password) {
            throw new UnsupportedOperationException();
        }

        void forget() {
            atCommit.clear();
            atClose.clear();
        }
    }

    @Test
    void transactionsOfTheStoresOwnAreLimited_theirCommitIncluded() {
        NewJob job = jobs.job();
        jobs.submit(job);
        dataSource.forget();

        assertThat(jobs.claim(List.of(job.toDueRow()))).hasSize(1);

        assertThat(dataSource.atCommit).containsExactly(3_000);
        assertThat(dataSource.atClose).containsExactly(0);
    }

    @Test
    void readsOutsideOfTransactionsPutTheTimeoutBack() {
        dataSource.forget();
        store.partitionsInUse();
        assertThat(dataSource.atClose).isNotEmpty().containsOnly(0);
    }

    /** The connection is given back before the other transaction completes. */
    @Test
    void readsInATransactionOfAnotherDataSourcePutTheTimeoutBack() {
        NewJob job = jobs.job();
        jobs.submit(job);
        TransactionTemplate elsewhere = new TransactionTemplate(new JdbcTransactionManager(database));
        dataSource.forget();

        elsewhere.executeWithoutResult(status -> {
            store.find(job.id());
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    store.find(job.id());
                }
            });
        });
        elsewhere.executeWithoutResult(outer -> {
            store.find(job.id());
            store.claim(List.of(job.toDueRow()), JobMaker.WORKER, jobs.token(), JobMaker.NOW);
        });

        assertThat(dataSource.atClose).hasSizeGreaterThan(3).containsOnly(0);
    }

    @Test
    void aStricterLimitOfTheApplicationsIsKept() {
        dataSource.before = 700;
        dataSource.forget();
        jobs.submit(jobs.job());
        assertThat(dataSource.atCommit).containsOnly(700);
        assertThat(dataSource.atClose).containsOnly(700);
    }

    @Test
    void transactionsOfTheCallerAreLeftAlone() {
        jobs.submit(jobs.job());
        dataSource.forget();
        new TransactionTemplate(manager).executeWithoutResult(status -> jobs.submit(jobs.job()));
        assertThat(dataSource.atCommit).containsExactly(0);
    }

    @Test
    void theHeartbeatsConnectionIsLimited_untilItIsGivenBack() {
        store.instances().register("instance-1", Set.of(), Set.of());
        dataSource.forget();
        store.close();
        assertThat(dataSource.atClose).containsExactly(0);
    }

    @Test
    void leasesAreLimited() {
        LeaseProvider leases = JdbcLeases.inDatabase(
                dataSource, manager, store.platform(), "instance-1", new StoreClock(store::clockMicros));
        dataSource.forget();
        assertThat(leases.acquire("lease-1", Duration.ofSeconds(10))).isPresent();
        assertThat(dataSource.atCommit).isNotEmpty().containsOnly(7_000);
        assertThat(dataSource.atClose).containsOnly(0);
    }

    /** Spring gives the connection back before a global manager commits. */
    @Test
    void transactionsOfAGlobalManagerPutTheTimeoutBack() throws Exception {
        PlatformTransactionManager global = new GlobalManager();
        try (JdbcJobStore globalStore = store(dataSource, global)) {
            JobMaker globalJobs = new JobMaker(globalStore);
            NewJob job = globalJobs.job();
            globalJobs.submit(job);
            LeaseProvider leases = JdbcLeases.inDatabase(
                    dataSource, global, globalStore.platform(), "instance-1", new StoreClock(globalStore::clockMicros));
            dataSource.forget();

            Job claimed = globalJobs.claim(List.of(job.toDueRow())).get(0);
            assertThat(dataSource.atClose).isNotEmpty().containsOnly(0);
            dataSource.forget();

            globalStore.handlerTransactions().complete(() -> () -> globalJobs.finishing(claimed), null);
            assertThat(dataSource.atClose).isNotEmpty().containsOnly(0);
            dataSource.forget();

            assertThat(leases.acquire("lease-of-global", Duration.ofSeconds(10)))
                    .isPresent();
            assertThat(dataSource.atClose).isNotEmpty().containsOnly(0);
        }
    }

    /** Begins and commits nothing: each connection commits its own statements. */
    private static final class GlobalManager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Test
    void aDriverWithoutNetworkTimeoutsIsLeftAsItIs() {
        DataSource poor = new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            if (method.getName().endsWith("NetworkTimeout")) {
                                throw new SQLFeatureNotSupportedException();
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        });
            }
        };
        try (JdbcJobStore poorStore = store(poor, new JdbcTransactionManager(poor))) {
            poorStore.submit(List.of(jobs.job()), jobs.sink);
            assertThat(poorStore.instances().register("instance-1", Set.of(), Set.of()))
                    .isPositive();
        }
    }

    @Test
    void aCommitThatIsNeverAnsweredIsGivenUp_andTheServerEndsWhatNobodyCommits() throws Exception {
        try (TestProxy proxy = TestProxy.before(database.getJdbcUrl());
                HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(proxy.through(database.getJdbcUrl()));
            pool.setMaximumPoolSize(2);
            try (JdbcJobStore remote = store(pool, new JdbcTransactionManager(pool))) {
                NewJob job = jobs.job();
                jobs.submit(job);
                TestFault silent = proxy.atStatement("owner = ", Effect.HOLD_ANSWER);

                assertThatThrownBy(() ->
                                remote.claim(List.of(job.toDueRow()), JobMaker.WORKER, jobs.token(), JobMaker.NOW))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                error -> assertThat(error.isTransient()).isTrue());

                assertThat(silent.hasHappened()).isTrue();
                // It waits for the row until the transaction that nobody commits has been ended for its silence.
                new TransactionTemplate(manager).executeWithoutResult(status -> store.cancel(job.id(), JobMaker.NOW));
                assertThat(store.find(job.id()).orElseThrow().state().isEnded()).isTrue();
            }
        }
    }

    /** The test has a thread of its own, because an interruption does not end a read from a socket. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aReadThatIsNeverAnsweredIsGivenUp() throws Exception {
        try (TestProxy proxy = TestProxy.before(database.getJdbcUrl());
                HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(proxy.through(database.getJdbcUrl()));
            try (JdbcJobStore remote = store(pool, new JdbcTransactionManager(pool))) {
                JobId id = jobs.submit(jobs.job()).id();
                TestFault silent = proxy.atStatement("FROM delayjob_history", Effect.HOLD_ANSWER);

                assertThatThrownBy(() -> remote.find(id))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                error -> assertThat(error.isTransient()).isTrue());

                assertThat(silent.hasHappened()).isTrue();
            }
        }
    }
}
