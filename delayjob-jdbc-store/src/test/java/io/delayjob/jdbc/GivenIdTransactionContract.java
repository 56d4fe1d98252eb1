package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.CancelResult;
import io.delayjob.job.GroupRef;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.StoreException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Checks jobs whose ids are given within the caller's transaction. At levels above READ COMMITTED, plain reads of that
 * transaction do not show jobs that were committed after its first read.
 */
@Timeout(120)
abstract class GivenIdTransactionContract extends StoreContract {

    /** Runs a test once at each isolation level of the caller's transaction. */
    @ParameterizedTest
    @EnumSource(names = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    @Retention(RetentionPolicy.RUNTIME)
    @interface AtEachLevel {}

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** New for each test, because a server may remember the last row of a key. */
    private String key;

    /** The store of another instance, which may know queues that {@code store} does not know yet. */
    private JdbcJobStore another;

    @BeforeEach
    final void makeKeyAndOtherStore() {
        key = "key-%05d".formatted(NAMES.incrementAndGet());
        another = JdbcJobStore.builder(pool, manager).build();
    }

    @AfterEach
    final void closeOtherStore() {
        another.close();
    }

    /** Returns how many transactions of the server wait for a lock now. */
    abstract int waitingTransactions();

    /** Tells whether an insert fails if its id was committed after the first read of its transaction. */
    abstract boolean refusesNewerRows(Isolation level);

    /** Does work in a caller's transaction of this level, which has already read something. */
    private <T> T inCallers(Isolation level, Supplier<T> work) {
        TransactionTemplate callers = new TransactionTemplate(manager);
        callers.setIsolationLevel(level.value());
        return callers.execute(status -> {
            jdbc.queryForList("SELECT id FROM orders WHERE id = 0");
            T result = work.get();
            jdbc.update("INSERT INTO orders VALUES (1)");
            return result;
        });
    }

    /** Does work in another thread, and fails if it must wait for the caller's transaction. */
    private <T> T elsewhere(Callable<T> work) {
        try {
            return threads.submit(work).get(20, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("the other transaction has waited or failed", failed);
        }
    }

    private Scheduled once(NewJob job) {
        return store.submitOnce(job, jobs.sink);
    }

    private void writeElsewhere(NewJob job) {
        assertThat(elsewhere(() -> another.submitOnce(job, jobs.sink)).outcome())
                .isEqualTo(Outcome.CREATED);
    }

    private void endElsewhere(NewJob job) {
        writeElsewhere(job);
        assertThat(elsewhere(() -> another.cancel(job.id(), JobMaker.NOW))).isEqualTo(CancelResult.CANCELLED);
    }

    private NewJob member() {
        NewJob job = jobs.job();
        return job.in(new GroupRef(jobs.job().id().value(), key));
    }

    private List<NewJob> everyKind() {
        return List.of(
                jobs.job(),
                jobs.job(key + "-keep", OnExisting.KEEP),
                jobs.job(key + "-fail", OnExisting.FAIL),
                jobs.job(key + "-replace", OnExisting.REPLACE),
                jobs.job(null, OnExisting.KEEP, new Partition("queue-of-" + key, 0)),
                member());
    }

    private static Scheduled kept(NewJob job, JobState state) {
        return new Scheduled(job.id(), Outcome.KEPT, state);
    }

    private int rows(String table) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
    }

    @AtEachLevel
    void unfinishedJobThatWasCommittedSince_isKept(Isolation level) {
        List<NewJob> all = everyKind();

        inCallers(level, () -> {
            all.forEach(this::writeElsewhere);
            assertThat(all).allSatisfy(job -> assertThat(once(job)).isEqualTo(kept(job, JobState.DELAYED)));
            return all;
        });

        assertThat(rows("delayjob_job")).isEqualTo(all.size());
        assertThat(rows("orders")).isOne();
    }

    @AtEachLevel
    void jobThatWasCommittedAndHasEndedSince_isKept(Isolation level) {
        List<NewJob> all = everyKind();

        inCallers(level, () -> {
            all.forEach(this::endElsewhere);
            assertThat(all).allSatisfy(job -> assertThat(once(job)).isEqualTo(kept(job, JobState.CANCELLED)));
            return all;
        });

        assertThat(rows("delayjob_job")).isZero();
        assertThat(rows("delayjob_history")).isEqualTo(all.size());
        assertThat(rows("orders")).isOne();
    }

    @AtEachLevel
    void jobOfTheSameTransaction_isKept(Isolation level) {
        List<NewJob> all = everyKind();

        inCallers(level, () -> {
            for (NewJob job : all) {
                assertThat(once(job).outcome()).isEqualTo(Outcome.CREATED);
                assertThat(once(job)).isEqualTo(kept(job, JobState.DELAYED));
                assertThat(store.cancel(job.id(), JobMaker.NOW)).isEqualTo(CancelResult.CANCELLED);
                assertThat(once(job)).isEqualTo(kept(job, JobState.CANCELLED));
            }
            return all;
        });

        assertThat(rows("delayjob_job")).isZero();
        assertThat(rows("delayjob_history")).isEqualTo(all.size());
    }

    /** The transaction must not do to the other job what the policy of a new job demands. */
    @AtEachLevel
    void jobThatHasEndedSince_leavesTheNextJobOfItsKeyAlone(Isolation level) {
        NewJob ended = jobs.job(key, OnExisting.REPLACE);
        NewJob next = jobs.job(key, OnExisting.FAIL);

        inCallers(level, () -> {
            endElsewhere(ended);
            writeElsewhere(next);
            assertThat(once(ended)).isEqualTo(kept(ended, JobState.CANCELLED));
            return ended;
        });

        assertThat(store.find(next.id())).contains(next.toJob());
    }

    @AtEachLevel
    void jobOfAnOpenTransaction_isAwaitedAndKept(Isolation level) throws Exception {
        for (NewJob job : List.of(jobs.job(), jobs.job(key, OnExisting.REPLACE))) {
            Future<Scheduled> answer = transaction.execute(status -> {
                once(job);
                return callWaiting(level, job);
            });

            if (refusesNewerRows(level)) {
                assertThatThrownBy(answer::get)
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                refused -> assertThat(refused.isTransient()).isTrue());
                assertThat(rows("orders")).isZero();
                assertThat(inCallers(level, () -> once(job))).isEqualTo(kept(job, JobState.DELAYED));
            } else {
                assertThat(answer.get()).isEqualTo(kept(job, JobState.DELAYED));
            }
            assertThat(rows("orders")).isOne();
            jdbc.update("DELETE FROM orders");
        }
        assertThat(rows("delayjob_job")).isEqualTo(2);
    }

    @AtEachLevel
    void jobThatAnOpenTransactionHasWrittenAndEnded_isAwaitedAndKept(Isolation level) throws Exception {
        for (NewJob job : List.of(jobs.job(), jobs.job(key, OnExisting.REPLACE))) {
            Future<Scheduled> answer = transaction.execute(status -> {
                once(job);
                Future<Scheduled> waiting = callWaiting(level, job);
                store.cancel(job.id(), JobMaker.NOW);
                return waiting;
            });

            assertThat(answer.get()).isEqualTo(kept(job, JobState.CANCELLED));
            assertThat(rows("orders")).isOne();
            jdbc.update("DELETE FROM orders");
        }
        assertThat(rows("delayjob_job")).isZero();
        assertThat(rows("delayjob_history")).isEqualTo(2);
    }

    @Test
    void callWithoutASecondConnection_failsAndSaysSo() {
        withStoreOn(
                one -> {
                    one.setMaximumPoolSize(1);
                    one.setConnectionTimeout(250);
                },
                (single, callers) -> {
                    NewJob job = jobs.job();
                    // A new queue would also need a second connection.
                    single.submit(jobs.jobs(1), jobs.sink);
                    callers.setIsolationLevel(Isolation.REPEATABLE_READ.value());
                    assertThatThrownBy(() -> callers.execute(status -> single.submitOnce(job, jobs.sink)))
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    failed -> assertThat(failed.isTransient()).isTrue())
                            .hasMessageContaining("second connection");
                    assertThat(store.find(job.id())).isEmpty();

                    callers.setIsolationLevel(Isolation.READ_COMMITTED.value());
                    assertThat(callers.execute(status -> single.submitOnce(job, jobs.sink))
                                    .outcome())
                            .isEqualTo(Outcome.CREATED);
                });
    }

    /** Some databases lock all rows that such connections read. */
    @Test
    void serializableConnectionsWithoutAutoCommit_doNotWaitForTheCallersTransaction() {
        withStoreOn(
                locking -> {
                    locking.setAutoCommit(false);
                    locking.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
                },
                (locking, callers) -> {
                    NewJob job = jobs.job();
                    callers.executeWithoutResult(status -> {
                        assertThat(locking.submitOnce(job, jobs.sink).outcome()).isEqualTo(Outcome.CREATED);
                        assertThat(locking.submitOnce(job, jobs.sink)).isEqualTo(kept(job, JobState.DELAYED));
                    });
                    assertThat(rows("delayjob_job")).isOne();
                });
    }

    /** Does work with a store whose connections are different, and with transactions on the same connections. */
    private void withStoreOn(Consumer<HikariDataSource> settings, BiConsumer<JdbcJobStore, TransactionTemplate> work) {
        try (HikariDataSource connections = new HikariDataSource()) {
            connections.setJdbcUrl(pool.getJdbcUrl());
            settings.accept(connections);
            JdbcTransactionManager itsManager = new JdbcTransactionManager(connections);
            try (JdbcJobStore itsStore =
                    JdbcJobStore.builder(connections, itsManager).build()) {
                work.accept(itsStore, new TransactionTemplate(itsManager));
            }
        }
    }

    /** Begins a call in another thread, and returns when its transaction waits for a lock. */
    private Future<Scheduled> callWaiting(Isolation level, NewJob job) {
        Future<Scheduled> call = threads.submit(() -> inCallers(level, () -> once(job)));
        // Each look takes a round trip to the server, so the loop is no busy wait.
        while (waitingTransactions() == 0 && !call.isDone()) {
            Thread.onSpinWait();
        }
        return call;
    }
}
