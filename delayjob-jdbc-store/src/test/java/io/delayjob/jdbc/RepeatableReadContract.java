package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * InnoDB, whose transactions are REPEATABLE READ unless they ask for something else: in the caller's, a plain read
 * shows what there was at its beginning, and a locking read that finds nothing locks the gap, where nobody can insert
 * any more.
 */
@Timeout(120)
abstract class RepeatableReadContract extends StoreContract {

    private static final AtomicInteger KEYS = new AtomicInteger();

    /**
     * New ones for each test: a key that is used again while the server still remembers its last row locks more than
     * others.
     */
    private String key;

    @BeforeEach
    final void makeKey() {
        key = "key-%05d".formatted(KEYS.incrementAndGet());
    }

    /** In another transaction, to its end. Waits for less than a lock is waited for. */
    private <T> T elsewhere(Callable<T> task) {
        try {
            return threads.submit(task).get(8, TimeUnit.SECONDS);
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    /** From here on, plain reads of this transaction show what there is now. */
    private void beginReading() {
        assertThat(jdbc.queryForObject("SELECT @@transaction_isolation", String.class))
                .isEqualTo("REPEATABLE-READ");
        jdbc.queryForList("SELECT id FROM delayjob_job");
    }

    private void ends(JobId id) {
        elsewhere(() -> {
            Job running =
                    jobs.claim(List.of(store.find(id).orElseThrow().toDueRow())).get(0);
            assertThat(store.complete(List.of(jobs.finishing(running)))).containsExactly(CompletionResult.ACCEPTED);
            return running;
        });
    }

    @ParameterizedTest
    @EnumSource
    void keyThatWasGivenFreeSince_isTaken(OnExisting onExisting) {
        JobId earlier = jobs.submit(jobs.job(key, OnExisting.KEEP)).id();
        Scheduled result = transaction.execute(status -> {
            beginReading();
            ends(earlier);
            return jobs.submit(jobs.job(key, onExisting));
        });

        assertThat(result.outcome()).isEqualTo(Outcome.CREATED);
        assertThat(store.find(result.id())).get().extracting(Job::state).isEqualTo(JobState.DELAYED);
    }

    @ParameterizedTest
    @EnumSource(names = "FAIL", mode = EnumSource.Mode.EXCLUDE)
    void keyThatWasTakenSince_isSeen(OnExisting onExisting) {
        NewJob other = jobs.job(key, OnExisting.KEEP);

        Scheduled result = transaction.execute(status -> {
            beginReading();
            elsewhere(() -> jobs.submit(other));
            return jobs.submit(jobs.job(key, onExisting));
        });

        assertThat(result.id()).isEqualTo(other.id());
        assertThat(result.outcome()).isNotEqualTo(Outcome.CREATED);
    }

    @Test
    void keyThatWasTakenSince_isRefusedWhereItMustBeFree() {
        transaction.executeWithoutResult(status -> {
            beginReading();
            elsewhere(() -> jobs.submit(jobs.job(key, OnExisting.KEEP)));
            assertThatThrownBy(() -> jobs.submit(jobs.job(key, OnExisting.FAIL)))
                    .isInstanceOf(JobExistsException.class);
        });
    }

    /** The price of knowing that it is still there. */
    @Test
    void keptJob_isHeldUntilTheCommit() {
        NewJob waiting = jobs.job(key, OnExisting.KEEP);
        jobs.submit(waiting);
        transaction.executeWithoutResult(status -> {
            assertThat(jobs.submit(jobs.job(key, OnExisting.KEEP)).outcome()).isEqualTo(Outcome.KEPT);
            assertThat(elsewhere(() -> jobs.claim(List.of(waiting.toDueRow())))).isEmpty();
        });
        assertThat(jobs.claim(List.of(waiting.toDueRow()))).hasSize(1);
    }

    @Test
    void queueThatIsNewSince_isKnown() {
        NewJob moved = jobs.job(key, OnExisting.REPLACE, new Partition("mail", 3));
        jobs.submit(jobs.job(key, OnExisting.KEEP));
        try (JdbcJobStore another = JdbcJobStore.builder(pool, manager).build()) {
            another.submit(List.of(jobs.job()), jobs.sink);
            transaction.executeWithoutResult(status -> {
                beginReading();
                elsewhere(() -> jobs.submit(moved));
                assertThat(another.cancel(JobMaker.NAME, key, JobMaker.NOW)).isEqualTo(CancelResult.CANCELLED);
            });
        }
    }

    @Test
    void cancelOfAKeyThatIsNotThere_keepsNobodyFromTakingOne() {
        jobs.submit(jobs.job(key + "-0", OnExisting.KEEP));
        jobs.submit(jobs.job(key + "-9", OnExisting.KEEP));
        transaction.executeWithoutResult(status -> {
            assertThat(store.cancel(JobMaker.NAME, key + "-5", JobMaker.NOW)).isEqualTo(CancelResult.NOT_FOUND);

            assertThat(elsewhere(() -> jobs.submit(jobs.job(key + "-1", OnExisting.KEEP))))
                    .extracting(Scheduled::outcome)
                    .isEqualTo(Outcome.CREATED);
            assertThat(elsewhere(() -> jobs.submit(jobs.job(key + "-5", OnExisting.KEEP))))
                    .extracting(Scheduled::outcome)
                    .isEqualTo(Outcome.CREATED);
        });
    }

    @Test
    void cancelOfAKeyThatWasGivenFreeSince_findsNoJob() {
        JobId earlier = jobs.submit(jobs.job(key, OnExisting.KEEP)).id();
        transaction.executeWithoutResult(status -> {
            beginReading();
            ends(earlier);
            assertThat(store.cancel(JobMaker.NAME, key, JobMaker.NOW)).isEqualTo(CancelResult.NOT_FOUND);
        });
    }

    @Test
    void cancelOfAKeyThatAnotherJobHasTakenSince_isAConflict() {
        JobId earlier = jobs.submit(jobs.job(key, OnExisting.KEEP)).id();
        NewJob later = jobs.job(key, OnExisting.KEEP);
        transaction.executeWithoutResult(status -> {
            beginReading();
            ends(earlier);
            elsewhere(() -> jobs.submit(later));
            assertThatThrownBy(() -> store.cancel(JobMaker.NAME, key, JobMaker.NOW))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            error -> assertThat(error.isTransient()).isTrue());
            status.setRollbackOnly();
        });

        assertThat(store.cancel(JobMaker.NAME, key, JobMaker.NOW)).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void cancelOfARunningJobOnceMore_keepsNoInstanceFromForgettingIt() {
        List<JobId> running = claimed(2);
        running.forEach(id -> store.cancel(id, JobMaker.NOW));
        transaction.executeWithoutResult(status -> {
            beginReading();
            running.forEach(id -> assertThat(store.cancel(id, JobMaker.NOW)).isEqualTo(CancelResult.RUNNING));
            elsewhere(() -> {
                store.instances().forgetCancellations(JobMaker.WORKER, running);
                return running;
            });
        });

        assertThat(store.instances().look(JobMaker.WORKER).cancelRequested()).isEmpty();
    }

    private List<JobId> claimed(int count) {
        List<NewJob> batch = jobs.jobs(count);
        store.submit(batch, jobs.sink);
        return jobs.claim(batch.stream().map(NewJob::toDueRow).toList()).stream()
                .map(Job::id)
                .toList();
    }

    @Test
    void callsForAnIdThatIsNotThere_keepNobodyFromWritingOne() {
        JobId running = jobs.submit(jobs.job()).id();
        transaction.executeWithoutResult(status -> {
            JobId unknown = jobs.job().id();
            assertThat(store.cancel(unknown, JobMaker.NOW)).isEqualTo(CancelResult.NOT_FOUND);
            store.reschedule(unknown, JobMaker.NOW, jobs.token(), jobs.sink);
            store.retry(unknown, JobMaker.NOW, jobs.token(), jobs.sink);

            // Enough of them for one beside it.
            elsewhere(() -> store.submit(jobs.jobs(30), jobs.sink));
            ends(running);
        });
    }

    @Test
    void transactionsThatCancelAndScheduleTheirKeys_doNotMeet() throws Exception {
        int count = 8;
        CyclicBarrier cancelled = new CyclicBarrier(count);
        List<Future<Scheduled>> results = IntStream.range(0, count)
                .mapToObj(i -> threads.submit(() -> transaction.execute(status -> {
                    store.cancel(JobMaker.NAME, key + "-" + i, JobMaker.NOW);
                    await(cancelled);
                    return jobs.submit(jobs.job(key + "-" + i, OnExisting.KEEP));
                })))
                .toList();

        for (Future<Scheduled> result : results) {
            assertThat(result.get().outcome()).isEqualTo(Outcome.CREATED);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    @Test
    void writtenJobs_keepNobodyFromWritingTheirNeighbours() {
        List<NewJob> all = jobs.jobs(3);
        transaction.executeWithoutResult(status -> {
            store.submit(
                    List.of(jobs.job(key + "-1", OnExisting.KEEP), all.get(1), jobs.job(key + "-3", OnExisting.KEEP)),
                    jobs.sink);

            elsewhere(() -> store.submit(
                    List.of(
                            all.get(0),
                            jobs.job(key + "-2", OnExisting.KEEP),
                            jobs.job(key + "-4", OnExisting.KEEP),
                            all.get(2)),
                    jobs.sink));
        });

        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_job", Integer.class))
                .isEqualTo(7);
    }

    /** The store's own transactions, held open in the middle. */
    @Test
    void claimedAndEndedJobs_keepNobodyFromWritingTheirNeighbours() throws Exception {
        List<NewJob> all = new ArrayList<>(jobs.jobs(40));
        all.addAll(IntStream.range(0, 40)
                .mapToObj(i -> jobs.job(key + "-" + i, OnExisting.KEEP))
                .toList());
        List<NewJob> theirs = every(2, 0, all);
        store.submit(theirs, jobs.sink);
        Database database = new Database(
                pool, dialect(), new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null), Duration.ofSeconds(10));
        TransactionTemplate readCommitted = new TransactionTemplate(manager);
        readCommitted.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);

        readCommitted.executeWithoutResult(status -> {
            Parameters claim = Parameters.none()
                    .uuids("id", theirs, job -> job.id().value())
                    .longs("token", theirs, NewJob::token)
                    .set("owner", 1L)
                    .set("freshToken", 8L)
                    .set("now", 9L);
            assertThat(database.run(database.steps(database.dialect().claims().claim()), claim, JobRows::id))
                    .hasSize(theirs.size());
            elsewhere(() -> store.submit(every(4, 1, all), jobs.sink));

            Parameters end = Parameters.none()
                    .uuids("id", theirs, job -> job.id().value())
                    .longs("token", theirs, job -> 8L)
                    .longs("freshToken", theirs, job -> 10L)
                    .shorts("state", theirs, job -> (short) 2)
                    .ints("run", theirs, job -> 1)
                    .longs("plannedAt", theirs, job -> 1L)
                    .longs("endedAt", theirs, job -> 1L)
                    .ints("doubt", theirs, job -> 0)
                    .booleans("keep", theirs, job -> true)
                    .ints("keepSeconds", theirs, job -> 0);
            assertThat(database.run(database.steps(database.dialect().ends().endJobs()), end, JobRows::id))
                    .hasSize(theirs.size());
            elsewhere(() -> store.submit(every(4, 3, all), jobs.sink));
        });
    }

    private static List<NewJob> every(int step, int from, List<NewJob> all) {
        return IntStream.range(0, all.size())
                .filter(i -> i % step == from)
                .mapToObj(all::get)
                .toList();
    }

    private Dialect dialect() throws MetaDataAccessException {
        return JdbcUtils.extractDatabaseMetaData(pool, Dialect::of);
    }

    @Test
    void deadlockInTheCallersTransaction_isSaidToHaveUndoneAllOfIt() throws Exception {
        jobs.submit(jobs.job(key + "a", OnExisting.KEEP));
        jobs.submit(jobs.job(key + "b", OnExisting.KEEP));
        CyclicBarrier both = new CyclicBarrier(2);
        List<Future<Throwable>> ends = List.of(
                threads.submit(() -> replacing(both, 1, key + "a", key + "b")),
                threads.submit(() -> replacing(both, 2, key + "b", key + "a")));

        List<Throwable> errors = new ArrayList<>();
        for (Future<Throwable> end : ends) {
            if (end.get() != null) {
                errors.add(end.get());
            }
        }

        assertThat(errors).singleElement().isInstanceOfSatisfying(StoreException.class, error -> {
            assertThat(error).hasMessageContaining("rolled back").hasMessageContaining("whole transaction");
            assertThat(error.isTransient()).isTrue();
        });
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class))
                .isOne();
    }

    /** What the transaction came to; an application that swallows the error all the same gets a roll-back. */
    private Throwable replacing(CyclicBarrier both, int order, String first, String second) {
        List<Throwable> errors = new ArrayList<>();
        try {
            transaction.executeWithoutResult(status -> {
                jdbc.update("INSERT INTO orders VALUES (?)", order);
                jobs.submit(jobs.job(first, OnExisting.REPLACE));
                await(both);
                try {
                    jobs.submit(jobs.job(second, OnExisting.REPLACE));
                } catch (StoreException error) {
                    errors.add(error);
                }
            });
        } catch (RuntimeException rolledBack) {
            assertThat(errors).hasSize(1);
        }
        return errors.isEmpty() ? null : errors.get(0);
    }

    @Test
    void deadlockInATransactionOfTheStore_isTriedAgain() throws Exception {
        jobs.submit(jobs.job(key + "a", OnExisting.KEEP));
        jobs.submit(jobs.job(key + "b", OnExisting.KEEP));
        Future<List<Scheduled>> stores = transaction.execute(status -> {
            // The transaction that has changed less is the one that is broken off.
            IntStream.range(0, 200).forEach(i -> jdbc.update("INSERT INTO orders VALUES (?)", i));
            jobs.submit(jobs.job(key + "b", OnExisting.REPLACE));
            Future<List<Scheduled>> waiting = threads.submit(() -> store.submit(
                    List.of(jobs.job(key + "a", OnExisting.REPLACE), jobs.job(key + "b", OnExisting.REPLACE)),
                    jobs.sink));
            awaitLock(key + "a");
            jobs.submit(jobs.job(key + "a", OnExisting.REPLACE));
            return waiting;
        });

        assertThat(stores.get()).extracting(Scheduled::outcome).containsOnly(Outcome.REPLACED);
    }

    /** Until another transaction holds the row of this key. */
    private void awaitLock(String key) {
        boolean free = true;
        while (free) {
            free = elsewhere(() -> new TransactionTemplate(manager)
                    .execute(status -> !jdbc.queryForList(
                                    "SELECT id FROM delayjob_job WHERE job_key = ? FOR UPDATE SKIP LOCKED", key)
                            .isEmpty()));
        }
    }

    @Test
    void lockThatIsWaitedForTooLong_isTransient() {
        JobId held = jobs.submit(jobs.job(key, OnExisting.KEEP)).id();
        transaction.executeWithoutResult(status -> {
            store.reschedule(held, JobMaker.NOW, jobs.token(), jobs.sink);
            StoreException error = elsewhere(() -> transaction.execute(inner -> {
                jdbc.execute("SET SESSION innodb_lock_wait_timeout = 1");
                try {
                    store.cancel(held, JobMaker.NOW);
                    return null;
                } catch (StoreException tooLong) {
                    inner.setRollbackOnly();
                    return tooLong;
                } finally {
                    jdbc.execute("SET SESSION innodb_lock_wait_timeout = 50");
                }
            }));
            assertThat(error).isNotNull();
            assertThat(error.isTransient()).isTrue();
        });
    }
}
