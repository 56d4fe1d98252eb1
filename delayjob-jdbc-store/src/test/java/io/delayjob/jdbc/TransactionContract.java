package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.ScheduleSpec;
import io.delayjob.handler.Handler;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A job is written if and only if the caller's transaction commits, and handed over only then. */
abstract class TransactionContract extends StoreContract {

    /** So many that a database which has another way of writing them is written in that way. */
    static final int MANY = 1_000;

    private HikariDataSource otherPool;
    private TransactionTemplate nested;
    private TransactionTemplate requiresNew;
    private TransactionTemplate elsewhere;

    @BeforeAll
    final void makeTemplates() {
        otherPool = TestH2.inMemory();
        nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        requiresNew = new TransactionTemplate(manager);
        requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        elsewhere = new TransactionTemplate(new JdbcTransactionManager(otherPool));
    }

    @AfterAll
    final void closeOtherDatabase() {
        if (otherPool != null) {
            otherPool.close();
        }
    }

    private boolean isWritten(NewJob job) {
        return store.find(job.id()).isPresent();
    }

    private int orders() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class);
    }

    @Test
    void commit_writesTheJobTogetherWithTheCallersDataAndThenHandsItOver() {
        NewJob job = jobs.job();

        transaction.executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            jobs.submit(job);
            assertThat(isWritten(job)).as("seen by its own transaction").isTrue();
            assertThat(jobs.handedOver).as("before the commit").isEmpty();
        });

        assertThat(isWritten(job)).isTrue();
        assertThat(orders()).isOne();
        assertThat(jobs.handedOver).containsExactly(job.toDueRow());
    }

    @Test
    void rollback_leavesNothing() {
        NewJob job = jobs.job();

        transaction.executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            jobs.submit(job);
            status.setRollbackOnly();
        });

        assertThat(isWritten(job)).isFalse();
        assertThat(orders()).isZero();
        assertThat(jobs.handedOver).isEmpty();
    }

    @Test
    void manyJobs_areWrittenIfAndOnlyIfTheCallersTransactionCommits() {
        List<NewJob> undone = jobs.jobs(MANY);
        List<NewJob> done = jobs.jobs(MANY);

        transaction.executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            store.submit(undone, jobs.sink);
            assertThat(isWritten(undone.get(MANY - 1)))
                    .as("seen by its own transaction")
                    .isTrue();
            status.setRollbackOnly();
        });
        transaction.executeWithoutResult(status -> {
            store.submit(done, jobs.sink);
            assertThat(jobs.handedOver).as("before the commit").isEmpty();
            jdbc.update("INSERT INTO orders VALUES (2)");
        });

        assertThat(orders()).isOne();
        assertThat(count()).isEqualTo(MANY);
        assertThat(jobs.handedOver)
                .containsExactlyElementsOf(done.stream().map(NewJob::toDueRow).toList());
    }

    @Test
    void manyJobs_goWithTheSavepointThatIsRolledBack() {
        List<NewJob> within = jobs.jobs(MANY);
        List<NewJob> after = jobs.jobs(MANY);

        transaction.executeWithoutResult(outer -> {
            nested.executeWithoutResult(inner -> {
                store.submit(within, jobs.sink);
                inner.setRollbackOnly();
            });
            store.submit(after, jobs.sink);
        });

        assertThat(isWritten(within.get(0))).isFalse();
        assertThat(isWritten(after.get(0))).isTrue();
        assertThat(jobs.handedOver).hasSize(MANY);
    }

    private int count() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_job", Integer.class);
    }

    /**
     * What refusing a batch comes to.
     *
     * @param reason the kind of the exception that the database threw; empty if the store refused by itself
     * @param goesOn whether the caller's transaction takes another statement
     */
    private record Refusal(boolean isTransient, Optional<String> reason, boolean goesOn) {}

    private Refusal refusal(List<NewJob> batch) {
        int before = count();
        Refusal refusal = transaction.execute(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            StoreException refused = catchThrowableOfType(StoreException.class, () -> store.submit(batch, jobs.sink));
            Throwable next = catchThrowable(() -> jdbc.update("INSERT INTO orders VALUES (2)"));
            status.setRollbackOnly();
            Optional<String> reason = Optional.ofNullable(refused.getCause())
                    .map(cause -> cause.getClass().getName());
            return new Refusal(refused.isTransient(), reason, next == null);
        });
        assertThat(count()).as("written in spite of the refusal").isEqualTo(before);
        assertThat(orders()).isZero();
        return refusal;
    }

    /** So many jobs, the last but one of which is another. */
    private List<NewJob> jobsWith(NewJob odd, int count) {
        List<NewJob> batch = new ArrayList<>(jobs.jobs(count));
        batch.set(count - 2, odd);
        return batch;
    }

    @Test
    void manyJobs_thatAreRefusedLeaveWhatFewOnesDo() {
        NewJob existing = jobs.job();
        jobs.submit(existing);
        for (NewJob odd : List.of(existing, jobs.jobOf("a\u0000b"), jobs.jobOf("half a \uD83D pair"))) {
            if (odd == existing || isRefused(odd)) {
                assertThat(refusal(jobsWith(odd, MANY))).as("refused %s", odd).isEqualTo(refusal(jobsWith(odd, 2)));
            }
        }
        store.submit(jobs.jobs(MANY), jobs.sink);
        assertThat(count()).isEqualTo(1 + MANY);
    }

    /** Some databases take any text. */
    private boolean isRefused(NewJob job) {
        return transaction.execute(status -> {
            status.setRollbackOnly();
            return catchThrowable(() -> jobs.submit(job)) != null;
        });
    }

    @Test
    void manyJobs_withoutATransactionAreWrittenAsAWholeOrNotAtAll() {
        NewJob existing = jobs.job();
        jobs.submit(existing);

        assertThatThrownBy(() -> store.submit(jobsWith(existing, MANY), jobs.sink))
                .isInstanceOf(StoreException.class);
        assertThat(count()).isOne();

        List<NewJob> batch = jobs.jobs(MANY);
        jobs.handedOver.clear();
        store.submit(batch, jobs.sink);
        assertThat(count()).isEqualTo(1 + MANY);
        assertThat(jobs.handedOver).hasSize(MANY);
    }

    @Test
    void pause_isPartOfTheCallersTransaction() {
        List<String> told = new ArrayList<>();

        transaction.executeWithoutResult(status -> {
            store.pause(Paused.queue("bulk"), new PauseNote(Instant.EPOCH, null, null), () -> told.add("paused"));
            assertThat(store.paused()).as("seen by its own transaction").isEqualTo(Paused.queue("bulk"));
            assertThat(store.instances().look(0).paused())
                    .as("seen by the instances")
                    .isEqualTo(Paused.NOTHING);
            assertThat(told).as("before the commit").isEmpty();
        });

        assertThat(store.instances().look(0).paused()).isEqualTo(Paused.queue("bulk"));
        assertThat(told).containsExactly("paused");
    }

    @Test
    void pause_thatIsRolledBackNeverWas() {
        List<String> told = new ArrayList<>();

        transaction.executeWithoutResult(status -> {
            store.pause(Paused.queue("bulk"), new PauseNote(Instant.EPOCH, null, null), () -> told.add("paused"));
            store.pause(Paused.queue("bulk"), new PauseNote(Instant.EPOCH, null, null), () -> told.add("again"));
            jdbc.update("INSERT INTO orders VALUES (1)");
            status.setRollbackOnly();
        });

        assertThat(store.paused()).isEqualTo(Paused.NOTHING);
        assertThat(told).isEmpty();
    }

    @Test
    void savepointRollback_dropsWhatWasWrittenSince() {
        NewJob before = jobs.job();
        NewJob within = jobs.job();
        NewJob after = jobs.job();

        transaction.executeWithoutResult(outer -> {
            jobs.submit(before);
            nested.executeWithoutResult(inner -> {
                jobs.submit(within);
                inner.setRollbackOnly();
            });
            jobs.submit(after);
        });

        assertThat(isWritten(within)).isFalse();
        assertThat(jobs.handedOver).containsExactly(before.toDueRow(), after.toDueRow());
    }

    @Test
    void savepointRollback_ofTheFirstJobsOfATransactionDropsThem() {
        NewJob within = jobs.job();
        NewJob after = jobs.job();

        transaction.executeWithoutResult(outer -> {
            nested.executeWithoutResult(inner -> {
                jobs.submit(within);
                inner.setRollbackOnly();
            });
            jobs.submit(after);
        });

        assertThat(isWritten(within)).isFalse();
        assertThat(jobs.handedOver).containsExactly(after.toDueRow());
    }

    @Test
    void savepoint_thatIsKeptKeepsItsJobs() {
        NewJob within = jobs.job();

        transaction.executeWithoutResult(outer -> nested.executeWithoutResult(inner -> jobs.submit(within)));

        assertThat(isWritten(within)).isTrue();
        assertThat(jobs.handedOver).containsExactly(within.toDueRow());
    }

    @Test
    void requiresNew_committedWithinATransactionThatRollsBackStays() {
        NewJob outerJob = jobs.job();
        NewJob innerJob = jobs.job();

        transaction.executeWithoutResult(outer -> {
            jobs.submit(outerJob);
            requiresNew.executeWithoutResult(inner -> jobs.submit(innerJob));
            assertThat(jobs.handedOver).containsExactly(innerJob.toDueRow());
            outer.setRollbackOnly();
        });

        assertThat(isWritten(outerJob)).isFalse();
        assertThat(isWritten(innerJob)).isTrue();
        assertThat(jobs.handedOver).containsExactly(innerJob.toDueRow());
    }

    @Test
    void afterCommit_takesATransactionOfItsOwn() {
        NewJob job = jobs.job();
        List<Object> handedOverAtOnce = new ArrayList<>();

        transaction.executeWithoutResult(
                status -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        jobs.submit(job);
                        handedOverAtOnce.addAll(jobs.handedOver);
                    }
                }));

        assertThat(isWritten(job)).isTrue();
        assertThat(handedOverAtOnce).containsExactly(job.toDueRow());
    }

    @Test
    void afterCommit_joinsATransactionThatIsBegunThere() {
        NewJob job = jobs.job();

        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        requiresNew.executeWithoutResult(inner -> {
                            jobs.submit(job);
                            inner.setRollbackOnly();
                        });
                    }
                }));

        assertThat(isWritten(job)).isFalse();
        assertThat(jobs.handedOver).isEmpty();
    }

    @Test
    void afterCompletion_takesATransactionOfItsOwn() {
        NewJob job = jobs.job();

        transaction.executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int outcome) {
                    jobs.submit(job);
                }
            });
            status.setRollbackOnly();
        });

        assertThat(isWritten(job)).isTrue();
        assertThat(jobs.handedOver).containsExactly(job.toDueRow());
    }

    @Test
    void beforeCommit_stillJoins() {
        NewJob job = jobs.job();

        transaction.executeWithoutResult(
                status -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        jobs.submit(job);
                        assertThat(jobs.handedOver).isEmpty();
                    }
                }));

        assertThat(isWritten(job)).isTrue();
    }

    @Test
    void transactionWithoutSynchronization_isNotJoined() {
        DataSourceTransactionManager silent = new DataSourceTransactionManager(pool);
        silent.setTransactionSynchronization(DataSourceTransactionManager.SYNCHRONIZATION_NEVER);
        NewJob job = jobs.job();

        new TransactionTemplate(silent).executeWithoutResult(status -> {
            jobs.submit(job);
            status.setRollbackOnly();
        });

        assertThat(isWritten(job)).isTrue();
        assertThat(jobs.handedOver).containsExactly(job.toDueRow());
    }

    @Test
    void transactionOnAnotherDataSource_countsAsNone() {
        NewJob job = jobs.job();

        elsewhere.executeWithoutResult(status -> {
            jobs.submit(job);
            assertThat(jobs.handedOver).containsExactly(job.toDueRow());
            status.setRollbackOnly();
        });

        assertThat(isWritten(job)).isTrue();
    }

    /** Most databases refuse, and H2 does not mind. */
    @Test
    void readOnlyTransaction_isJoinedLikeAnyOther() {
        NewJob job = jobs.job();
        TransactionTemplate readOnly = new TransactionTemplate(manager);
        readOnly.setReadOnly(true);
        boolean refused = false;

        try {
            readOnly.executeWithoutResult(status -> {
                assertThat(store.find(job.id())).isEmpty();
                jobs.submit(job);
                assertThat(jobs.handedOver).as("before the commit").isEmpty();
            });
        } catch (StoreException error) {
            refused = true;
        }

        assertThat(refused).isEqualTo(refusesToWriteInReadOnlyTransactions());
        assertThat(isWritten(job)).isEqualTo(!refused);
        assertThat(jobs.handedOver).hasSize(refused ? 0 : 1);
    }

    /** Whether the database keeps what a transaction has said of itself. */
    boolean refusesToWriteInReadOnlyTransactions() {
        return true;
    }

    @Test
    void requireTransaction_refusesWhereThereIsNone() {
        try (JdbcJobStore strict =
                JdbcJobStore.builder(pool, manager).requireTransaction(true).build()) {
            NewJob job = jobs.job();

            assertThatThrownBy(() -> strict.submit(List.of(job), jobs.sink))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("require-transaction")
                    .satisfies(refused ->
                            assertThat(((StoreException) refused).isTransient()).isFalse());
            assertThatThrownBy(() -> elsewhere.executeWithoutResult(status -> strict.submit(List.of(job), jobs.sink)))
                    .isInstanceOf(StoreException.class);
            assertThat(isWritten(job)).isFalse();

            transaction.executeWithoutResult(status -> strict.submit(List.of(job), jobs.sink));
            assertThat(isWritten(job)).isTrue();
        }
    }

    @Test
    void jobWithAGivenId_isWrittenIfAndOnlyIfTheCallersTransactionCommits() {
        NewJob job = jobs.job();

        transaction.executeWithoutResult(status -> {
            assertThat(store.submitOnce(job, jobs.sink).outcome()).isEqualTo(Scheduled.Outcome.CREATED);
            assertThat(store.submitOnce(job, jobs.sink).outcome()).isEqualTo(Scheduled.Outcome.KEPT);
            status.setRollbackOnly();
        });
        assertThat(isWritten(job)).isFalse();
        assertThat(jobs.handedOver).isEmpty();

        transaction.executeWithoutResult(status -> store.submitOnce(job, jobs.sink));
        assertThat(isWritten(job)).isTrue();
        assertThat(jobs.handedOver).containsExactly(job.toDueRow());
    }

    @Test
    void keptId_leavesTheCallersTransactionUsable() {
        NewJob existing = jobs.job();
        jobs.submit(existing);

        transaction.executeWithoutResult(status -> {
            assertThat(store.submitOnce(existing, jobs.sink).outcome()).isEqualTo(Scheduled.Outcome.KEPT);
            jdbc.update("INSERT INTO orders VALUES (1)");
        });

        assertThat(orders()).isOne();
    }

    @Test
    void refusedKey_leavesTheCallersTransactionUsable() {
        NewJob existing = jobs.job("42", OnExisting.KEEP);
        jobs.submit(existing);
        jobs.handedOver.clear();
        NewJob other = jobs.job();

        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(() -> jobs.submit(jobs.job("42", OnExisting.FAIL)))
                    .isInstanceOf(JobExistsException.class);
            assertThatThrownBy(() -> store.submit(List.of(jobs.job(), jobs.job("42", OnExisting.FAIL)), jobs.sink))
                    .isInstanceOf(JobExistsException.class);
            jdbc.update("INSERT INTO orders VALUES (1)");
            jobs.submit(other);
        });

        assertThat(orders()).isOne();
        assertThat(jobs.handedOver).containsExactly(other.toDueRow());
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).hasSize(2);
    }

    @Test
    void nameOrKeyThatIsTooLongForItsColumn_isRefusedAndNotCut() {
        NewJob existing = jobs.job("k".repeat(ScheduleSpec.MAX_KEY_LENGTH), OnExisting.KEEP);
        jobs.submit(existing);
        List<NewJob> tooLong = new ArrayList<>();
        for (OnExisting onExisting : OnExisting.values()) {
            tooLong.add(jobs.job("k".repeat(ScheduleSpec.MAX_KEY_LENGTH + 1), onExisting));
        }
        tooLong.add(jobs.job().with(JobTask.of("n".repeat(Handler.MAX_NAME_LENGTH + 1))));

        for (NewJob job : tooLong) {
            assertThatThrownBy(() -> jobs.submit(job)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store.submitOnce(job, jobs.sink)).isInstanceOf(StoreException.class);
        }

        assertThat(jdbc.queryForList("SELECT token FROM delayjob_job", Long.class))
                .containsExactly(existing.token());
    }

    @Test
    void keys_areDecidedWithinTheCallersTransaction() {
        AtomicReference<Scheduled> kept = new AtomicReference<>();
        NewJob first = jobs.job("42", OnExisting.KEEP);

        transaction.executeWithoutResult(status -> {
            jobs.submit(first);
            kept.set(jobs.submit(jobs.job("42", OnExisting.KEEP)));
            jobs.submit(jobs.job("42", OnExisting.REPLACE));
            status.setRollbackOnly();
        });

        assertThat(kept.get()).isEqualTo(new Scheduled(first.id(), Scheduled.Outcome.KEPT, JobState.DELAYED));
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).isEmpty();
        assertThat(jobs.handedOver).isEmpty();
    }

    @Test
    void cancelRescheduleAndRetry_holdOnlyOnceTheTransactionCommits() {
        NewJob waiting = jobs.job();
        jobs.submit(waiting);
        jobs.handedOver.clear();

        transaction.executeWithoutResult(status -> {
            assertThat(store.reschedule(waiting.id(), JobMaker.NOW.plusSeconds(5), jobs.token(), jobs.sink))
                    .isEqualTo(ChangeResult.CHANGED);
            assertThat(store.cancel(waiting.id(), JobMaker.NOW)).isEqualTo(CancelResult.CANCELLED);
            assertThat(store.find(waiting.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
            status.setRollbackOnly();
        });

        assertThat(store.find(waiting.id()).orElseThrow().toDueRow()).isEqualTo(waiting.toDueRow());
        assertThat(jobs.handedOver).isEmpty();
    }

    @Test
    void engineCalls_takeNoPartInTheCallersTransaction() {
        NewJob job = jobs.job();
        jobs.submit(job);

        transaction.executeWithoutResult(status -> {
            assertThat(jobs.claim(List.of(job.toDueRow()))).hasSize(1);
            status.setRollbackOnly();
        });

        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void sinkThatThrows_hurtsNobody() {
        NewJob alone = jobs.job();
        NewJob joined = jobs.job();

        store.submit(List.of(alone), rows -> {
            throw new IllegalStateException("full");
        });
        transaction.executeWithoutResult(status -> store.submit(List.of(joined), rows -> {
            throw new IllegalStateException("full");
        }));

        assertThat(isWritten(alone)).isTrue();
        assertThat(isWritten(joined)).isTrue();
    }

    @Test
    void newQueue_keepsItsNumberWhenTheFirstJobIsRolledBack() {
        NewJob first = inQueue("mail");
        NewJob second = inQueue("mail");

        transaction.executeWithoutResult(status -> {
            store.submit(List.of(first), jobs.sink);
            status.setRollbackOnly();
        });
        store.submit(List.of(second), jobs.sink);
        try (JdbcJobStore another = JdbcJobStore.builder(pool, manager).build()) {
            another.submit(List.of(inQueue("reports")), jobs.sink);
            assertThat(another.find(second.id()).orElseThrow().partition().queue())
                    .isEqualTo("mail");
        }
    }

    @Test
    void find_joinsAReadOnlyTransaction_whoseManagerIsStrict() {
        JdbcTransactionManager strict = new JdbcTransactionManager(pool);
        strict.setValidateExistingTransaction(true);
        TransactionTemplate readOnly = new TransactionTemplate(strict);
        readOnly.setReadOnly(true);
        NewJob job = jobs.job();
        jobs.submit(job);

        try (JdbcJobStore reading = JdbcJobStore.builder(pool, strict).build()) {
            readOnly.executeWithoutResult(
                    status -> assertThat(reading.find(job.id())).isPresent());
        }
    }

    @Test
    void pageInTheOrderOfDueTimes_hasTheJobsOfTheCallersTransaction() {
        NewJob job = inQueue("mail");

        transaction.executeWithoutResult(status -> {
            store.submit(List.of(job), jobs.sink);
            assertThat(store.find(JobQuery.all().order(JobOrder.DUE), JobMaker.NOW)
                            .jobs())
                    .extracting(Job::id)
                    .containsExactly(job.id());
        });
    }

    /** Some databases refuse long statements. */
    @Test
    void longBatch_isWrittenByStatementsOfLimitedLength() {
        AtomicInteger inserts = new AtomicInteger();
        LosingDataSource watched = new LosingDataSource(pool);
        watched.beforeStatement = sql -> inserts.addAndGet(sql.contains("INSERT INTO delayjob_job ") ? 1 : 0);
        List<NewJob> batch = IntStream.range(0, 50)
                .mapToObj(i -> jobs.job("key-" + i, OnExisting.KEEP))
                .map(job -> job.with(job.task().withPayload("x".repeat(60_000))))
                .toList();

        try (JdbcJobStore writing = JdbcJobStore.builder(watched, new JdbcTransactionManager(watched))
                .build()) {
            assertThat(writing.submit(batch, jobs.sink))
                    .extracting(Scheduled::id)
                    .containsExactlyElementsOf(batch.stream().map(NewJob::id).toList());
        }

        assertThat(inserts).hasValue(2);
        assertThat(jobs.handedOver).hasSize(50);
    }

    @Test
    void find_afterTheCommit_needsNoSecondConnection() {
        LosingDataSource watched = new LosingDataSource(pool);
        JdbcTransactionManager ofWatched = new JdbcTransactionManager(watched);
        NewJob job = jobs.job();

        try (JdbcJobStore reading = JdbcJobStore.builder(watched, ofWatched).build()) {
            new TransactionTemplate(ofWatched).executeWithoutResult(status -> {
                reading.submit(List.of(job), jobs.sink);
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        int before = watched.opened.get();
                        assertThat(reading.find(job.id())).isPresent();
                        assertThat(watched.opened).hasValue(before);
                    }
                });
            });
        }
    }

    private NewJob inQueue(String queue) {
        NewJob job = jobs.job();
        return job.at(job.id(), new Partition(queue, 3));
    }

    @Test
    void statementTimeout_doesNotStayWithTheCallersConnection() {
        transaction.executeWithoutResult(status -> {
            jobs.submit(jobs.job());
            Integer timeout = jdbc.execute((Statement statement) -> statement.getQueryTimeout());
            assertThat(timeout).isZero();
        });
    }
}
