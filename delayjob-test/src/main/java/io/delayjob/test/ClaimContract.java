package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks that an instance gets a job only if the job's row still has the expected token. */
interface ClaimContract extends GivenStore {

    @Test
    default void claim_setsTheRowRunningAndAnswersItWithItsPayload() {
        Job waiting = given().waiting(given().job().key("42").payload("{\"orderId\":42}"));
        long token = given().token();
        Instant now = StoreScenario.NOW.plusMillis(5);

        List<Job> claimed = given().store().claim(List.of(waiting.toDueRow()), given().worker(), token, now);

        assertThat(claimed).singleElement().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.RUNNING);
            assertThat(job.owner()).isEqualTo(given().worker());
            assertThat(job.token()).isEqualTo(token);
            assertThat(job.attempt()).isEqualTo(1);
            assertThat(job.startedAt()).isEqualTo(now);
            assertThat(job)
                    .usingRecursiveComparison()
                    .ignoringFields(
                            "progress.state",
                            "progress.owner",
                            "progress.token",
                            "progress.counts.attempt",
                            "progress.startedAt")
                    .isEqualTo(waiting);
        });
        assertThat(given().find(waiting.id())).isEqualTo(claimed.get(0));
    }

    @Test
    default void claim_aheadOfItsTimeCountsAsStartedAtThatTime() {
        Instant now = StoreScenario.NOW.plusMillis(5);
        Job alone = given().waiting(given().job().due(now.plusMillis(20)));
        Job due = given().waiting(given().job().due(now.minusMillis(1)));
        Job coming = given().waiting(given().job().due(now.plusMillis(1)));

        assertThat(startedAt(List.of(alone), now)).containsOnly(entry(alone.id(), alone.dueAt()));
        assertThat(startedAt(List.of(due, coming), now))
                .containsOnly(entry(due.id(), now), entry(coming.id(), coming.dueAt()));
    }

    private Map<JobId, Instant> startedAt(List<Job> waiting, Instant now) {
        List<DueRow> rows = waiting.stream().map(Job::toDueRow).toList();
        List<Job> claimed = given().store().claim(rows, given().worker(), given().token(), now);
        assertThat(claimed).allSatisfy(job -> assertThat(given().find(job.id())).isEqualTo(job));
        return claimed.stream().collect(Collectors.toMap(Job::id, Job::startedAt));
    }

    @Test
    default void claim_takesARowOnce() {
        Job waiting = given().waiting(given().job());
        Job first = given().claim(waiting);

        List<Job> second = given().store()
                .claim(List.of(waiting.toDueRow()), given().worker(), given().token(), StoreScenario.NOW);

        assertThat(second).isEmpty();
        assertThat(given().find(waiting.id())).isEqualTo(first);
    }

    @Test
    default void claim_leavesARowThatHasAnotherTokenByNow() {
        Job waiting = given().waiting(given().job());
        given().store().reschedule(waiting.id(), StoreScenario.NOW.plusSeconds(60), given().token(), given().sink());
        Job moved = given().find(waiting.id());

        List<Job> claimed = given().store()
                .claim(List.of(waiting.toDueRow()), given().worker(), given().token(), StoreScenario.NOW);

        assertThat(claimed).isEmpty();
        assertThat(given().find(waiting.id())).isEqualTo(moved);
    }

    @Test
    default void claim_leavesARunningRowEvenForOneWhoKnowsItsToken() {
        Job running = given().running(given().job());
        DueRow row = running.toDueRow();

        assertThat(given().store().claim(List.of(row), given().worker(), given().token(), StoreScenario.NOW))
                .isEmpty();
        assertThat(given().find(running.id())).isEqualTo(running);
    }

    @Test
    default void claim_passesOverRowsThatAreGone() {
        Job cancelled = given().waiting(given().job());
        Job waiting = given().waiting(given().job());
        given().store().cancel(cancelled.id(), StoreScenario.NOW);
        DueRow neverThere = given().job().toNewJob().toDueRow();

        List<Job> claimed = given().store()
                .claim(
                        List.of(cancelled.toDueRow(), neverThere, waiting.toDueRow()),
                        given().worker(),
                        given().token(),
                        StoreScenario.NOW);

        assertThat(claimed).extracting(Job::id).containsExactly(waiting.id());
        assertThat(given().find(cancelled.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void claim_matchesEachTokenWithItsOwnRowOnly() {
        Job first = given().waiting(given().job());
        Job second = given().waiting(given().job());
        DueRow mixedUp = new DueRow(first.id(), first.partition(), first.name(), 0, second.token(), null);

        assertThat(given().store().claim(List.of(mixedUp), given().worker(), given().token(), StoreScenario.NOW))
                .isEmpty();
    }

    @Test
    default void claim_takesRowsInAnyOrderAndAnswersEachAsItIsStored() {
        List<Job> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(given().waiting(given().job()));
            Job retried = given().running(given().job());
            given().complete(given().completing(retried).retryAt(StoreScenario.NOW));
            waiting.add(given().find(retried.id()));
            Job repeated = given().running(given().job().schedule("gaps:PT1H*"));
            given().complete(given().completing(repeated).nextRun());
            waiting.add(given().find(repeated.id()));
        }
        Collections.shuffle(waiting, new Random(7));
        List<DueRow> rows = waiting.stream().map(Job::toDueRow).toList();

        List<Job> claimed = given().store().claim(rows, given().worker(), given().token(), StoreScenario.NOW);

        assertThat(claimed)
                .hasSize(30)
                .allSatisfy(job -> assertThat(given().find(job.id())).isEqualTo(job));
    }

    @Test
    default void claim_ofNothingAnswersNothing() {
        assertThat(given().store().claim(List.of(), given().worker(), given().token(), StoreScenario.NOW))
                .isEmpty();
    }

    @Test
    default void claim_countsTheAttemptsOfARun() {
        Job first = given().running(given().job());
        given().complete(given().completing(first).retryAt(StoreScenario.NOW));

        assertThat(given().claim(given().find(first.id())).attempt()).isEqualTo(2);
    }

    @Test
    default void claim_takesAFewThousandRowsAtOnce() {
        List<DueRow> rows = given().submit(given().jobs(3_000)).isEmpty() ? List.of() : given().handedOver();

        List<Job> claimed = given().store().claim(rows, given().worker(), given().token(), StoreScenario.NOW);

        assertThat(claimed).extracting(Job::id).doesNotHaveDuplicates().hasSize(3_000);
        assertThat(given().waitingRows(JobDraft.PARTITION)).isEmpty();
    }

    @Test
    default void claim_givesEachOfAThousandRowsToOneOfFourThreads() throws Exception {
        given().submit(given().jobs(1_000));
        List<DueRow> rows = given().handedOver();
        int threads = 4;
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<JobId> claimed = new ArrayList<>();
        try {
            List<Future<List<JobId>>> answers = IntStream.range(0, threads)
                    .mapToObj(thread -> executor.submit(() -> {
                        start.await();
                        return claimInBatches(rows, new Random(thread));
                    }))
                    .toList();
            start.countDown();
            for (Future<List<JobId>> answer : answers) {
                claimed.addAll(answer.get());
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(claimed).doesNotHaveDuplicates();
        // Another thread's claim may have locked a row. The engine claims such a row again later.
        claimed.addAll(claimInBatches(rows, new Random(threads)));
        assertThat(claimed).doesNotHaveDuplicates().hasSize(1_000);
    }

    private List<JobId> claimInBatches(List<DueRow> rows, Random random) {
        List<DueRow> shuffled = new ArrayList<>(rows);
        Collections.shuffle(shuffled, random);
        List<JobId> mine = new ArrayList<>();
        for (int from = 0; from < shuffled.size(); from += 50) {
            List<DueRow> batch = shuffled.subList(from, from + 50);
            long token = random.nextLong();
            Set<JobId> asked = new HashSet<>(batch.stream().map(DueRow::id).toList());
            for (Job job : given().store().claim(batch, given().worker(), token, StoreScenario.NOW)) {
                assertThat(asked).contains(job.id());
                assertThat(job.token()).isEqualTo(token);
                mine.add(job.id());
            }
        }
        return mine;
    }
}
