package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks how long finished jobs are kept. If a handler sets this time, the rows of its jobs must contain the time. */
interface KeepTimeContract extends GivenStore {

    private Job ended(CompletionDraft end, int second) {
        given().complete(end.endedAt(at(second)).logged());
        return given().find(end.toCompletion().job().id());
    }

    private Job finished(int second) {
        return ended(given().completing(given().running(given().job())), second);
    }

    private Job finished(int second, Duration keepFor) {
        return ended(given().completing(given().running(given().job())).keptFor(keepFor), second);
    }

    private static Instant at(int second) {
        return StoreScenario.NOW.plusSeconds(second);
    }

    @Test
    default void jobWithATimeOfItsOwn_isSparedByTheGeneralTime_andDeletedByItsOwn() {
        Job longer = finished(0, Duration.ofDays(90));
        Job shorter = finished(1, Duration.ofSeconds(10));
        Job usual = finished(2);
        assertThat(longer.extras().keepFor()).isEqualTo(Duration.ofDays(90));

        assertThat(given().store().purgeHistory(JobState.FINISHED, at(1_000), 1))
                .as("jobs that are kept for longer do not block others")
                .isEqualTo(1);
        assertThat(given().store().find(usual.id())).isEmpty();
        assertThat(given().store().purgeHistory(JobState.FINISHED, at(1_000), 100))
                .isZero();

        assertThat(given().store().purgeKept(at(11), 100)).isZero();
        assertThat(given().store().purgeKept(at(11).plusMillis(1), 100)).isEqualTo(1);
        assertThat(given().store().find(shorter.id())).isEmpty();
        assertThat(given().store().attempts(shorter.id(), 10)).isEmpty();
        assertThat(given().store().purgeKept(at(90 * 86_400), 100)).isZero();
        assertThat(given().store().purgeKept(at(90 * 86_400 + 1), 100)).isEqualTo(1);
        assertThat(given().store().find(longer.id())).isEmpty();
    }

    @Test
    default void deletionOfSuchJobs_takesAtMostSoManyAtATime() {
        for (int i = 0; i < 12; i++) {
            finished(i, Duration.ofSeconds(10 + i % 3));
        }
        finished(0, Duration.ofDays(90));
        List<Integer> purged = new ArrayList<>();
        do {
            purged.add(given().store().purgeKept(at(1_000), 5));
        } while (purged.get(purged.size() - 1) > 0);

        assertThat(purged).containsExactly(5, 5, 2, 0);
    }

    @Test
    default void suchJobs_standInOneListWithAllOthers_inTheOrderOfTheirEnds() {
        List<Job> ended = List.of(
                finished(0, Duration.ofDays(90)),
                finished(1),
                finished(2, Duration.ofDays(1)),
                finished(3),
                finished(4, Duration.ofDays(90)));
        JobQuery query = JobQuery.state(JobState.FINISHED).limit(2);

        assertThat(allOf(query.order(JobOrder.ENDED)))
                .containsExactly(ended.get(4), ended.get(3), ended.get(2), ended.get(1), ended.get(0));
        assertThat(allOf(query)).isEqualTo(ended);
        assertThat(given().store().counts(at(100)).byState()).containsEntry(JobState.FINISHED, 5L);
    }

    private List<Job> allOf(JobQuery query) {
        List<Job> jobs = new ArrayList<>();
        for (JobQuery next = query; next != null; ) {
            JobPage page = given().store().find(next, at(100));
            jobs.addAll(page.jobs());
            next = page.next() == null ? null : next.after(page.next());
        }
        return jobs;
    }

    @Test
    default void jobThatAwaitsAnAnswer_carriesItsTime_forTheInstanceThatEndsIt() {
        Job running = given().running(given().job());
        given().complete(
                        given().completing(running).keptFor(Duration.ofDays(90)).awaitingUntil(at(60)));

        Job awaiting = given().find(running.id());

        assertThat(awaiting.extras().keepFor()).isEqualTo(Duration.ofDays(90));
        given().complete(given().completing(awaiting));
        assertThat(given().store().purgeHistory(JobState.FINISHED, at(1_000), 100))
                .isZero();
        assertThat(given().find(running.id()).keptUntil()).isEqualTo(CompletionDraft.ENDED.plus(Duration.ofDays(90)));
    }

    @Test
    default void failedJob_staysForTheTimeOfDeadLetters_andCanBeRetried() {
        Job awaiting = awaiting();
        given().complete(given().completing(awaiting).failed("boom"));

        assertThat(given().store().purgeKept(at(1_000), 100)).isZero();

        given().store().retry(awaiting.id(), at(0), given().token(), DueSink.NONE);
        assertThat(given().find(awaiting.id()).state()).isEqualTo(JobState.DELAYED);
        Job other = awaiting();
        given().complete(given().completing(other).failed("boom"));
        assertThat(given().store().purgeHistory(JobState.FAILED, at(1_000), 100))
                .isEqualTo(1);
    }

    private Job awaiting() {
        Job running = given().running(given().job());
        given().complete(given().completing(running)
                .keptFor(Duration.ofSeconds(1))
                .awaitingUntil(at(60)));
        return given().find(running.id());
    }
}
