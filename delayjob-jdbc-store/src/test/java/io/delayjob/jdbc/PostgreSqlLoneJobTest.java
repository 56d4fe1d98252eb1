package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One job without a key, outside any transaction: its INSERT commits itself, wherever connections do that. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgreSqlLoneJobTest {

    private static final int SEVERAL = 8;

    private HikariDataSource pool;
    private JdbcTransactionManager manager;
    private JdbcJobStore store;
    private JobMaker jobs;
    private int transactions;
    private final AtomicInteger refusals = new AtomicInteger();

    @BeforeAll
    void makeDatabase() {
        pool = TestPostgres.newStore();
    }

    @BeforeEach
    void makeStore() {
        TestSchema.clear(pool);
        open(pool);
        // Which makes the queue known, in a transaction of its own.
        jobs.submit(jobs.job());
        transactions = 0;
        refusals.set(0);
    }

    private void open(HikariDataSource dataSource) {
        manager = new JdbcTransactionManager(dataSource);
        manager.addListener(new TransactionExecutionListener() {
            @Override
            public void afterBegin(TransactionExecution transaction, Throwable failure) {
                transactions++;
            }
        });
        store = JdbcJobStore.builder(dataSource, manager).build();
        jobs = new JobMaker(store);
    }

    /** Another pool over the same tables. */
    private HikariDataSource samePool() {
        HikariDataSource same = new HikariDataSource();
        pool.copyStateTo(same);
        return same;
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @AfterAll
    void closeDatabase() {
        pool.close();
    }

    @Test
    void needsNoTransaction() {
        NewJob job = jobs.job();

        assertThat(jobs.submit(job).outcome()).isEqualTo(Scheduled.Outcome.CREATED);

        assertThat(transactions).isZero();
        assertThat(store.find(job.id())).isPresent();
        assertThat(jobs.handedOver).contains(job.toDueRow());
    }

    /** When the answer to it is lost, only a transaction's own steps tell what became of the key. */
    @Test
    void withAKeyIsWrittenInATransaction() {
        jobs.submit(jobs.job("42", OnExisting.KEEP));
        assertThat(transactions).isEqualTo(1);
    }

    @Test
    void isCommittedWherePooledConnectionsWaitForACommit() {
        try (HikariDataSource waiting = samePool()) {
            waiting.setAutoCommit(false);
            store.close();
            open(waiting);
            NewJob job = jobs.job();

            jobs.submit(job);

            assertThat(new JdbcTemplate(pool)
                            .queryForObject(
                                    "SELECT COUNT(*) FROM delayjob_job WHERE id = ?",
                                    Integer.class,
                                    job.id().value()))
                    .isEqualTo(1);
        }
    }

    /** What the server itself has refused is known not to be there. */
    @Test
    void thatTheServerRefusesIsNotUnknown() {
        try (HikariDataSource readOnly = samePool()) {
            readOnly.setConnectionInitSql("SET default_transaction_read_only = on");
            store.close();
            open(readOnly);

            assertThatThrownBy(() -> jobs.submit(jobs.job()))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            error -> assertThat(error.isTransient()).isTrue())
                    .hasMessageContaining("the same call may succeed later");
        }
    }

    /** Such as that of a transaction on another DataSource: it would keep our connection until it ends. */
    @Test
    void isWrittenInATransactionWithinAnothersScope() {
        TransactionSynchronizationManager.initSynchronization();
        try {
            jobs.submit(jobs.job());
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        } finally {
            TransactionSynchronizationManager.clear();
        }
        assertThat(transactions).isEqualTo(1);
    }

    @Test
    void joinsATransaction() {
        NewJob job = jobs.job();
        new TransactionTemplate(manager).executeWithoutResult(transaction -> {
            store.submit(List.of(job), jobs.sink);
            transaction.setRollbackOnly();
        });
        assertThat(store.find(job.id())).isEmpty();
    }

    /** Who writes at the same time as others shares a statement, which is as many transactions less. */
    @Test
    void ofSeveralCallers_shareStatements() throws Exception {
        List<NewJob> written = atATime(SEVERAL, caller -> jobs.job());

        assertThat(rows(written)).isEqualTo(written.size());
        assertThat(transactionsOf(written)).isLessThan(written.size());
        assertThat(transactions).isZero();
        assertThat(jobs.handedOver)
                .containsAll(written.stream().map(NewJob::toDueRow).toList());
    }

    @Test
    void thatIsRefused_keepsNobodyElsesFromBeingWritten() throws Exception {
        new JdbcTemplate(pool)
                .execute("ALTER TABLE delayjob_job ADD CONSTRAINT no_bad_ones CHECK (payload <> '\"bad\"') NOT VALID");
        try {
            List<NewJob> tried = atATime(SEVERAL, caller -> caller == 0 ? jobs.jobOf("\"bad\"") : jobs.job());

            List<NewJob> good = tried.stream()
                    .filter(job -> !"\"bad\"".equals(job.payload()))
                    .toList();
            assertThat(rows(good)).isEqualTo(good.size());
            assertThat(rows(tried)).isEqualTo(good.size());
            assertThat(jobs.handedOver)
                    .containsAll(good.stream().map(NewJob::toDueRow).toList());
            assertThat(refusals).hasValue(tried.size() - good.size());
        } finally {
            new JdbcTemplate(pool).execute("ALTER TABLE delayjob_job DROP CONSTRAINT no_bad_ones");
        }
    }

    private List<NewJob> atATime(int callers, IntFunction<NewJob> made) throws Exception {
        List<NewJob> tried = new CopyOnWriteArrayList<>();
        List<FutureTask<Void>> tasks = IntStream.range(0, callers)
                .mapToObj(caller -> new FutureTask<Void>(() -> {
                    for (int i = 0; i < 40; i++) {
                        NewJob job = made.apply(caller);
                        tried.add(job);
                        try {
                            jobs.submit(job);
                        } catch (StoreException refused) {
                            assertThat(refused.isTransient()).isFalse();
                            refusals.incrementAndGet();
                        }
                    }
                    return null;
                }))
                .toList();
        tasks.forEach(task -> new Thread(task).start());
        for (FutureTask<Void> task : tasks) {
            task.get();
        }
        return tried;
    }

    private int rows(List<NewJob> those) {
        return count("COUNT(*)", those);
    }

    private int transactionsOf(List<NewJob> those) {
        return count("COUNT(DISTINCT CAST(xmin AS TEXT))", those);
    }

    private int count(String what, List<NewJob> those) {
        return Objects.requireNonNull(new JdbcTemplate(pool)
                .queryForObject(
                        "SELECT %s FROM delayjob_job WHERE id = ANY (?)".formatted(what), Integer.class, (Object)
                                those.stream().map(job -> job.id().value()).toArray(UUID[]::new)));
    }
}
