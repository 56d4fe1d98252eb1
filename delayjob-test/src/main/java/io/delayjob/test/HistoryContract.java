package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks which attempts and ended jobs are kept, and for how long. */
interface HistoryContract extends GivenStore {

    Instant LONG_AGO = StoreScenario.NOW.minusSeconds(86_400);

    @Test
    default void attempts_areWrittenWithTheCompletion() {
        Job running = given().running(given().job());
        AttemptRecord merged = new AttemptRecord(
                running.id(), 1, 0, "MERGED", given().worker(), null, null, null, CompletionDraft.ENDED, null);
        AttemptRecord failed = new AttemptRecord(
                running.id(),
                2,
                1,
                "FAILED",
                given().worker(),
                StoreScenario.NOW.minusMillis(7),
                StoreScenario.NOW,
                StoreScenario.NOW.plusMillis(2),
                CompletionDraft.ENDED,
                new Failure("java.io.IOException", "refused", "java.io.IOException: refused\n\tat shop.Http.post"));

        given().complete(given().completing(running).retryAt(StoreScenario.NOW).log(merged, failed));

        assertThat(given().store().attempts(running.id(), 10)).containsExactlyInAnyOrder(merged, failed);
    }

    @Test
    default void endedJob_tellsWhenItsHandlerWasCalled() {
        Instant called = StoreScenario.NOW.plusMillis(3);
        Job finished = given().running(given().job());
        Job failed = given().running(given().job());
        Job forgone = given().running(given().job());
        Job cancelled = given().running(given().job());
        given().store().cancel(cancelled.id(), StoreScenario.NOW);
        given().complete(
                        given().completing(finished).calledAt(called),
                        given().completing(failed).failed("boom").calledAt(called),
                        given().completing(forgone).failed("unreadable"),
                        given().completing(cancelled).failed("boom").calledAt(called));

        assertThat(given().find(finished.id()).calledAt()).isEqualTo(called);
        assertThat(given().find(failed.id()).calledAt()).isEqualTo(called);
        assertThat(given().find(cancelled.id()).calledAt()).isEqualTo(called);
        assertThat(given().find(forgone.id()).calledAt())
                .as("its handler was not called")
                .isNull();
    }

    @Test
    default void endedJobByItself_tellsWhenItsHandlerWasCalled() {
        Job finished = given().running(given().job());
        Instant called = StoreScenario.NOW.plusMillis(3);

        given().complete(given().completing(finished).calledAt(called));

        assertThat(given().find(finished.id()).calledAt()).isEqualTo(called);
        assertThat(given().find(finished.id()).dueAt()).isEqualTo(finished.dueAt());
    }

    @Test
    default void jobThatWaitsAgain_tellsNoCall() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).calledAt(StoreScenario.NOW).retryAt(CompletionDraft.ENDED));
        Job failed = given().running(given().job());
        given().complete(given().completing(failed).failed("boom").calledAt(StoreScenario.NOW));
        given().store().retry(failed.id(), CompletionDraft.ENDED, given().token(), row -> {});

        assertThat(given().find(running.id()).calledAt()).isNull();
        assertThat(given().find(failed.id()).calledAt()).isNull();
    }

    @Test
    default void attempts_comeNewestFirstAndBounded() {
        Job job = given().running(given().job());
        for (int i = 1; i <= 5; i++) {
            Instant end = StoreScenario.NOW.plusSeconds(i);
            given().complete(given().completing(job).retryAt(end).endedAt(end).logged());
            job = given().claim(given().find(job.id()));
        }

        assertThat(given().store().attempts(job.id(), 3))
                .extracting(AttemptRecord::attempt)
                .containsExactly(5, 4, 3);
        assertThat(given().store().attempts(job.id(), 10)).hasSize(5);
    }

    @Test
    default void attempts_areThoseOfThatJobOnly() {
        Job first = given().running(given().job());
        Job second = given().running(given().job());
        given().complete(
                        given().completing(first).logged(),
                        given().completing(second).logged());

        assertThat(given().store().attempts(first.id(), 10))
                .singleElement()
                .satisfies(line -> assertThat(line.job()).isEqualTo(first.id()));
        assertThat(given().store().attempts(given().id(), 10)).isEmpty();
    }

    @Test
    default void purge_forgetsJobsThatEndedBeforeThen() {
        Job before = ended(LONG_AGO.minusMillis(1));
        Job then = ended(LONG_AGO);
        Job after = ended(LONG_AGO.plusMillis(1));

        assertThat(given().store().purgeHistory(JobState.FINISHED, LONG_AGO, 100))
                .isEqualTo(1);

        assertThat(given().store().find(before.id())).isEmpty();
        assertThat(given().store().find(then.id())).isPresent();
        assertThat(given().store().find(after.id())).isPresent();
    }

    @Test
    default void purge_forgetsJobsOfThatStateOnly() {
        Job finished = ended(LONG_AGO);
        Job running = given().running(given().job());
        given().complete(given().completing(running).failed("boom").endedAt(LONG_AGO));
        Job cancelled = given().waiting(given().job());
        given().store().cancel(cancelled.id(), LONG_AGO);

        assertThat(given().store().purgeHistory(JobState.FAILED, StoreScenario.NOW, 100))
                .isEqualTo(1);
        assertThat(given().store().find(running.id())).isEmpty();
        assertThat(given().store().purgeHistory(JobState.CANCELLED, StoreScenario.NOW, 100))
                .isEqualTo(1);
        assertThat(given().store().find(cancelled.id())).isEmpty();
        assertThat(given().store().find(finished.id())).isPresent();
    }

    @Test
    default void purge_sparesDeclaredSchedulesThatWereCancelled() {
        Job declared = cancelled(given().job().name("report").key("@schedule"), LONG_AGO);
        Job ofAnotherKey = cancelled(given().job().name("report").key("schedule"), LONG_AGO.plusMillis(1));
        Job withoutKey = cancelled(given().job().name("report"), LONG_AGO.plusMillis(2));
        Job finished = given().running(given().job().name("report").key("@schedule"));
        given().complete(given().completing(finished).endedAt(LONG_AGO));

        List<Integer> purged = new ArrayList<>();
        do {
            purged.add(given().store().purgeHistory(JobState.CANCELLED, StoreScenario.NOW, 1));
        } while (purged.get(purged.size() - 1) > 0);

        assertThat(purged).as("the spared row blocks no other").containsExactly(1, 1, 0);
        assertThat(given().store().find("report", "@schedule")).get().isEqualTo(given().find(finished.id()));
        assertThat(given().store().find(declared.id()))
                .as("this row prevents that it is scheduled again")
                .isPresent();
        assertThat(given().store().find(ofAnotherKey.id())).isEmpty();
        assertThat(given().store().find(withoutKey.id())).isEmpty();
        assertThat(given().store().purgeHistory(JobState.FINISHED, StoreScenario.NOW, 100))
                .isEqualTo(1);
    }

    private Job cancelled(JobDraft draft, Instant at) {
        Job job = given().waiting(draft);
        given().store().cancel(job.id(), at);
        return job;
    }

    @Test
    default void purge_takesAtMostSoManyAtATime() {
        for (int i = 0; i < 25; i++) {
            ended(LONG_AGO);
        }
        List<Integer> purged = new ArrayList<>();
        do {
            purged.add(given().store().purgeHistory(JobState.FINISHED, StoreScenario.NOW, 10));
        } while (purged.get(purged.size() - 1) > 0);

        assertThat(purged).containsExactly(10, 10, 5, 0);
    }

    @Test
    default void purge_forgetsTheAttemptsToo() {
        Job ended = ended(LONG_AGO);
        assertThat(given().store().attempts(ended.id(), 10)).hasSize(1);

        given().store().purgeHistory(JobState.FINISHED, StoreScenario.NOW, 100);

        assertThat(given().store().attempts(ended.id(), 10)).isEmpty();
    }

    @Test
    default void purge_neverTouchesUnfinishedJobs() {
        given().waiting(given().job().at(LONG_AGO));
        given().running(given().job().at(LONG_AGO));

        for (JobState state : List.of(JobState.FINISHED, JobState.FAILED, JobState.CANCELLED)) {
            assertThat(given().store().purgeHistory(state, StoreScenario.NOW, 100))
                    .isZero();
        }
        assertThat(given().waitingRows(JobDraft.PARTITION)).hasSize(1);
    }

    private Job ended(Instant at) {
        Job running = given().running(given().job());
        given().complete(given().completing(running).endedAt(at).logged());
        return given().find(running.id());
    }
}
