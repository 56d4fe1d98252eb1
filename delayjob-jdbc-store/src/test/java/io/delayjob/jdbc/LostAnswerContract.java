package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A commit that succeeded although nobody was told, and lines that break. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class LostAnswerContract {

    private HikariDataSource pool;
    private LosingDataSource losing;
    private JdbcTransactionManager manager;
    private JdbcJobStore store;
    private JobMaker jobs;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeAll
    final void makeDatabase() {
        pool = newStore();
    }

    @BeforeEach
    final void makeStore() {
        TestSchema.clear(pool);
        losing = new LosingDataSource(pool);
        manager = new JdbcTransactionManager(losing);
        store = JdbcJobStore.builder(losing, manager).build();
        jobs = new JobMaker(store);
        jobs.submit(jobs.job("known-queue", OnExisting.KEEP));
        jobs.handedOver.clear();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @AfterAll
    final void closeDatabase() {
        if (pool != null) {
            pool.close();
        }
    }

    private static void assertTransient(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreException.class)
                .satisfies(error ->
                        assertThat(((StoreException) error).isTransient()).isTrue());
    }

    private static void assertUnknown(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("it is unknown whether the work was committed")
                .satisfies(error ->
                        assertThat(((StoreException) error).isTransient()).isTrue());
    }

    @Test
    void submit_whoseCommitIsNotHeardBackFromWritesTheJobsOnce() {
        List<NewJob> batch = List.of(jobs.job(), jobs.job("42", OnExisting.FAIL), jobs.job());
        losing.commitsToLose.set(1);

        List<Scheduled> results = store.submit(batch, jobs.sink);

        assertThat(results).extracting(Scheduled::outcome).containsOnly(Outcome.CREATED);
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).hasSize(4);
        assertThat(jobs.handedOver)
                .containsExactlyInAnyOrderElementsOf(
                        batch.stream().map(NewJob::toDueRow).toList());
    }

    @Test
    void submit_thatReplacedAJobIsKnownByItsToken() {
        NewJob first = jobs.job("42", OnExisting.REPLACE);
        NewJob second = jobs.job("42", OnExisting.REPLACE);
        jobs.submit(first);
        losing.commitsToLose.set(1);

        Scheduled result = jobs.submit(second);

        assertThat(result).isEqualTo(new Scheduled(first.id(), Outcome.REPLACED, JobState.DELAYED));
        assertThat(jobs.handedOver).last().extracting(DueRow::token).isEqualTo(second.token());
    }

    @Test
    void submit_thatWroteNothingNeedsNoAnswer() {
        jobs.submit(jobs.job("42", OnExisting.KEEP));
        losing.commitsToDrop.set(1);

        assertThat(jobs.submit(jobs.job("42", OnExisting.KEEP)).outcome()).isEqualTo(Outcome.KEPT);
    }

    @Test
    void submit_ofOneJobWhoseCommitIsNotHeardBackFromWritesItOnce() {
        NewJob job = jobs.job();
        losing.commitsToLose.set(1);

        assertThat(jobs.submit(job).outcome()).isEqualTo(Outcome.CREATED);

        assertThat(losing.commitsToLose).hasValue(0);
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).hasSize(2);
        assertThat(jobs.handedOver).containsExactly(job.toDueRow());
    }

    @Test
    void submit_ofJobsBySeveralCallersWhoseCommitsAreNotHeardBackFromWritesEachOnce() throws Exception {
        List<FutureTask<List<Outcome>>> callers = IntStream.range(0, 8)
                .mapToObj(caller -> new FutureTask<>(() -> Stream.generate(() -> jobs.submit(jobs.job()))
                        .limit(20)
                        .map(Scheduled::outcome)
                        .toList()))
                .toList();
        losing.commitsToLose.set(10);

        callers.forEach(caller -> new Thread(caller).start());

        for (FutureTask<List<Outcome>> caller : callers) {
            assertThat(caller.get()).containsOnly(Outcome.CREATED);
        }
        assertThat(losing.commitsToLose).hasValue(0);
        assertThat(jobs.handedOver).hasSize(160);
        assertThat(store.find(JobQuery.all().limit(200), JobMaker.NOW)).hasSize(161);
    }

    /** It may be under way still: a second one would find the first one's row, or write it twice. */
    @Test
    void submit_whoseJobsAreNotFoundAfterwardsIsNotRepeated() {
        NewJob job = jobs.job();
        losing.commitsToDrop.set(1);

        assertUnknown(() -> store.submit(List.of(job), jobs.sink));

        assertThat(store.find(job.id())).isEmpty();
        assertThat(jobs.handedOver).isEmpty();
    }

    /** Without a history nothing is left to be found of a job that has run. */
    @Test
    void submit_whoseJobHasRunBeforeItIsLookedForIsNotWrittenTwice() {
        NewJob job = jobs.job();
        losing.commitsToLose.set(1);
        losing.afterLostCommit = () -> {
            Job running = jobs.claim(List.of(job.toDueRow())).get(0);
            assertThat(store.complete(List.of(jobs.finishing(running, false))))
                    .containsExactly(CompletionResult.ACCEPTED);
        };

        assertUnknown(() -> store.submit(List.of(job), jobs.sink));

        assertThat(store.find(job.id())).isEmpty();
    }

    @Test
    void submit_givesUpWhenNothingCanBeLookedFor() {
        NewJob job = jobs.job();
        losing.commitsToLose.set(1);
        losing.afterLostCommit = () -> losing.statementsToRefuse.set(100);

        assertUnknown(() -> store.submit(List.of(job), jobs.sink));

        losing.statementsToRefuse.set(0);
        assertThat(store.find(job.id())).isPresent();
        assertThat(jobs.handedOver).isEmpty();
    }

    @Test
    void submit_inTheCallersTransactionIsNotRepeated() {
        losing.statementsToRefuse.set(1);

        assertTransient(() -> new TransactionTemplate(manager).executeWithoutResult(status -> jobs.submit(jobs.job())));

        assertThat(losing.statementsToRefuse).hasValue(0);
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).hasSize(1);
    }

    @Test
    void claim_whoseCommitIsNotHeardBackFromIsReleased() {
        NewJob job = jobs.job();
        jobs.submit(job);
        long claimToken = jobs.token();
        losing.commitsToLose.set(1);

        assertTransient(() -> store.claim(List.of(job.toDueRow()), JobMaker.WORKER, claimToken, JobMaker.NOW));
        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.RUNNING);
        store.release(List.of(job.toDueRow()), claimToken, jobs.token(), JobMaker.NOW);

        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void complete_whoseCommitIsNotHeardBackFromIsAcceptedAgain() {
        NewJob job = jobs.job();
        jobs.submit(job);
        Job running = jobs.claim(List.of(job.toDueRow())).get(0);
        Completion end = jobs.finishing(running);
        losing.commitsToLose.set(1);

        assertTransient(() -> store.complete(List.of(end)));

        assertThat(store.complete(List.of(end))).containsExactly(CompletionResult.ACCEPTED);
    }

    @Test
    void handlerTransaction_whoseCommitIsNotHeardBackFromIsKnownByItsToken() {
        NewJob job = jobs.job();
        jobs.submit(job);
        Job running = jobs.claim(List.of(job.toDueRow())).get(0);
        Completion end = jobs.finishing(running);
        losing.commitsToLose.set(1);

        assertThatThrownBy(() -> store.handlerTransactions().complete(() -> () -> end, null))
                .isNotNull();

        assertThat(store.complete(List.of(jobs.retrying(running)))).containsExactly(CompletionResult.SUPERSEDED);
        assertThat(store.complete(List.of(end))).containsExactly(CompletionResult.ACCEPTED);
    }

    @Test
    void handlerTransaction_whoseCommitDidNotArriveLeavesTheRowToItsFailure() {
        NewJob job = jobs.job();
        jobs.submit(job);
        Job running = jobs.claim(List.of(job.toDueRow())).get(0);
        losing.commitsToDrop.set(1);

        assertThatThrownBy(() -> store.handlerTransactions().complete(() -> () -> jobs.finishing(running), null))
                .isNotNull();

        assertThat(store.complete(List.of(jobs.retrying(running)))).containsExactly(CompletionResult.ACCEPTED);
        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void heartbeat_findsAnotherConnectionWhenItsOwnBreaks() {
        InstanceStore instances = store.instances();
        long number = instances.register("instance-1", Set.of("default"), Set.of());
        int opened = losing.opened.get();
        instances.beat(number, false, null);
        assertThat(losing.opened).as("connections, one is kept").hasValue(opened);

        losing.statementsToRefuse.set(1);

        assertThat(instances.beat(number, false, null)).isPresent();
        assertThat(losing.opened).hasValue(opened + 1);
        assertThat(instances.list().get(0).beats()).isEqualTo(2);
    }

    @Test
    void heartbeat_saysWhenTheDatabaseIsAway() {
        InstanceStore instances = store.instances();
        long number = instances.register("instance-1", Set.of("default"), Set.of());
        losing.statementsToRefuse.set(2);

        assertTransient(() -> instances.beat(number, false, null));

        assertThat(instances.beat(number, false, null)).as("back again").isPresent();
    }
}
