package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks that only one unfinished job has a given name and key. */
interface KeyContract extends GivenStore {

    Instant LATER = StoreScenario.NOW.plusSeconds(3_600);

    @Test
    default void sameKey_underAnotherNameIsAnotherJob() {
        given().submit(given().job().name("send-mail").key("42"));

        assertThat(given().submit(given().job().name("send-sms").key("42")).outcome())
                .isEqualTo(Outcome.CREATED);
    }

    @Test
    default void noKey_limitsNothing() {
        assertThat(given().submit(given().jobs(3)))
                .extracting(Scheduled::outcome)
                .containsOnly(Outcome.CREATED);
    }

    @Test
    default void keep_leavesTheWaitingJobAsItIs() {
        Job existing = given().waiting(given().job().key("42").payload("{\"n\":1}"));
        given().forgetHandedOver();

        Scheduled result =
                given().submit(given().job().key("42").payload("{\"n\":2}").at(LATER));

        assertThat(result).isEqualTo(new Scheduled(existing.id(), Outcome.KEPT, JobState.DELAYED));
        assertThat(given().find(existing.id())).isEqualTo(existing);
        assertThat(given().handedOver()).isEmpty();
    }

    @Test
    default void keep_answersThatTheKeptJobIsRunning() {
        Job running = given().running(given().job().key("42"));

        Scheduled result = given().submit(given().job().key("42"));

        assertThat(result).isEqualTo(new Scheduled(running.id(), Outcome.KEPT, JobState.RUNNING));
        assertThat(given().find(running.id())).isEqualTo(running);
    }

    @Test
    default void replace_givesTheWaitingJobAllThatIsNewAndKeepsIdAndAttempt() {
        Job first = given().running(given().job().key("42").payload("{\"n\":1}").schedule("gaps:PT1S,PT5S"));
        given().complete(given().completing(first).nextRun());
        Job second = given().claim(given().find(first.id()));
        given().complete(given().completing(second).retryAt(StoreScenario.NOW));
        JobDraft draft = given().job()
                .key("42", OnExisting.REPLACE)
                .payload("{\"n\":2}")
                .retry("delays:PT10S")
                .at(LATER)
                .due(LATER.plusMillis(3));

        Scheduled result = given().submit(draft);

        assertThat(result).isEqualTo(new Scheduled(first.id(), Outcome.REPLACED, JobState.DELAYED));
        Job replaced = given().find(first.id());
        assertThat(replaced.payload()).isEqualTo("{\"n\":2}");
        assertThat(replaced.schedule()).isNull();
        assertThat(replaced.retry()).isEqualTo("delays:PT10S");
        assertThat(replaced.plannedAt()).isEqualTo(LATER);
        assertThat(replaced.dueAt()).isEqualTo(LATER.plusMillis(3));
        assertThat(replaced.run()).isEqualTo(1);
        assertThat(replaced.failures()).isZero();
        assertThat(replaced.attempt())
                .as("runs are counted from the start, so (run, attempt) would repeat if attempts were as well")
                .isEqualTo(second.attempt())
                .isEqualTo(2);
        assertThat(replaced.token()).isEqualTo(draft.toNewJob().token());
    }

    @Test
    default void replace_movesTheJobToTheQueueAndPartitionOfTheCall() {
        movesToTheQueueAndPartitionOfTheCall(OnExisting.REPLACE);
    }

    @Test
    default void postpone_movesTheJobToTheQueueAndPartitionOfTheCall() {
        movesToTheQueueAndPartitionOfTheCall(OnExisting.POSTPONE);
    }

    private void movesToTheQueueAndPartitionOfTheCall(OnExisting onExisting) {
        Job existing = given().waiting(given().job().key("42"));
        NewJob draft = given().job()
                .key("42", onExisting)
                .in(new Partition("reports", 3))
                .at(LATER)
                .toNewJob();
        Partition elsewhere = draft.partition();
        given().forgetHandedOver();

        given().store().submit(List.of(draft), given().sink());

        Job moved = given().find(existing.id());
        assertThat(moved.partition()).isEqualTo(elsewhere);
        assertThat(given().waitingRows(elsewhere)).containsExactly(moved.toDueRow());
        assertThat(given().waitingRows(existing.partition())).isEmpty();
        assertThat(given().store().partitionsInUse()).containsOnlyKeys(elsewhere);
        assertThat(given().handedOver()).containsExactly(moved.toDueRow());
    }

    @Test
    default void replace_handsOverTheExistingJobWithItsNewToken() {
        Job existing = given().waiting(given().job().key("42"));
        given().forgetHandedOver();

        given().submit(given().job().key("42", OnExisting.REPLACE).at(LATER));

        assertThat(given().handedOver())
                .containsExactly(given().find(existing.id()).toDueRow());
        assertThat(given().store()
                        .claim(List.of(existing.toDueRow()), given().worker(), given().token(), StoreScenario.NOW))
                .as("a claim with the former token")
                .isEmpty();
    }

    @Test
    default void replace_writesNoSecondJob() {
        given().submit(given().job().key("42"));
        given().submit(given().job().key("42", OnExisting.REPLACE));

        assertThat(given().store().find(JobQuery.all(), StoreScenario.NOW)).hasSize(1);
    }

    @Test
    default void postpone_changesDueTimeAndPlannedTimeOnly() {
        Job existing =
                given().waiting(given().job().key("42").payload("{\"n\":1}").schedule("gaps:PT1S*"));
        given().forgetHandedOver();
        JobDraft draft = given().job()
                .key("42", OnExisting.POSTPONE)
                .payload("{\"n\":2}")
                .at(LATER)
                .due(LATER.plusMillis(17));

        Scheduled result = given().submit(draft);

        assertThat(result).isEqualTo(new Scheduled(existing.id(), Outcome.POSTPONED, JobState.DELAYED));
        Job postponed = given().find(existing.id());
        assertThat(postponed.dueAt()).isEqualTo(LATER.plusMillis(17));
        assertThat(postponed.plannedAt()).isEqualTo(LATER);
        assertThat(postponed)
                .usingRecursiveComparison()
                .ignoringFields("plan.dueAt", "plan.plannedAt", "progress.token")
                .isEqualTo(existing);
        assertThat(postponed.token()).isEqualTo(draft.toNewJob().token());
        assertThat(given().handedOver()).containsExactly(postponed.toDueRow());
    }

    @Test
    default void postpone_betweenRetriesLeavesThePlan() {
        Job running = given().running(given().job().key("42"));
        given().complete(given().completing(running).retryAt(StoreScenario.NOW.plusSeconds(10)));

        given().submit(given().job().key("42", OnExisting.POSTPONE).at(LATER));

        Job postponed = given().find(running.id());
        assertThat(postponed.dueAt()).isEqualTo(LATER);
        assertThat(postponed.plannedAt()).isEqualTo(running.plannedAt());
        assertThat(postponed.failures()).isEqualTo(1);
    }

    @Test
    default void runningJob_losesItsKeyToTheOneThatReplacesIt() {
        assertThatKeyIsTakenOver(OnExisting.REPLACE);
    }

    @Test
    default void runningJob_losesItsKeyToTheOneThatPostponesIt() {
        assertThatKeyIsTakenOver(OnExisting.POSTPONE);
    }

    private void assertThatKeyIsTakenOver(OnExisting onExisting) {
        Job running = given().running(given().job().key("42").schedule("gaps:PT1S*"));
        given().forgetHandedOver();
        JobDraft draft = given().job().key("42", onExisting).at(LATER);

        Scheduled result = given().submit(draft);

        assertThat(result).isEqualTo(new Scheduled(draft.toNewJob().id(), Outcome.CREATED, JobState.DELAYED));
        assertThat(given().find(result.id()).key()).isEqualTo("42");
        assertThat(given().find(running.id()).key()).isNull();
        assertThat(given().handedOver()).containsExactly(draft.toNewJob().toDueRow());
        assertThat(given().store().instances().look(given().worker()).cancelRequested())
                .as("notices to the instance of the running attempt")
                .isEmpty();
    }

    @Test
    default void runningJob_thatLostItsKeyMayEndButGetsNoFurtherAttempt() {
        Job first = given().running(given().job().key("1"));
        Job second = given().running(given().job().key("2"));
        given().submit(given().job().key("1", OnExisting.REPLACE));
        given().submit(given().job().key("2", OnExisting.POSTPONE));

        assertThat(given().complete(given().completing(first).retryAt(LATER)))
                .isEqualTo(CompletionResult.ACCEPTED_CANCELLED);
        assertThat(given().complete(given().completing(second))).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(given().find(first.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(second.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    default void runningJob_thatLostItsKeyIsNotFoundByIt() {
        Job running = given().running(given().job().key("42"));
        Scheduled taken = given().submit(given().job().key("42", OnExisting.REPLACE));

        assertThat(given().store().cancel(JobDraft.NAME, "42", StoreScenario.NOW))
                .isEqualTo(CancelResult.CANCELLED);
        assertThat(given().find(taken.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(running.id()).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void fail_refusesAKeyInUse() {
        Job existing = given().waiting(given().job().key("42"));

        assertThatThrownBy(() ->
                        given().submit(given().job().key("42", OnExisting.FAIL).at(LATER)))
                .isInstanceOf(JobExistsException.class)
                .hasMessageContaining("42");
        assertThat(given().find(existing.id())).isEqualTo(existing);
    }

    @Test
    default void fail_refusesAKeyOfARunningJob() {
        Job running = given().running(given().job().key("42"));

        assertThatThrownBy(() -> given().submit(given().job().key("42", OnExisting.FAIL)))
                .isInstanceOf(JobExistsException.class);
        assertThat(given().find(running.id())).isEqualTo(running);
    }

    @Test
    default void fail_writesNothingOfTheBatch() {
        Job existing = given().waiting(given().job().key("3"));
        given().forgetHandedOver();
        List<JobDraft> batch = List.of(
                given().job(),
                given().job().key("2", OnExisting.FAIL),
                given().job().key("3", OnExisting.FAIL),
                given().job().key("4", OnExisting.FAIL));

        assertThatThrownBy(() -> given().submit(batch)).isInstanceOf(JobExistsException.class);

        assertThat(given().store().find(JobQuery.all(), StoreScenario.NOW)).containsExactly(existing);
        assertThat(given().handedOver()).isEmpty();
    }

    @Test
    default void fail_refusesABatchThatHoldsAKeyTwice() {
        List<JobDraft> batch =
                List.of(given().job().key("1", OnExisting.FAIL), given().job().key("1", OnExisting.FAIL));

        assertThatThrownBy(() -> given().submit(batch)).isInstanceOf(JobExistsException.class);

        assertThat(given().store().find(JobQuery.all(), StoreScenario.NOW)).isEmpty();
    }

    @Test
    default void batch_thatHoldsAKeyTwiceIsWrittenAsIfOneAfterTheOther() {
        List<Scheduled> kept = given().submit(List.of(
                given().job().key("keep").payload("{\"n\":1}"),
                given().job().key("keep").payload("{\"n\":2}")));
        List<Scheduled> replaced = given().submit(List.of(
                given().job().key("replace", OnExisting.REPLACE).payload("{\"n\":1}"),
                given().job().key("replace", OnExisting.REPLACE).payload("{\"n\":2}")));
        List<Scheduled> postponed = given().submit(List.of(
                given().job().key("postpone", OnExisting.POSTPONE).payload("{\"n\":1}"),
                given().job()
                        .key("postpone", OnExisting.POSTPONE)
                        .payload("{\"n\":2}")
                        .at(LATER)));

        assertThat(kept).extracting(Scheduled::outcome).containsExactly(Outcome.CREATED, Outcome.KEPT);
        assertThat(replaced).extracting(Scheduled::outcome).containsExactly(Outcome.CREATED, Outcome.REPLACED);
        assertThat(postponed).extracting(Scheduled::outcome).containsExactly(Outcome.CREATED, Outcome.POSTPONED);
        assertThat(List.of(kept, replaced, postponed))
                .allSatisfy(pair ->
                        assertThat(pair.get(1).id()).isEqualTo(pair.get(0).id()));
        assertThat(given().find(kept.get(0).id()).payload()).isEqualTo("{\"n\":1}");
        assertThat(given().find(replaced.get(0).id()).payload()).isEqualTo("{\"n\":2}");
        assertThat(given().find(postponed.get(0).id()).payload()).isEqualTo("{\"n\":1}");
        assertThat(given().find(postponed.get(0).id()).dueAt()).isEqualTo(LATER);
    }

    @Test
    default void batch_thatHoldsAKeyTwiceHandsEachRowOverOnce() {
        given().submit(List.of(
                given().job().key("1", OnExisting.REPLACE),
                given().job(),
                given().job().key("1", OnExisting.REPLACE).at(LATER)));

        assertThat(given().handedOver())
                .as("each row once, as it was committed")
                .containsExactlyInAnyOrderElementsOf(given().waitingRows());
    }

    @Test
    default void batch_mixesTakenAndFreeKeys() {
        Job taken = given().waiting(given().job().key("2"));

        List<Scheduled> results = given().submit(List.of(
                given().job().key("1"), given().job().key("2"), given().job().key("3"), given().job()));

        assertThat(results)
                .extracting(Scheduled::outcome)
                .containsExactly(Outcome.CREATED, Outcome.KEPT, Outcome.CREATED, Outcome.CREATED);
        assertThat(results.get(1).id()).isEqualTo(taken.id());
    }

    @Test
    default void key_isFreeAgainOnceTheJobHasEnded() {
        given().finished(given().job().key("finished"));
        given().failed(given().job().key("failed"));
        Job waiting = given().waiting(given().job().key("cancelled"));
        given().store().cancel(waiting.id(), StoreScenario.NOW);

        for (String key : List.of("finished", "failed", "cancelled")) {
            assertThat(given().submit(given().job().key(key, OnExisting.FAIL)).outcome())
                    .as(key)
                    .isEqualTo(Outcome.CREATED);
        }
    }

    @Test
    default void key_staysWithTheJobAcrossRetriesAndRuns() {
        Job running = given().running(given().job().key("42"));
        given().complete(given().completing(running).retryAt(StoreScenario.NOW));
        assertThat(given().submit(given().job().key("42")).id()).isEqualTo(running.id());

        Job again = given().claim(given().find(running.id()));
        given().complete(given().completing(again).nextRun());
        assertThat(given().submit(given().job().key("42")).id()).isEqualTo(running.id());
    }

    @Test
    default void key_isTakenOnceByThreadsThatSubmitItAtTheSameTime() throws Exception {
        int threads = 4;
        int keys = 25;
        CountDownLatch start = new CountDownLatch(1);
        List<List<JobDraft>> drafts = IntStream.range(0, threads)
                .mapToObj(t -> IntStream.range(0, keys)
                        .mapToObj(k -> given().job().key("key-" + k))
                        .toList())
                .toList();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<List<Scheduled>>> answers = drafts.stream()
                    .map(mine -> executor.submit(() -> {
                        start.await();
                        return mine.stream().map(draft -> given().submit(draft)).toList();
                    }))
                    .toList();
            start.countDown();
            int created = 0;
            for (Future<List<Scheduled>> answer : answers) {
                created += (int) answer.get().stream()
                        .filter(result -> result.outcome() == Outcome.CREATED)
                        .count();
            }
            assertThat(created).isEqualTo(keys);
        } finally {
            executor.shutdownNow();
        }
        assertThat(given().waitingRows()).hasSize(keys);
    }
}
