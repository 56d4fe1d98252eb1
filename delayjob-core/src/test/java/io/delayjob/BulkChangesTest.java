package io.delayjob;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Shop.Webhooks;
import io.delayjob.job.BulkResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests calls that change more jobs than fit on a page. */
class BulkChangesTest {

    private static final int MANY = 1_200;

    private static final JobQuery DELAYED = JobQuery.state(JobState.DELAYED).name("send-webhook");

    private final Desk desk = new Desk();
    private final DelayJobOperations jobs = desk.jobs;

    private JobId scheduled(Duration delay) {
        return jobs.schedule(Webhooks::send).with("url", "body").after(delay).id();
    }

    private List<JobId> scheduled(int count) {
        List<JobId> ids = Stream.generate(() -> scheduled(ofHours(1)))
                .limit(count)
                .sorted()
                .toList();
        desk.clock.advance(ofMillis(1));
        return ids;
    }

    private Job find(JobId id) {
        return jobs.find(id).orElseThrow();
    }

    @Test
    void cancel_ofMoreThanAPage_cancelsAll() {
        List<JobId> ids = scheduled(MANY);
        JobId other = jobs.schedule(Webhooks::log)
                .with("url", "body")
                .after(ofHours(1))
                .id();

        assertThat(jobs.cancel(DELAYED)).isEqualTo(new BulkResult(MANY, 0));

        assertThat(ids).allSatisfy(id -> assertThat(find(id).state()).isEqualTo(JobState.CANCELLED));
        assertThat(find(other).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void cancel_ofRunningJobs_asksThemToEnd() {
        JobId id = scheduled(ZERO);
        desk.store.claim(List.of(find(id).toDueRow()), 1, 4711, desk.clock.storeTime());

        assertThat(jobs.cancel(JobQuery.state(JobState.RUNNING).name("send-webhook")))
                .isEqualTo(new BulkResult(1, 0));

        assertThat(find(id).cancelRequested()).isTrue();
    }

    @Test
    void reschedule_movesEachJobOnce_whateverTheOrder() {
        List<JobId> ids = scheduled(MANY);

        assertThat(jobs.reschedule(DELAYED.order(JobOrder.DUE), ofHours(5))).isEqualTo(new BulkResult(MANY, 0));

        Instant due = find(ids.get(0)).dueAt();
        assertThat(due)
                .isBetween(
                        desk.clock.storeTime().plus(ofHours(5)),
                        desk.clock.storeTime().plus(ofHours(5)).plusSeconds(1));
        assertThat(ids).allSatisfy(id -> assertThat(find(id).dueAt()).isEqualTo(due));
    }

    @Test
    void spread_isEvenWithinEachPage() {
        List<JobId> ids = scheduled(MANY);
        Duration spread = ofMinutes(50);

        jobs.change(BulkChange.reschedule(DELAYED, ofHours(5)).spread(spread));

        Instant first = desk.clock.latestStoreTime().plus(ofHours(5));
        List<Duration> offsets = new ArrayList<>(ids.stream()
                .map(id -> Duration.between(first, find(id).dueAt()))
                .toList());
        assertThat(offsets).allSatisfy(offset -> assertThat(offset).isBetween(ZERO, spread));
        for (int minute = 0; minute < 50; minute++) {
            Duration from = ofMinutes(minute);
            assertThat(offsets)
                    .filteredOn(offset -> offset.compareTo(from) >= 0 && offset.compareTo(from.plusMinutes(1)) < 0)
                    .as("jobs due in minute %d", minute)
                    .hasSizeBetween(22, 26);
        }
        assertThat(offsets.stream().distinct().count()).as("different times").isGreaterThan(1_000);
    }

    @Test
    void jobsThatAreScheduledMeanwhile_areLeftAlone() {
        scheduled(2);
        Instant seen = desk.clock.latestStoreTime();
        desk.clock.advance(ofMillis(1));
        JobId young = scheduled(ofHours(1));

        assertThat(jobs.change(BulkChange.cancel(DELAYED).seen(seen))).isEqualTo(new BulkResult(2, 0));

        assertThat(find(young).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void page_returnsTheStartOfTheNextPage() {
        List<JobId> ids = scheduled(5);

        BulkPage first = jobs.changePage(BulkChange.cancel(DELAYED.limit(2)));
        assertThat(first.changed()).containsExactlyElementsOf(ids.subList(0, 2));
        assertThat(first.next()).isNotNull();
        BulkPage second = jobs.changePage(BulkChange.cancel(DELAYED.limit(20).after(first.next())));

        assertThat(second.changed()).containsExactlyElementsOf(ids.subList(2, 5));
        assertThat(second.next()).isNull();
        assertThat(second.skipped()).isZero();
    }

    /** Another caller changes the jobs between the read of a page and its change. */
    @Test
    void jobsThatChangedMeanwhile_areSkipped() {
        List<JobId> ids = scheduled(3);
        JobPage page = jobs.find(DELAYED);
        desk.claim(ids.get(0));
        BulkChanges bulk = new BulkChanges(
                desk.store,
                desk.clock,
                new Random(5),
                new Planner(desk.clock, new Random(5)),
                DueSink.NONE,
                query -> page,
                results -> {});

        assertThat(bulk.all(BulkChange.reschedule(DELAYED, ofHours(2)))).isEqualTo(new BulkResult(2, 1));

        assertThat(bulk.all(BulkChange.cancel(DELAYED))).isEqualTo(new BulkResult(2, 1));
        assertThat(find(ids.get(0)).cancelRequested())
                .as("a job that was claimed after the page was read is asked to stop")
                .isFalse();
        finish(ids.get(0));
        assertThat(bulk.all(BulkChange.cancel(DELAYED))).isEqualTo(new BulkResult(0, 3));
    }

    private void finish(JobId running) {
        desk.store.complete(List.of(new Completion(
                desk.store.find(running).orElseThrow(),
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                4711,
                desk.clock.storeTime(),
                null,
                true,
                List.of())));
    }

    @Test
    void eachCancellation_isReportedToListeners() {
        scheduled(3);
        desk.told.clear();

        jobs.cancel(DELAYED);

        assertThat(desk.told).containsExactly("CANCELLED", "CANCELLED", "CANCELLED");
    }

    @Test
    void selectionsThatCannotBeChanged_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.cancel(JobQuery.state(JobState.FAILED)))
                .withMessageContaining("Invalid state FAILED of the jobs to cancel")
                .withMessageContaining("DELAYED");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.reschedule(JobQuery.state(JobState.RUNNING), ZERO))
                .withMessageContaining("Invalid state RUNNING of the jobs to reschedule");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.cancel(JobQuery.all().name("send-webhook")))
                .withMessageContaining("Invalid state null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.reschedule(DELAYED, ofMinutes(-1)))
                .withMessageContaining("Invalid delay PT-1M");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> jobs.change(BulkChange.reschedule(DELAYED, ZERO).spread(ofMinutes(-1))))
                .withMessageContaining("Invalid duration PT-1M to spread jobs over");
    }
}
