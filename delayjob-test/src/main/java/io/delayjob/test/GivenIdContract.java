package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Checks that a job with an id from the caller is written only once. If the job has a key, the store may replace the
 * id. In this case, the store must replace the same id by the same new id each time. If the store cannot keep ids from
 * callers, it must refuse the call.
 */
interface GivenIdContract extends GivenStore {

    @Test
    default void submitOnce_isRefusedByAStoreThatMakesAllIds() {
        if (isAble()) {
            return;
        }

        assertThatThrownBy(() -> once(given().job().toNewJob()))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.isTransient()).isFalse());
        assertThat(allJobs()).isEmpty();
    }

    @Test
    default void submitOnce_ofANewIdWritesTheJob() {
        if (!isAble()) {
            return;
        }
        NewJob job = withId(UUID.fromString("f81d4fae-7dec-41d0-a765-00a0c91e6bf6"), given().job());

        Scheduled result = once(job);

        assertThat(result).isEqualTo(new Scheduled(job.id(), Outcome.CREATED, JobState.DELAYED));
        assertThat(given().find(job.id())).isEqualTo(job.toJob());
        assertThat(given().handedOver()).containsExactly(job.toDueRow());
    }

    @Test
    default void place_keepsAnIdThatTheCallerGives() {
        if (!isAble()) {
            return;
        }
        UUID id = UUID.fromString("f81d4fae-7dec-41d0-a765-00a0c91e6bf6");

        assertThat(withId(id, given().job()).id()).isEqualTo(new JobId(id));
    }

    @Test
    default void place_ofGivenIdsAndAKey_makesDifferentIdsOfDifferentIds() {
        if (!isAble()) {
            return;
        }
        UUID id = UUID.fromString("f81d4fae-7dec-41d0-a765-00a0c91e6bf6");
        Set<UUID> given = new HashSet<>(List.of(id));
        for (int bit = 0; bit < Long.SIZE; bit++) {
            given.add(new UUID(id.getMostSignificantBits() ^ 1L << bit, id.getLeastSignificantBits()));
            given.add(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ 1L << bit));
        }
        // Such ids come from callers that write a number into a UUID.
        for (long number = 0; number < 3_000; number++) {
            given.add(new UUID(number, 0));
            given.add(new UUID(0, number));
        }

        List<JobId> placed = given.stream()
                .map(each -> withId(each, given().job().key("42")).id())
                .toList();

        assertThat(placed)
                .doesNotHaveDuplicates()
                .isEqualTo(given.stream()
                        .map(each -> withId(each, given().job().key("42")).id())
                        .toList());
    }

    @Test
    default void submitOnce_withAKey_findsTheJobOfTheSameIdAndKeyAgain() {
        if (!isAble()) {
            return;
        }
        for (int i = 0; i < 40; i++) {
            UUID id = given().id().value();
            String key = "key-" + i;
            NewJob job = withId(id, given().job().key(key));

            assertThat(once(job)).isEqualTo(new Scheduled(job.id(), Outcome.CREATED, JobState.DELAYED));
            assertThat(given().store().find(JobDraft.NAME, key)).contains(job.toJob());
            assertThat(given().store().cancel(job.id(), StoreScenario.NOW)).isEqualTo(CancelResult.CANCELLED);
            assertThat(once(withId(id, given().job().key(key))))
                    .isEqualTo(new Scheduled(job.id(), Outcome.KEPT, JobState.CANCELLED));
        }
    }

    @Test
    default void submitOnce_keepsAWaitingJobWithTheSameIdWhateverItsContent() {
        if (!isAble()) {
            return;
        }
        Job waiting = given().waiting(given().job().payload("{\"n\":1}"));
        given().forgetHandedOver();

        Scheduled result =
                once(withId(waiting.id().value(), given().job().name("another").payload("{\"n\":2}")));

        assertThat(result).isEqualTo(new Scheduled(waiting.id(), Outcome.KEPT, JobState.DELAYED));
        assertThat(allJobs()).containsExactly(waiting);
        assertThat(given().handedOver()).isEmpty();
    }

    @Test
    default void submitOnce_keepsARunningJobWithTheSameId() {
        if (!isAble()) {
            return;
        }
        Job running = given().running(given().job());

        Scheduled result = once(withId(running.id().value(), given().job()));

        assertThat(result).isEqualTo(new Scheduled(running.id(), Outcome.KEPT, JobState.RUNNING));
        assertThat(allJobs()).containsExactly(running);
    }

    @Test
    default void submitOnce_keepsAJobThatAwaitsAnAnswerAndSaysSo() {
        if (!isAble()) {
            return;
        }
        Job parked = given().awaiting(given().job(), AwaitContract.DEADLINE);

        Scheduled result = once(withId(parked.id().value(), given().job()));

        assertThat(result).isEqualTo(new Scheduled(parked.id(), Outcome.KEPT, JobState.AWAITING));
    }

    @Test
    default void submitOnce_keepsAnEndedJobWithTheSameIdAndStartsItNoMore() {
        if (!isAble()) {
            return;
        }
        Job finished = given().finished(given().job().key("42"));
        Job failed = given().failed(given().job());
        Job cancelled = given().waiting(given().job());
        assertThat(given().store().cancel(cancelled.id(), StoreScenario.NOW)).isEqualTo(CancelResult.CANCELLED);
        given().forgetHandedOver();

        assertThat(once(withId(finished.id().value(), given().job().key("42"))))
                .isEqualTo(new Scheduled(finished.id(), Outcome.KEPT, JobState.FINISHED));
        assertThat(once(withId(failed.id().value(), given().job())))
                .isEqualTo(new Scheduled(failed.id(), Outcome.KEPT, JobState.FAILED));
        assertThat(once(withId(cancelled.id().value(), given().job())))
                .isEqualTo(new Scheduled(cancelled.id(), Outcome.KEPT, JobState.CANCELLED));
        assertThat(given().waitingRows()).isEmpty();
        assertThat(given().handedOver()).isEmpty();
    }

    @Test
    default void submitOnce_looksAtTheIdBeforeTheKey() {
        if (!isAble()) {
            return;
        }
        Job first = given().finished(given().job().key("42"));
        Job second = given().waiting(given().job().key("42"));

        Scheduled result = once(withId(first.id().value(), given().job().key("42", OnExisting.FAIL)));

        assertThat(result).isEqualTo(new Scheduled(first.id(), Outcome.KEPT, JobState.FINISHED));
        assertThat(given().find(second.id())).isEqualTo(second);
    }

    @Test
    default void submitOnce_ofANewIdFollowsThePolicyOfATakenKey() {
        if (!isAble()) {
            return;
        }
        Job existing = given().waiting(given().job().key("42").payload("{\"n\":1}"));

        assertThat(once(withId(given().id().value(), given().job().key("42"))))
                .isEqualTo(new Scheduled(existing.id(), Outcome.KEPT, JobState.DELAYED));
        assertThatThrownBy(() -> once(withId(given().id().value(), given().job().key("42", OnExisting.FAIL))))
                .isInstanceOf(JobExistsException.class);
        assertThat(given().find(existing.id())).isEqualTo(existing);
        assertThat(once(withId(
                        given().id().value(),
                        given().job().key("42", OnExisting.REPLACE).payload("{\"n\":2}"))))
                .isEqualTo(new Scheduled(existing.id(), Outcome.REPLACED, JobState.DELAYED));
        assertThat(allJobs()).extracting(Job::payload).containsExactly("{\"n\":2}");
    }

    @Test
    default void submitOnce_byThreadsAtTheSameTimeWritesOneJob() throws Exception {
        if (!isAble()) {
            return;
        }
        int threads = 4;
        int rounds = 20;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < rounds; round++) {
                UUID id = given().id().value();
                String key = round % 2 == 0 ? null : "key-" + round;
                CyclicBarrier start = new CyclicBarrier(threads);
                List<NewJob> same = IntStream.range(0, threads)
                        .mapToObj(i -> withId(
                                id, key == null ? given().job() : given().job().key(key)))
                        .toList();
                List<Future<Scheduled>> answers = same.stream()
                        .map(job -> executor.submit(() -> {
                            start.await();
                            return given().store().submitOnce(job, DueSink.NONE);
                        }))
                        .toList();
                List<Outcome> outcomes = new ArrayList<>();
                for (Future<Scheduled> answer : answers) {
                    assertThat(answer.get().id()).isEqualTo(same.get(0).id());
                    outcomes.add(answer.get().outcome());
                }
                assertThat(outcomes)
                        .containsExactlyInAnyOrder(Outcome.CREATED, Outcome.KEPT, Outcome.KEPT, Outcome.KEPT);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(allJobs()).hasSize(rounds);
    }

    @Test
    default void jobs_whoseIdsHaveAnyBitsArePagedInTheOrderOfTheirIds() {
        if (!isAble()) {
            return;
        }
        List<JobId> ids = IntStream.range(0, 16)
                .mapToObj(i ->
                        new JobId(new UUID((long) i << 60 | 0x4000, 0x8000_0000_0000_0000L | (long) (15 - i) << 56)))
                .toList();
        ids.forEach(id -> once(withId(id.value(), given().job())));

        List<JobId> paged = new ArrayList<>();
        JobPage page = given().store().find(JobQuery.all().limit(3), StoreScenario.NOW);
        page.forEach(job -> paged.add(job.id()));
        for (JobCursor next = page.next(); next != null; next = page.next()) {
            page = given().store().find(JobQuery.all().limit(3).after(next), StoreScenario.NOW);
            page.forEach(job -> paged.add(job.id()));
        }
        assertThat(paged).containsExactlyElementsOf(ids);
    }

    private boolean isAble() {
        return given().store().capabilities().has(StoreCapability.GIVEN_IDS);
    }

    private Scheduled once(NewJob job) {
        return given().store().submitOnce(job, given().sink());
    }

    private List<Job> allJobs() {
        return given().store().find(JobQuery.all(), StoreScenario.NOW).jobs();
    }

    private NewJob withId(UUID id, JobDraft draft) {
        NewJob job = draft.toNewJob();
        return given().store().placement().place(job.at(new JobId(id), job.partition()));
    }
}
