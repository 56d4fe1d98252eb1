package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The transaction of an atomic handler is Spring's: whatever joins transactions joins it, and it obeys Spring's rules.
 */
@Timeout(60)
abstract class HandlerTransactionContract extends StoreContract {

    private HandlerTransactions transactions;

    @BeforeEach
    final void findTransactions() {
        transactions = store.handlerTransactions();
    }

    private Job running() {
        NewJob job = jobs.job();
        jobs.submit(job);
        return jobs.claim(List.of(job.toDueRow())).get(0);
    }

    private void order(long id) {
        jdbc.update("INSERT INTO orders VALUES (?)", id);
    }

    private List<Long> orders() {
        return jdbc.queryForList("SELECT id FROM orders ORDER BY id", Long.class);
    }

    private JobState state(Job job) {
        return store.find(job.id()).orElseThrow().state();
    }

    private TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** Inserts this order, does something, and ends. */
    private HandlerTransactions.Work work(Job job, long order, Runnable more) {
        return () -> {
            order(order);
            more.run();
            return () -> jobs.finishing(job);
        };
    }

    // ---- who joins it

    @Test
    void statementsOfEveryKindJoinIt() throws Exception {
        Job committed = running();
        Job fenced = running();
        store.complete(List.of(jobs.retrying(fenced)));

        assertThat(transactions.complete(() -> ordersInEveryWay(committed, 1), null))
                .isEqualTo(CompletionResult.ACCEPTED);
        assertThat(transactions.complete(() -> ordersInEveryWay(fenced, 11), null))
                .isEqualTo(CompletionResult.FENCED);

        assertThat(orders()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(state(committed)).isEqualTo(JobState.FINISHED);
        assertThat(state(fenced)).isEqualTo(JobState.DELAYED);
    }

    private HandlerTransactions.Decision ordersInEveryWay(Job job, long first) throws SQLException {
        order(first);
        template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> order(first + 1));
        Connection own = DataSourceUtils.getConnection(pool);
        insert(own, first + 2);
        DataSourceUtils.releaseConnection(own, pool);
        try (Connection closed = new TransactionAwareDataSourceProxy(pool).getConnection()) {
            insert(closed, first + 3);
        }
        return () -> jobs.finishing(job);
    }

    private static void insert(Connection connection, long id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
            insert.setLong(1, id);
            insert.executeUpdate();
        }
    }

    @Test
    void requiresNew_commitsByItself() throws Exception {
        Job fenced = running();
        store.complete(List.of(jobs.retrying(fenced)));
        TransactionTemplate apart = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        transactions.complete(work(fenced, 1, () -> apart.executeWithoutResult(status -> order(2))), null);

        assertThat(orders()).containsExactly(2L);
    }

    @Test
    void nested_rollsBackByItself() throws Exception {
        Job job = running();
        TransactionTemplate nested = template(TransactionDefinition.PROPAGATION_NESTED);

        transactions.complete(
                work(
                        job,
                        1,
                        () -> nested.executeWithoutResult(status -> {
                            order(2);
                            status.setRollbackOnly();
                        })),
                null);

        assertThat(orders()).containsExactly(1L);
        assertThat(state(job)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void readOnlyScopeWithin_isNoReasonNotToCommit() throws Exception {
        Job job = running();
        TransactionTemplate readOnly = template(TransactionDefinition.PROPAGATION_REQUIRED);
        readOnly.setReadOnly(true);

        transactions.complete(
                work(
                        job,
                        1,
                        () -> readOnly.executeWithoutResult(
                                status -> assertThat(orders()).containsExactly(1L))),
                null);

        assertThat(orders()).containsExactly(1L);
        assertThat(state(job)).isEqualTo(JobState.FINISHED);
    }

    /** As where a test calls the engine within a transaction of its own. */
    @Test
    void callersTransaction_isNotJoined() {
        Job job = running();

        template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            try {
                transactions.complete(work(job, 1, () -> {}), null);
            } catch (Exception unexpected) {
                throw new AssertionError(unexpected);
            }
            status.setRollbackOnly();
        });

        assertThat(orders()).containsExactly(1L);
        assertThat(state(job)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void afterCommit_comesWhenTheEndIsDurable() throws Exception {
        Job job = running();
        List<JobState> seen = new ArrayList<>();

        transactions.complete(
                work(
                        job,
                        1,
                        () -> TransactionSynchronizationManager.registerSynchronization(
                                new TransactionSynchronization() {
                                    @Override
                                    public void afterCommit() {
                                        seen.add(state(job));
                                    }
                                })),
                null);

        assertThat(seen).containsExactly(JobState.FINISHED);
    }

    // ---- what rolls it back

    @Test
    void rollbackOnly_rollsBackAndSaysSo() {
        Job job = running();
        TransactionTemplate joining = template(TransactionDefinition.PROPAGATION_REQUIRED);

        assertThatThrownBy(() -> transactions.complete(
                        work(job, 1, () -> joining.executeWithoutResult(status -> status.setRollbackOnly())), null))
                .isInstanceOf(UnexpectedRollbackException.class)
                .hasMessageContaining("marked rollback-only");

        assertThat(orders()).isEmpty();
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void exceptionOfAStatementThatTheHandlerSwallowed_leavesAllOrNothing() throws Exception {
        Job job = running();
        order(1);
        HandlerTransactions.Work work =
                work(job, 2, () -> assertThatThrownBy(() -> order(1)).isInstanceOf(DuplicateKeyException.class));

        try {
            transactions.complete(work, null);
            assertThat(orders()).containsExactly(1L, 2L);
            assertThat(state(job)).isEqualTo(JobState.FINISHED);
        } catch (StoreException brokenTransaction) {
            // PostgreSQL takes nothing more from a transaction in which a statement has failed.
            assertThat(brokenTransaction).hasMessageContaining("in the transaction of its handler");
            assertThat(orders()).containsExactly(1L);
            assertThat(state(job)).isEqualTo(JobState.RUNNING);
        }
    }

    /**
     * A deadlock may cost its victim all that it has written so far. Who that is, is the database's choice: this goes
     * on until it is the handler.
     */
    @Test
    void deadlockThatTheHandlerSwallowed_leavesAllOrNothing() throws Exception {
        List<Exception> swallowed = new ArrayList<>();
        for (int trial = 0; swallowed.isEmpty(); trial++) {
            assertThat(trial).as("trials without the handler as the victim").isLessThan(20);
            jdbc.update("DELETE FROM orders");
            order(1);
            order(2);
            Job job = running();
            CountDownLatch eachHoldsOne = new CountDownLatch(2);
            int rowsFirst = 100 * trial;
            Future<?> rival = threads.submit(() -> deadlock(eachHoldsOne, rowsFirst));

            boolean committed = completes(() -> {
                order(3);
                lock(1);
                meet(eachHoldsOne);
                try {
                    lock(2);
                } catch (ConcurrencyFailureException deadlock) {
                    swallowed.add(deadlock);
                }
                order(4);
                return () -> jobs.finishing(job);
            });
            rival.get();

            assertThat(orders().stream().filter(order -> order == 3 || order == 4))
                    .containsExactlyElementsOf(committed ? List.of(3L, 4L) : List.of());
            assertThat(state(job)).isEqualTo(committed ? JobState.FINISHED : JobState.RUNNING);
        }
    }

    /**
     * InnoDB spares the transaction that has written more. PostgreSQL ends the one that has waited longer, so the rival
     * writes some rows before it waits.
     */
    private void deadlock(CountDownLatch eachHoldsOne, int rowsFirst) {
        try {
            template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                LongStream.range(100, 200).forEach(this::order);
                lock(2);
                meet(eachHoldsOne);
                LongStream.range(200, 200 + rowsFirst).forEach(this::order);
                lock(1);
            });
        } catch (ConcurrencyFailureException victim) {
            // The database's choice.
        }
    }

    private static void meet(CountDownLatch all) {
        all.countDown();
        await(all);
    }

    private void lock(long id) {
        jdbc.update("UPDATE orders SET id = id WHERE id = ?", id);
    }

    private boolean completes(HandlerTransactions.Work work) throws Exception {
        try {
            return transactions.complete(work, null) == CompletionResult.ACCEPTED;
        } catch (DataAccessException | TransactionException | StoreException rolledBack) {
            return false;
        }
    }

    /**
     * What came before it is durable already, where the database commits at such a statement; at least the attempt has
     * not ended.
     */
    @Test
    void statementThatCommits_isNoticed() throws Exception {
        Job job = running();

        boolean committed = completes(() -> {
            order(1);
            jdbc.execute("CREATE TABLE made_by_a_handler (id INTEGER)");
            order(2);
            return () -> jobs.finishing(job);
        });
        jdbc.execute("DROP TABLE made_by_a_handler");

        assertThat(orders()).containsExactlyElementsOf(committed ? List.of(1L, 2L) : List.of(1L));
        assertThat(state(job)).isEqualTo(committed ? JobState.FINISHED : JobState.RUNNING);
    }

    @Test
    void timeoutOfTheTransaction_keepsItFromCommitting() {
        Job job = running();

        assertThatThrownBy(() -> transactions.complete(work(job, 1, this::outlastOneSecond), Duration.ofMillis(500)))
                .isInstanceOf(StoreException.class)
                .hasCauseInstanceOf(TransactionTimedOutException.class);

        assertThat(orders()).isEmpty();
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
    }

    private void outlastOneSecond() {
        try {
            new CountDownLatch(1).await(1_100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void poolWithoutAConnection_isSaidBeforeTheHandlerIsCalled() {
        Job job = running();
        AtomicInteger calls = new AtomicInteger();
        HikariDataSource exhausted = new HikariDataSource();
        exhausted.setDataSource(pool);
        exhausted.setMaximumPoolSize(1);
        exhausted.setConnectionTimeout(250);
        try (exhausted;
                JdbcJobStore other = JdbcJobStore.builder(exhausted, new JdbcTransactionManager(exhausted))
                        .build();
                Connection taken = exhausted.getConnection()) {
            assertThat(taken.isValid(1)).isTrue();

            assertThatThrownBy(() -> other.handlerTransactions().complete(work(job, 1, calls::incrementAndGet), null))
                    .isInstanceOf(StoreException.class)
                    .satisfies(error ->
                            assertThat(((StoreException) error).isTransient()).isTrue());
        } catch (SQLException error) {
            throw new AssertionError(error);
        }

        assertThat(calls).hasValue(0);
        assertThat(orders()).isEmpty();
    }

    // ---- rows that somebody holds

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lockedRow_isWaitedFor(boolean changed) throws Exception {
        Job job = running();
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch writing = new CountDownLatch(1);
        Future<?> holder = threads.submit(() -> template(TransactionDefinition.PROPAGATION_REQUIRED)
                .executeWithoutResult(status -> {
                    store.cancel(job.id(), JobMaker.NOW);
                    locked.countDown();
                    await(writing);
                    outlastOneSecond();
                    if (!changed) {
                        status.setRollbackOnly();
                    }
                }));
        locked.await();

        CompletionResult result = transactions.complete(
                () -> {
                    order(1);
                    writing.countDown();
                    return () -> jobs.nextRun(job);
                },
                null);
        holder.get();

        assertThat(result).isEqualTo(changed ? CompletionResult.ACCEPTED_CANCELLED : CompletionResult.ACCEPTED);
        assertThat(orders()).containsExactly(1L);
        assertThat(state(job)).isEqualTo(changed ? JobState.CANCELLED : JobState.DELAYED);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** While the handler runs nothing is locked: the job can be cancelled, and given up for lost. */
    @Test
    void rowIsNotHeldWhileTheHandlerRuns() throws Exception {
        Job job = running();

        CompletionResult result = transactions.complete(
                work(
                        job,
                        1,
                        () -> assertThat(store.rescue(List.of(job.toDueRow()), JobMaker.NOW, jobs.token()))
                                .hasSize(1)),
                null);

        assertThat(result).isEqualTo(CompletionResult.FENCED);
        assertThat(orders()).isEmpty();
        assertThat(state(job)).isEqualTo(JobState.DELAYED);
    }

    // ---- stricter isolation

    /** Of a transaction that shows how things were at its beginning. */
    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE"})
    void fenceHoldsInAnyIsolation(String isolation) throws Exception {
        try (HikariDataSource strict = new HikariDataSource()) {
            strict.setDataSource(pool);
            strict.setTransactionIsolation(isolation);
            JdbcTransactionManager strictManager = new JdbcTransactionManager(strict);
            try (JdbcJobStore strictStore =
                    JdbcJobStore.builder(strict, strictManager).build()) {
                HandlerTransactions strictTransactions = strictStore.handlerTransactions();
                JdbcTemplate strictJdbc = new JdbcTemplate(strict);
                Job calm = running();
                Job moved = running();

                CompletionResult accepted = strictTransactions.complete(
                        () -> {
                            strictJdbc.update("INSERT INTO orders VALUES (1)");
                            assertThat(strictStore.find(calm.id())).isPresent();
                            return () -> jobs.nextRun(calm);
                        },
                        null);
                List<CompletionResult> rival = new ArrayList<>();
                boolean committed;
                try {
                    committed = strictTransactions.complete(
                                    () -> {
                                        strictJdbc.update("INSERT INTO orders VALUES (2)");
                                        assertThat(strictStore.find(moved.id())).contains(moved);
                                        rival.addAll(threads.submit(() -> store.complete(List.of(jobs.retrying(moved))))
                                                .get());
                                        return () -> jobs.nextRun(moved);
                                    },
                                    null)
                            != CompletionResult.FENCED;
                } catch (StoreException conflict) {
                    committed = false;
                }

                assertThat(accepted).isEqualTo(CompletionResult.ACCEPTED);
                // Where a plain read locks what it has read, the job could not be moved on meanwhile.
                boolean movedOn = !rival.contains(CompletionResult.LOCKED);
                assertThat(committed).isEqualTo(!movedOn);
                assertThat(orders()).hasSize(movedOn ? 1 : 2);
                assertThat(store.find(moved.id()).orElseThrow().failures()).isEqualTo(movedOn ? 1 : 0);
            }
        }
    }
}
