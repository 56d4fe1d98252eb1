package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Many at once: the database decides, and nobody waits for whom he need not wait for. */
@Timeout(120)
abstract class ConcurrencyContract extends StoreContract {

    private <T> List<T> atOnce(int count, Callable<T> task) throws Exception {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(() -> {
                start.await();
                return task.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> each : running) {
            results.add(each.get());
        }
        return results;
    }

    @ParameterizedTest
    @EnumSource(names = "FAIL", mode = EnumSource.Mode.EXCLUDE)
    void oneKey_isCreatedOnceByManyWhoWantIt(OnExisting onExisting) throws Exception {
        List<Scheduled> results = atOnce(64, () -> jobs.submit(jobs.job("42", onExisting)));

        assertThat(results).extracting(Scheduled::outcome).containsOnlyOnce(Outcome.CREATED);
        assertThat(results)
                .extracting(Scheduled::id)
                .containsOnly(results.get(0).id());
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).hasSize(1);
    }

    @Test
    void batchesThatShareKeysInAnyOrder_doNotHoldEachOtherUp() throws Exception {
        List<List<Scheduled>> results = atOnce(8, () -> {
            List<NewJob> batch = new ArrayList<>(IntStream.range(0, 50)
                    .mapToObj(i -> jobs.job("key-" + i, OnExisting.REPLACE))
                    .toList());
            Collections.shuffle(batch, new Random(jobs.token()));
            return store.submit(batch, jobs.sink);
        });

        assertThat(results.stream().flatMap(List::stream).filter(result -> result.outcome() == Outcome.CREATED))
                .hasSize(50);
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).hasSize(50);
    }

    @Test
    void jobThatManyMoveToAnotherKeyAtOnce_isThereOnce() throws Exception {
        JobId former = jobs.submit(jobs.job("former", OnExisting.KEEP)).id();

        List<Scheduled> moved = atOnce(
                8,
                () -> new TransactionTemplate(manager).execute(status -> {
                    Scheduled present = jobs.submit(jobs.job("present", OnExisting.KEEP));
                    store.withdraw(former, JobMaker.NOW);
                    return present;
                }));

        assertThat(moved).extracting(Scheduled::outcome).containsOnlyOnce(Outcome.CREATED);
        assertThat(moved).extracting(Scheduled::id).containsOnly(moved.get(0).id());
        assertThat(store.find(JobMaker.NAME, "former")).isEmpty();
        assertThat(store.find(former).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void keyOfAnOpenTransaction_isWaitedFor() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        NewJob first = jobs.job("42", OnExisting.KEEP);
        Future<?> open = threads.submit(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            jobs.submit(first);
            written.countDown();
            await(goOn);
            status.setRollbackOnly();
        }));
        written.await();

        Future<Scheduled> second = threads.submit(() -> jobs.submit(jobs.job("42", OnExisting.KEEP)));
        goOn.countDown();
        open.get();

        assertThat(second.get().outcome()).isEqualTo(Outcome.CREATED);
        assertThat(store.find(first.id())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "FAIL", mode = EnumSource.Mode.EXCLUDE)
    void waitingJobOfATakenKey_isHeldUntilTheCommitUnlessItIsKept(OnExisting onExisting) throws Exception {
        jobs.submit(jobs.job("42", OnExisting.KEEP));
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<?> open = threads.submit(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            jobs.submit(jobs.job("42", onExisting));
            taken.countDown();
            await(goOn);
        }));
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();

        List<Job> claimed = jobs.claim(jobs.handedOver);
        goOn.countDown();
        open.get();

        assertThat(claimed).hasSize(onExisting == OnExisting.KEEP ? 1 : 0);
    }

    @Test
    void sameRows_areClaimedOnceByManyWhoClaimThem() throws Exception {
        List<DueRow> rows = submitted(400);

        List<List<Job>> claimed = atOnce(4, () -> {
            List<Job> mine = new ArrayList<>();
            for (int from = 0; from < rows.size(); from += 50) {
                mine.addAll(jobs.claim(rows.subList(from, from + 50)));
            }
            return mine;
        });
        // What was locked by a rival at that moment is simply offered again.
        claimed.add(jobs.claim(rows));

        List<JobId> ids = claimed.stream().flatMap(List::stream).map(Job::id).toList();
        assertThat(ids).doesNotHaveDuplicates().hasSize(400);
        assertThat(claimed.stream().flatMap(List::stream))
                .allSatisfy(job -> assertThat(job.attempt()).isEqualTo(1));
    }

    @Test
    void claim_skipsRowsThatATransactionHolds() throws Exception {
        List<DueRow> rows = submitted(10);
        JobId held = rows.get(4).id();
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<?> open = threads.submit(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            assertThat(store.cancel(held, JobMaker.NOW)).isEqualTo(CancelResult.CANCELLED);
            cancelled.countDown();
            await(goOn);
            status.setRollbackOnly();
        }));
        cancelled.await();

        List<Job> claimed = jobs.claim(rows);
        goOn.countDown();
        open.get();

        assertThat(claimed).extracting(Job::id).doesNotContain(held).hasSize(9);
        assertThat(jobs.claim(rows)).extracting(Job::id).containsExactly(held);
    }

    @Test
    void rescue_skipsRowsThatATransactionHolds() throws Exception {
        List<Job> running = jobs.claim(submitted(3));
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<?> open = threads.submit(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            store.cancel(running.get(0).id(), JobMaker.NOW);
            cancelled.countDown();
            await(goOn);
        }));
        cancelled.await();

        List<DueRow> rescued = store.rescue(jobs.lost(), JobMaker.NOW, jobs.token());
        goOn.countDown();
        open.get();

        assertThat(rescued).hasSize(2);
        assertThat(store.rescue(jobs.lost(), JobMaker.NOW, jobs.token())).isEmpty();
        assertThat(store.find(running.get(0).id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void completion_skipsRowsThatATransactionHolds() throws Exception {
        List<Job> running = jobs.claim(submitted(6));
        List<Completion> ends = List.of(
                jobs.finishing(running.get(0)),
                jobs.finishing(running.get(1)),
                jobs.retrying(running.get(2)),
                jobs.retrying(running.get(3)),
                jobs.retrying(running.get(4)),
                jobs.finishing(running.get(5)));
        store.cancel(running.get(4).id(), JobMaker.NOW);
        Future<?> open;
        CountDownLatch goOn = new CountDownLatch(1);
        try {
            open = holding(goOn, running.get(0), running.get(2), running.get(4));

            assertThat(store.complete(ends))
                    .containsExactly(
                            CompletionResult.LOCKED,
                            CompletionResult.ACCEPTED,
                            CompletionResult.LOCKED,
                            CompletionResult.ACCEPTED,
                            CompletionResult.LOCKED,
                            CompletionResult.ACCEPTED);
            assertThat(store.find(running.get(0).id()).orElseThrow().state()).isEqualTo(JobState.RUNNING);
        } finally {
            goOn.countDown();
        }
        open.get();

        assertThat(store.complete(ends))
                .as("sent again, after cancellations were committed")
                .containsExactly(
                        CompletionResult.ACCEPTED,
                        CompletionResult.ACCEPTED,
                        CompletionResult.ACCEPTED_CANCELLED,
                        CompletionResult.ACCEPTED,
                        CompletionResult.ACCEPTED_CANCELLED,
                        CompletionResult.ACCEPTED);
    }

    @Test
    void release_skipsRowsThatATransactionHoldsAndSaysWhich() throws Exception {
        List<DueRow> rows = submitted(4);
        long claim = jobs.token();
        List<Job> running = store.claim(rows.subList(0, 3), JobMaker.WORKER, claim, JobMaker.NOW);
        Job held = running.get(1);
        Future<?> open;
        CountDownLatch goOn = new CountDownLatch(1);
        try {
            open = holding(goOn, held);

            assertThat(store.release(rows, claim, jobs.token(), JobMaker.NOW))
                    .extracting(DueRow::id)
                    .containsExactly(held.id());
            assertThat(store.find(rows.get(3).id()).orElseThrow().token())
                    .as("fenced against the claim that may come late")
                    .isNotEqualTo(rows.get(3).token());
        } finally {
            goOn.countDown();
        }
        open.get();

        assertThat(store.release(List.of(held.toDueRow()), claim, jobs.token(), JobMaker.NOW.plusSeconds(1)))
                .isEmpty();
        Job cancelled = store.find(held.id()).orElseThrow();
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.endedAt()).isEqualTo(JobMaker.NOW.plusSeconds(1));
    }

    @Test
    void doubtOfARowThatATransactionHolds_staysAndKeepsNobodyWaiting() throws Exception {
        List<Job> running = jobs.claim(submitted(2));
        store.rescue(jobs.lost(), JobMaker.NOW, jobs.token());
        List<JobId> ids = running.stream().map(Job::id).toList();
        Future<?> open;
        CountDownLatch goOn = new CountDownLatch(1);
        try {
            open = holding(goOn, running.get(0));

            assertThat(store.settleDoubt(ids)).containsExactly(ids.get(0));
        } finally {
            goOn.countDown();
        }
        open.get();

        assertThat(ids).extracting(id -> store.find(id).orElseThrow().inDoubt()).containsExactly(1, 0);
        assertThat(store.settleDoubt(List.of(ids.get(0)))).isEmpty();
        assertThat(store.find(ids.get(0)).orElseThrow().inDoubt()).isZero();
    }

    @Test
    void doubtOfTwoAttemptsOfAHeldRow_isReturnedTwice() throws Exception {
        Job running = jobs.claim(submitted(1)).get(0);
        store.rescue(jobs.lost(), JobMaker.NOW, jobs.token());
        List<JobId> ids = List.of(running.id(), jobs.job().id(), running.id());
        Future<?> open;
        CountDownLatch goOn = new CountDownLatch(1);
        try {
            open = holding(goOn, running);

            assertThat(store.settleDoubt(ids)).containsExactly(running.id(), running.id());
        } finally {
            goOn.countDown();
        }
        open.get();
    }

    @Test
    void doubtOfAnEndedJobThatATransactionRevives_staysAndKeepsNobodyWaiting() throws Exception {
        jobs.claim(submitted(2));
        List<DueRow> rescued = store.rescue(jobs.lost(), JobMaker.NOW, jobs.token());
        List<JobId> ids = jobs.claim(rescued).stream()
                .map(job -> {
                    store.complete(List.of(jobs.failing(job)));
                    return job.id();
                })
                .toList();
        CountDownLatch revived = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<?> open = threads.submit(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            store.retry(ids.get(0), JobMaker.NOW, jobs.token(), jobs.sink);
            revived.countDown();
            await(goOn);
        }));
        assertThat(revived.await(30, TimeUnit.SECONDS)).isTrue();
        try {
            assertThat(store.settleDoubt(ids)).containsExactly(ids.get(0));
        } finally {
            goOn.countDown();
        }
        open.get();

        assertThat(ids).extracting(id -> store.find(id).orElseThrow().inDoubt()).containsExactly(1, 0);
        assertThat(store.settleDoubt(List.of(ids.get(0)))).isEmpty();
        assertThat(store.find(ids.get(0)).orElseThrow().inDoubt()).isZero();
    }

    /** A transaction that cancels these jobs and stays open until it may go on. */
    private Future<?> holding(CountDownLatch goOn, Job... held) throws InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        Future<?> open = threads.submit(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            for (Job job : held) {
                store.cancel(job.id(), JobMaker.NOW);
            }
            cancelled.countDown();
            await(goOn);
        }));
        assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
        return open;
    }

    @Test
    void cancelOfRunningJobsOnceMore_keepsNoInstanceFromForgettingThem() throws Exception {
        List<Job> running = jobs.claim(submitted(3));
        List<JobId> ids = running.stream().map(Job::id).toList();
        ids.forEach(id -> store.cancel(id, JobMaker.NOW));
        Future<?> open;
        CountDownLatch goOn = new CountDownLatch(1);
        try {
            open = holding(goOn, running.toArray(Job[]::new));

            // Its next heartbeat waits for this, and whoever waits may be waited for in turn.
            threads.submit(() -> store.instances().forgetCancellations(JobMaker.WORKER, ids))
                    .get(5, TimeUnit.SECONDS);
        } finally {
            goOn.countDown();
        }
        open.get();

        assertThat(store.instances().look(JobMaker.WORKER).cancelRequested()).isEmpty();
    }

    @Test
    void cancelAndClaim_agreeOnWhoWasFirst() throws Exception {
        for (int i = 0; i < 50; i++) {
            List<DueRow> row = submitted(1);
            JobId id = row.get(0).id();
            Future<List<Job>> claiming = threads.submit(() -> jobs.claim(row));
            CancelResult cancelled = store.cancel(id, JobMaker.NOW);
            boolean claimed = !claiming.get().isEmpty();

            assertThat(cancelled).isEqualTo(claimed ? CancelResult.RUNNING : CancelResult.CANCELLED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLACE", "POSTPONE"})
    void cancelOfAKeyThatChangesHands_findsTheJobThatHasIt(OnExisting onExisting) throws Exception {
        for (int i = 0; i < 20; i++) {
            String key = onExisting + "-" + i;
            JobId first = jobs.submit(jobs.job(key, OnExisting.KEEP)).id();
            jobs.claim(List.of(jobs.handedOver.get(jobs.handedOver.size() - 1)));
            CountDownLatch changed = new CountDownLatch(1);
            CountDownLatch asked = new CountDownLatch(1);
            Future<JobId> taking = threads.submit(() -> new TransactionTemplate(manager).execute(status -> {
                JobId taker = jobs.submit(jobs.job(key, onExisting)).id();
                changed.countDown();
                await(asked);
                return taker;
            }));
            assertThat(changed.await(30, TimeUnit.SECONDS)).isTrue();
            Future<CancelResult> cancelling = threads.submit(() -> {
                asked.countDown();
                return store.cancel(JobMaker.NAME, key, JobMaker.NOW);
            });

            JobId second = Objects.requireNonNull(taking.get());
            assertThat(second).isNotEqualTo(first);
            assertThat(cancelling.get())
                    .as("there is an unfinished job of that key all the time")
                    .isEqualTo(CancelResult.CANCELLED);
            assertThat(store.find(second).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        }
    }

    @Test
    void completionAndCancel_neverLoseTheJob() throws Exception {
        for (int i = 0; i < 50; i++) {
            Job running = jobs.claim(submitted(1)).get(0);
            Future<CompletionResult> completing = threads.submit(() -> completeUnlocked(jobs.finishing(running)));
            CancelResult cancelled = store.cancel(running.id(), JobMaker.NOW);

            assertThat(completing.get()).isEqualTo(CompletionResult.ACCEPTED);
            assertThat(cancelled).isIn(CancelResult.RUNNING, CancelResult.ALREADY_ENDED);
            assertThat(store.find(running.id()).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        }
    }

    private CompletionResult completeUnlocked(Completion completion) {
        CompletionResult result = CompletionResult.LOCKED;
        while (result == CompletionResult.LOCKED) {
            result = store.complete(List.of(completion)).get(0);
        }
        return result;
    }

    @Test
    void completionAndReschedule_agreeOnWhoWasFirst() throws Exception {
        Instant later = JobMaker.NOW.plusSeconds(3_600);
        for (int i = 0; i < 50; i++) {
            Job running = jobs.claim(submitted(1)).get(0);
            Future<CompletionResult> completing = threads.submit(() -> completeUnlocked(jobs.retrying(running)));
            ChangeResult changed = store.reschedule(running.id(), later, jobs.token(), jobs.sink);

            assertThat(completing.get()).isEqualTo(CompletionResult.ACCEPTED);
            assertThat(changed).isIn(ChangeResult.RUNNING, ChangeResult.CHANGED);
            Job waiting = store.find(running.id()).orElseThrow();
            assertThat(waiting.state()).isEqualTo(JobState.DELAYED);
            assertThat(waiting.dueAt()).isEqualTo(changed == ChangeResult.CHANGED ? later : JobMaker.NOW);
            assertThat(waiting.failures()).isEqualTo(1);
        }
    }

    @Test
    void deadLetter_isRevivedOnceByManyWhoRetryIt() throws Exception {
        JobId id = failed();

        List<ChangeResult> results = atOnce(8, () -> store.retry(id, JobMaker.NOW, jobs.token(), jobs.sink));

        assertThat(results)
                .containsOnlyOnce(ChangeResult.CHANGED)
                .containsOnly(ChangeResult.CHANGED, ChangeResult.WAITING);
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).extracting(Job::id).containsExactly(id);
    }

    @Test
    void retryBehindAnotherOne_revivesNothingThatHasEndedSince() throws Exception {
        for (int i = 0; i < 20; i++) {
            JobId id = failed();
            CountDownLatch revived = new CountDownLatch(1);
            CountDownLatch asked = new CountDownLatch(1);
            Future<CancelResult> first = threads.submit(() -> new TransactionTemplate(manager).execute(status -> {
                store.retry(id, JobMaker.NOW, jobs.token(), jobs.sink);
                revived.countDown();
                await(asked);
                return store.cancel(id, JobMaker.NOW);
            }));
            assertThat(revived.await(30, TimeUnit.SECONDS)).isTrue();
            Future<ChangeResult> second = threads.submit(() -> {
                asked.countDown();
                return store.retry(id, JobMaker.NOW, jobs.token(), jobs.sink);
            });

            assertThat(first.get()).isEqualTo(CancelResult.CANCELLED);
            assertThat(second.get()).isEqualTo(ChangeResult.ALREADY_ENDED);
            assertThat(store.find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        }
    }

    private JobId failed() {
        Job job = jobs.claim(submitted(1)).get(0);
        store.complete(List.of(jobs.failing(job)));
        return job.id();
    }

    @Test
    void newQueue_getsOneNumberFromManyWhoEnterIt() throws Exception {
        List<Integer> numbers = atOnce(8, () -> {
            try (JdbcJobStore mine = JdbcJobStore.builder(pool, manager).build()) {
                mine.instances().register("instance-" + Thread.currentThread().getId(), Set.of("reports"), Set.of());
            }
            return 1;
        });

        assertThat(numbers).hasSize(8);
        assertThat(new JdbcTemplate(pool)
                        .queryForObject("SELECT COUNT(*) FROM delayjob_queue WHERE name = 'reports'", Integer.class))
                .isOne();
    }

    private List<DueRow> submitted(int count) {
        List<NewJob> batch = jobs.jobs(count);
        store.submit(batch, jobs.sink);
        return batch.stream().map(NewJob::toDueRow).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Nobody let the transaction go on.");
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
