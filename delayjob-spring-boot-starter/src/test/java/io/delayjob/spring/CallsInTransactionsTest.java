package io.delayjob.spring;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.delayjob.DelayJobOperations;
import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupState;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.DueSink;
import io.delayjob.store.ForwardingJobStore;
import io.delayjob.store.JobChanges;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.JobSubmission;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.VirtualTime;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Calls within transactions of a database, on a store that is no part of that database. */
@ExtendWith(OutputCaptureExtension.class)
class CallsInTransactionsTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final Outages store = new Outages(new MemoryJobStore(time.clock()::storeMicros));
    private final DelayJobTester tester = tester(InTransaction.AFTER_COMMIT);
    private final DelayJobOperations jobs = tester.operations();
    private final List<JobId> called = new ArrayList<>();

    private final JdbcDataSource database = new JdbcDataSource();
    private final DataSourceTransactionManager manager = new DataSourceTransactionManager(database);
    private final TransactionTemplate transaction = new TransactionTemplate(manager);
    private final JdbcTemplate jdbc = new JdbcTemplate(database);

    private DelayJobTester tester(InTransaction choice) {
        return DelayJobTester.builder()
                .name("engine-" + choice)
                .time(time)
                .store(new CallsInTransactions(choice).customize(store))
                .build();
    }

    @BeforeEach
    void setUp() {
        database.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        jdbc.execute("CREATE TABLE orders (id INT)");
        tester.register(Handler.named("send").calls((payload, job) -> {
            called.add(job.id());
            return null;
        }));
    }

    private int orders() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class);
    }

    private Job job(JobId id) {
        return jobs.find(id).orElseThrow();
    }

    private JobId scheduled() {
        return jobs.schedule("send").after(ofHours(1)).id();
    }

    @Test
    void newJob_isWrittenByTheCommit_andRunsThen() {
        JobId id = transaction.execute(status -> {
            Scheduled scheduled = jobs.schedule("send").now();
            tester.runDue();
            assertThat(scheduled.outcome()).isEqualTo(Outcome.ON_COMMIT);
            assertThat(scheduled.state()).isEqualTo(JobState.DELAYED);
            assertThat(jobs.find(scheduled.id())).isEmpty();
            return scheduled.id();
        });

        tester.runDue();

        assertThat(called).containsExactly(id);
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void group_isChangedByTheCommit_andNotByARollback() {
        transaction.executeWithoutResult(status -> {
            jobs.group("import").add(jobs.schedule("send")).close();
            status.setRollbackOnly();
        });
        assertThat(jobs.group("import").find().orElseThrow().counts()).isEqualTo(GroupCounts.NONE);

        JobId follower = transaction.execute(status -> {
            JobId last = jobs.group("import").add(jobs.schedule("send")).whenAllEnded(jobs.schedule("send"));
            assertThat(jobs.group("import").find().orElseThrow().state()).isEqualTo(GroupState.OPEN);
            return last;
        });

        assertThat(jobs.group("import").find().orElseThrow().state()).isEqualTo(GroupState.CLOSED);
        tester.advance(ofSeconds(3));
        assertThat(called).hasSize(2).last().isEqualTo(follower);
    }

    @Test
    void cancelledGroup_countsEachMemberOnce() {
        jobs.schedule("send").group("import").after(ofHours(1));
        jobs.schedule("send").group("import").after(ofHours(1));

        BulkResult result = transaction.execute(status -> jobs.group("import").cancel());

        assertThat(result).isEqualTo(new BulkResult(2, 0));
        assertThat(jobs.group("import").find().orElseThrow().counts()).isEqualTo(new GroupCounts(2, 0, 0, 2));
    }

    @Test
    void groupThatHasEndedMeanwhile_isLogged(CapturedOutput output) {
        transaction.executeWithoutResult(status -> {
            jobs.group("import").close();
            jobs.group("import").close();
        });

        assertThat(output).contains("A call to close group 'import' changed nothing");
    }

    @Test
    void rollback_dropsAllCalls() {
        JobId waiting = scheduled();

        transaction.executeWithoutResult(status -> {
            jobs.schedule("send").now();
            jobs.cancel(waiting);
            jobs.pause("send");
            status.setRollbackOnly();
        });
        tester.runDue();

        assertThat(called).isEmpty();
        assertThat(jobs.find(JobQuery.all()).jobs()).extracting(Job::id).containsExactly(waiting);
        assertThat(job(waiting).state()).isEqualTo(JobState.DELAYED);
        assertThat(jobs.paused().isEmpty()).isTrue();
    }

    @Test
    void withoutTransaction_callsAnswerAtOnce() {
        Scheduled scheduled = jobs.schedule("send").after(ofHours(1));

        assertThat(scheduled.outcome()).isEqualTo(Outcome.CREATED);
        assertThat(jobs.reschedule(scheduled.id(), ofHours(2))).isEqualTo(ChangeResult.CHANGED);
        assertThat(jobs.cancel(scheduled.id())).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void changes_takeEffectWithTheCommit_inTheirOrder() {
        JobId cancelled = scheduled();
        JobId moved = scheduled();
        JobId keyed = jobs.schedule("send").key("old").after(ofHours(1)).id();
        JobId failed = failed();

        transaction.executeWithoutResult(status -> {
            assertThat(jobs.cancel(cancelled)).isEqualTo(CancelResult.ON_COMMIT);
            assertThat(jobs.cancel("send", "old")).isEqualTo(CancelResult.ON_COMMIT);
            assertThat(jobs.reschedule(moved, ofHours(2))).isEqualTo(ChangeResult.ON_COMMIT);
            assertThat(jobs.reschedule(moved, ofHours(3))).isEqualTo(ChangeResult.ON_COMMIT);
            assertThat(jobs.retry(failed)).isEqualTo(ChangeResult.ON_COMMIT);
            assertThat(jobs.pause("send")).isTrue();
            assertThat(job(cancelled).state()).isEqualTo(JobState.DELAYED);
            assertThat(job(moved).dueAt()).isEqualTo(tester.now().plus(ofHours(1)));
            assertThat(jobs.paused().isEmpty()).isTrue();
        });

        assertThat(job(cancelled).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(keyed).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(moved).dueAt()).isEqualTo(tester.now().plus(ofHours(3)));
        assertThat(job(failed).state()).isEqualTo(JobState.READY);
        assertThat(jobs.paused().handlers()).containsExactly("send");

        transaction.executeWithoutResult(status -> {
            assertThat(jobs.pause("send")).as("paused already").isFalse();
            assertThat(jobs.resume("send")).isTrue();
        });
        assertThat(jobs.paused().isEmpty()).isTrue();
    }

    private JobId failed() {
        tester.register(Handler.named("fail").retry(RetryPolicy.none()).calls((payload, job) -> {
            throw new IllegalStateException("always");
        }));
        JobId failed = jobs.schedule("fail").now().id();
        tester.runDue();
        return failed;
    }

    @Test
    void answer_isTakenByTheCommit() {
        tester.register(Handler.named("ship").calls((payload, job) -> Next.awaitAnswer(ofHours(1))));
        JobId id = jobs.schedule("ship").now().id();
        tester.runDue();

        transaction.executeWithoutResult(status -> {
            assertThat(tester.answer(id, Answer.done())).isEqualTo(AnswerResult.ON_COMMIT);
            assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
        });

        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void answerThatIsNotAwaitedAtTheCommit_isLogged(CapturedOutput output) {
        ((Logger) LoggerFactory.getLogger(StoreBesideTransactions.class)).setLevel(Level.INFO);
        JobId id = jobs.schedule("send").now().id();
        tester.runDue();

        transaction.executeWithoutResult(status -> tester.answer(id, Answer.done()));

        assertThat(output).contains("The answer to job " + id + " had no effect: NOT_AWAITED.");
    }

    @Test
    void bulkChange_changesTheJobsThatItFound() {
        JobId first = scheduled();
        JobId second = scheduled();
        JobId failed = failed();

        transaction.executeWithoutResult(status -> {
            JobQuery waiting = JobQuery.state(JobState.DELAYED).name("send");
            assertThat(jobs.reschedule(waiting, ofHours(2))).isEqualTo(new BulkResult(2, 0));
            assertThat(jobs.cancel(waiting)).isEqualTo(new BulkResult(2, 0));
            assertThat(jobs.retry(JobQuery.state(JobState.FAILED))).isEqualTo(new BulkResult(1, 0));
            assertThat(job(first).state()).isEqualTo(JobState.DELAYED);
        });

        assertThat(List.of(job(first), job(second))).allSatisfy(job -> {
            assertThat(job.state()).isEqualTo(JobState.CANCELLED);
            assertThat(job.dueAt()).isEqualTo(tester.now().plus(ofHours(2)));
        });
        assertThat(job(failed).state()).isEqualTo(JobState.READY);
    }

    @Test
    void nestedTransaction_thatRollsBack_dropsItsOwnCallsOnly() {
        List<JobId> kept = new ArrayList<>();

        transaction.executeWithoutResult(outer -> {
            nested(true);
            kept.add(scheduled());
            nested(true);
            kept.add(nested(false));
            kept.add(scheduled());
        });

        assertThat(jobs.find(JobQuery.all()).jobs()).extracting(Job::id).containsExactlyInAnyOrderElementsOf(kept);
    }

    private JobId nested(boolean rollsBack) {
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        return nested.execute(status -> {
            if (rollsBack) {
                status.setRollbackOnly();
            }
            return scheduled();
        });
    }

    @Test
    void innerTransactionOfItsOwn_decidesAboutItsCalls() {
        TransactionTemplate inner = new TransactionTemplate(manager);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        transaction.executeWithoutResult(outer -> {
            scheduled();
            JobId committed = inner.execute(status -> scheduled());
            assertThat(jobs.find(JobQuery.all()).jobs()).extracting(Job::id).containsExactly(committed);
            scheduled();
            outer.setRollbackOnly();
        });

        assertThat(jobs.find(JobQuery.all()).jobs()).hasSize(1);
    }

    @Test
    void callsOfListenersAfterTheCommit_areMade() {
        transaction.executeWithoutResult(status -> {
            listen();
            scheduled();
        });
        transaction.executeWithoutResult(status -> listen());

        assertThat(jobs.find(JobQuery.all()).jobs()).hasSize(5);
    }

    private void listen() {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                scheduled();
            }

            @Override
            public void afterCompletion(int status) {
                scheduled();
            }
        });
    }

    @Test
    void takenKey_isRefusedAtTheCall() {
        jobs.schedule("send").key("taken").after(ofHours(1));

        transaction.executeWithoutResult(status -> {
            assertRefused("taken");
            jobs.schedule("send").key("new", OnExisting.FAIL).after(ofHours(1));
            assertRefused("new");
            jobs.cancel("send", "taken");
            jobs.schedule("send").key("taken", OnExisting.FAIL).after(ofHours(2));
        });

        assertThat(jobs.find("send", "taken").orElseThrow().dueAt())
                .isEqualTo(tester.now().plus(ofHours(2)));
    }

    private void assertRefused(String key) {
        assertThatThrownBy(() -> jobs.schedule("send").key(key, OnExisting.FAIL).after(ofHours(1)))
                .isInstanceOf(JobExistsException.class);
    }

    @Test
    void givenId_isKeptAtOnce_ifItsJobIsThere() {
        JobId id = new JobId(UUID.randomUUID());
        transaction.executeWithoutResult(status -> assertThat(
                        jobs.schedule("send").id(id).after(ofHours(1)).outcome())
                .isEqualTo(Outcome.ON_COMMIT));

        transaction.executeWithoutResult(status -> assertThat(
                        jobs.schedule("send").id(id).after(ofHours(1)).outcome())
                .isEqualTo(Outcome.KEPT));
    }

    @Test
    void storeOutOfReachBeforeTheCommit_rollsTheTransactionBack() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jdbc.update("INSERT INTO orders VALUES (1)");
                    scheduled();
                    store.away = true;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessage("away");

        assertThat(orders()).isZero();
    }

    @Test
    void transactionWithoutCalls_needsNoStore() {
        store.away = true;

        transaction.executeWithoutResult(status -> jdbc.update("INSERT INTO orders VALUES (1)"));

        assertThat(orders()).isOne();
    }

    @Test
    void storeThatFailsAfterTheCommit_isToldToTheCaller_withTheCallsWithoutEffect() {
        JobId waiting = scheduled();
        store.refusing = job -> {
            throw StoreException.unavailable("gone", new IllegalStateException());
        };

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jdbc.update("INSERT INTO orders VALUES (1)");
                    jobs.schedule("send").key("a").now();
                    jobs.cancel(waiting);
                }))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        lost -> assertThat(lost.isTransient()).isFalse())
                .hasMessageContaining("The transaction is committed")
                .hasMessageContaining("schedule 'send' with key 'a' (")
                .hasMessageContaining("; cancel job " + waiting + ".")
                .hasMessageContaining("The reason: gone");

        assertThat(orders()).isOne();
        assertThat(job(waiting).state()).as("not tried once the store was away").isEqualTo(JobState.DELAYED);
    }

    @Test
    void callThatIsRefusedAfterTheCommit_holdsUpNoOther() {
        store.refusing = job -> {
            if ("bad".equals(job.key())) {
                throw StoreException.refused("bad key", new IllegalStateException());
            }
        };

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jobs.schedule("send").key("bad").now();
                    jobs.schedule("send").key("good").now();
                }))
                .hasMessageContaining("'bad'")
                .hasMessageNotContaining("'good'");

        assertThat(jobs.find("send", "good")).isPresent();
    }

    @Test
    void commitWithUnknownOutcome_makesNoCall_andNamesThem(CapturedOutput output) {
        TransactionTemplate silent = new TransactionTemplate(new DataSourceTransactionManager(database) {
            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                throw new TransactionSystemException("no answer");
            }
        });

        assertThatThrownBy(() -> silent.executeWithoutResult(
                        status -> jobs.schedule("send").key("a").now()))
                .hasMessage("no answer");

        assertThat(jobs.find("send", "a")).isEmpty();
        assertThat(output)
                .contains("delayjob does not know whether a transaction was committed")
                .contains("schedule 'send' with key 'a'");
    }

    @Test
    void refusing_namesTheCall() {
        DelayJobOperations refused = tester(InTransaction.REFUSE).operations();
        JobId waiting = scheduled();

        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(() -> refused.schedule("send").now())
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("Refused to schedule 'send' (")
                    .hasMessageContaining("within a transaction: the job store (")
                    .hasMessageContaining("after-commit");
            assertThatThrownBy(() -> refused.cancel(waiting))
                    .hasMessageStartingWith("Refused to cancel job " + waiting + " within a transaction");
            assertThat(refused.find(waiting)).isPresent();
        });

        assertThat(refused.schedule("send").after(ofMinutes(1)).outcome()).isEqualTo(Outcome.CREATED);
    }

    @Test
    void refusing_leavesNoGroup() {
        DelayJobOperations refused = tester(InTransaction.REFUSE).operations();

        transaction.executeWithoutResult(status -> {
            assertRefused(() -> refused.group("import").close());
            assertRefused(() -> refused.group("import").whenAllEnded(refused.schedule("send")));
            assertRefused(() -> refused.group("import").whenAnyFails(refused.schedule("send")));
            assertRefused(() -> refused.group("import")
                    .whenAllEnded(refused.schedule("send").id(new JobId(UUID.randomUUID()))));
        });

        assertThat(refused.group("import").find()).isEmpty();
        refused.group("import").close();
        assertThat(refused.group("import").find()).isPresent();
    }

    private static void assertRefused(ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("Refused to change group 'import' within a transaction");
    }

    @Test
    void now_writesEvenIfTheTransactionRollsBack() {
        DelayJobOperations now = tester(InTransaction.NOW).operations();

        JobId id = transaction.execute(status -> {
            status.setRollbackOnly();
            Scheduled scheduled = now.schedule("send").after(ofMinutes(1));
            assertThat(scheduled.outcome()).isEqualTo(Outcome.CREATED);
            return scheduled.id();
        });

        assertThat(jobs.find(id)).isPresent();
    }

    @Test
    void storeThatJoinsTransactions_staysAsItIs() {
        JobStore joining = new ForwardingJobStore(store) {
            @Override
            public StoreCapabilities capabilities() {
                return new StoreCapabilities(
                        super.capabilities().durability(), EnumSet.of(StoreCapability.CALLER_TRANSACTIONS));
            }
        };

        for (InTransaction choice : InTransaction.values()) {
            assertThat(new CallsInTransactions(choice).customize(joining)).isSameAs(joining);
        }
    }

    /** A change that went to the store at once would outlive a rollback. */
    @Test
    void everyChangeByApplications_canWait() {
        assertThat(signatures(StoreBesideTransactions.class.getDeclaredMethods()))
                .containsAll(signatures(JobSubmission.class.getMethods()))
                .containsAll(signatures(JobChanges.class.getMethods()));
    }

    private static Set<String> signatures(Method... methods) {
        return Stream.of(methods)
                .map(method -> method.getName() + Arrays.toString(method.getParameterTypes()))
                .collect(Collectors.toSet());
    }

    /** A store that can be away, or refuse new jobs. */
    private static final class Outages extends ForwardingJobStore {

        private boolean away;
        private Consumer<NewJob> refusing = job -> {};

        private Outages(JobStore target) {
            super(target);
        }

        @Override
        public long clockMicros() {
            if (away) {
                throw StoreException.unavailable("away", new IllegalStateException());
            }
            return super.clockMicros();
        }

        @Override
        public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
            jobs.forEach(refusing);
            return super.submit(jobs, committed);
        }
    }
}
