package io.delayjob;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Shop.Webhooks;
import io.delayjob.job.BulkResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests retries and streams of more dead letters than fit on a page. */
class DeadLettersTest {

    private static final int MANY = 1_200;
    private static final JobQuery FAILED = JobQuery.state(JobState.FAILED).name("send-webhook");

    private final Desk desk = new Desk();
    private final DelayJobOperations jobs = desk.jobs;
    private final Random random = new Random(5);

    private JobId scheduled() {
        return jobs.schedule(Webhooks::send).with("url", "body").now().id();
    }

    private JobId failed() {
        return failed(scheduled());
    }

    private JobId failed(JobId id) {
        Job waiting = desk.store.find(id).orElseThrow();
        Job running = desk.store
                .claim(List.of(waiting.toDueRow()), 1, random.nextLong(), desk.clock.storeTime())
                .get(0);
        Failure failure = Failure.of("Broken", "broken");
        desk.store.complete(List.of(new Completion(
                running,
                new JobOutcome.Failed(failure, false),
                new Transition.Ended(JobState.FAILED),
                random.nextLong(),
                desk.clock.storeTime(),
                failure,
                true,
                List.of())));
        return id;
    }

    private List<JobId> failed(int count) {
        return Stream.generate(this::failed).limit(count).toList();
    }

    private long deadLetters() {
        return desk.store.counts(desk.clock.storeTime()).in(JobState.FAILED);
    }

    @Test
    void retry_ofMoreThanAPage_bringsBackAll() {
        failed(MANY);
        failed(jobs.schedule(Webhooks::log).with("url", "body").now().id());

        assertThat(jobs.retry(FAILED)).isEqualTo(new BulkResult(MANY, 0));

        assertThat(deadLetters()).as("of another handler").isEqualTo(1);
        assertThat(jobs.find(JobQuery.state(JobState.READY).limit(1))).hasSize(1);
    }

    @Test
    void retry_whileAKeyIsTaken_skipsThatJobAndGoesOn() {
        failed(jobs.schedule(Webhooks::send).with("url", "body").key("7").now().id());
        failed(3);
        jobs.schedule(Webhooks::send).with("url", "body").key("7").now();

        assertThat(jobs.retry(FAILED)).isEqualTo(new BulkResult(3, 1));
    }

    @Test
    void retry_ofAnotherState_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.retry(JobQuery.state(JobState.CANCELLED)))
                .withMessage("Invalid state CANCELLED of the jobs to retry: must be FAILED, because jobs in "
                        + "other states cannot be retried. Begin with JobQuery.state(FAILED).");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.retry(JobQuery.all()))
                .withMessageContaining("Begin with JobQuery.state(FAILED)");
    }

    @Test
    void stream_whoseJobsAreRetriedAndFailAgain_showsEachOnce() {
        List<JobId> before = failed(MANY);
        List<JobId> seen = new ArrayList<>();

        jobs.stream(FAILED).forEach(job -> {
            seen.add(job.id());
            desk.clock.advance(ofMillis(1));
            assertThat(jobs.retry(job.id())).isEqualTo(ChangeResult.CHANGED);
            failed(job.id());
            failed();
        });

        assertThat(seen).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(before);
        assertThat(deadLetters()).isEqualTo(2 * MANY);
    }

    @Test
    void stream_whoseConsumerSchedulesMore_ends() {
        Set<JobId> before = Set.of(scheduled(), scheduled(), scheduled());
        List<JobId> seen = new ArrayList<>();

        jobs.stream(JobQuery.state(JobState.READY).limit(2)).limit(100).forEach(job -> {
            seen.add(job.id());
            desk.clock.advance(ofMillis(1));
            jobs.cancel(job.id());
            scheduled();
        });

        assertThat(seen).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void stream_whileJobsEnd_showsAllOthers() {
        Set<JobId> before = new HashSet<>(failed(MANY));
        Set<JobId> gone = new HashSet<>();
        Set<JobId> seen = new HashSet<>();

        jobs.stream(FAILED.limit(100)).forEach(job -> {
            seen.add(job.id());
            if (seen.size() == 250) {
                before.stream().filter(id -> !seen.contains(id)).limit(300).forEach(id -> {
                    jobs.retry(id);
                    gone.add(id);
                });
            }
        });

        assertThat(seen.size()).isBetween(MANY - 300, MANY - 200);
        before.removeAll(seen);
        assertThat(gone).containsAll(before);
    }

    @Test
    void stream_readsNoFurtherThanItIsConsumed() {
        failed(MANY);
        assertThat(jobs.stream(FAILED.limit(10)).limit(25)).hasSize(25);
        assertThat(jobs.stream(JobQuery.all().limit(500))).hasSize(MANY);
        assertThat(jobs.stream(FAILED).findFirst()).isPresent();
    }

    @Test
    void find_fillsThePageHoweverFarItMustLook() {
        for (int i = 0; i < JobQuery.MAX_LOOK; i++) {
            scheduled();
        }
        desk.clock.advance(ofMillis(1));
        JobId last = jobs.schedule(Webhooks::log).with("url", "body").now().id();
        JobQuery query = JobQuery.state(JobState.READY).name("log-webhook");

        assertThat(jobs.find(query)).extracting(Job::id).containsExactly(last);

        JobPage bounded = jobs.find(query.lookAt(JobQuery.MAX_LOOK));
        assertThat(bounded).isEmpty();
        assertThat(bounded.lookedAt()).isEqualTo(JobQuery.MAX_LOOK);
        assertThat(jobs.find(query.lookAt(JobQuery.MAX_LOOK).after(bounded.next())))
                .extracting(Job::id)
                .containsExactly(last);
    }

    @Test
    void cursorOfAnotherOrder_isRefused() {
        failed(2);
        JobPage byEnd = jobs.find(FAILED.limit(1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobQuery.all().after(byEnd.next()))
                .withMessageContaining("belongs to pages in another order");
    }
}
