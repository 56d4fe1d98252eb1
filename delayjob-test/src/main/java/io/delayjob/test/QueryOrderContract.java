package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks queries that return jobs in the order of their due times, or in the order in which the jobs ended. Also checks
 * queries by queue, time span and type of failure.
 */
interface QueryOrderContract extends GivenStore {

    Comparator<Job> BY_DUE_TIME = Comparator.comparing(Job::dueAt).thenComparing(Job::id);

    Comparator<Job> LAST_END_FIRST = Comparator.<Job, Instant>comparing(job -> Objects.requireNonNull(job.endedAt()))
            .thenComparing(Job::id)
            .reversed();

    @Test
    default void queryOfTheNewest_reversesTheOrderOfIds() {
        List<Job> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.add(given().waiting(given().job()));
            made.add(given().finished(given().job()));
        }
        Collections.reverse(made);

        assertPaged(JobQuery.all().order(JobOrder.NEWEST), made);
    }

    @Test
    default void queryOfTheNewest_reversesTheOrderOfEndsWithinAnEndedState() {
        List<Job> ended = sixThatEnded(JobState.FAILED);

        assertPaged(
                JobQuery.state(JobState.FAILED).order(JobOrder.NEWEST),
                ended.stream().sorted(LAST_END_FIRST).toList());
    }

    @Test
    default void queryByDueTime_mergesThePartitionsOfAllQueues() {
        List<Job> due = thirtyDueAtDifferentTimes();
        given().finished(given().job());

        assertPaged(
                JobQuery.all().order(JobOrder.DUE),
                due.stream().sorted(BY_DUE_TIME).toList());
        assertPaged(
                JobQuery.state(JobState.DELAYED).order(JobOrder.DUE),
                due.stream()
                        .filter(job -> job.dueAt().isAfter(StoreScenario.NOW))
                        .sorted(BY_DUE_TIME)
                        .toList());
    }

    @Test
    default void queryByDueTime_tellsWaitingDueAndRunningJobsApart() {
        Job running = given().running(given().job());
        Job ready = given().waiting(given().job().at(StoreScenario.NOW));
        Job delayed = given().waiting(given().job().at(StoreScenario.NOW.plusMillis(1)));

        assertThat(find(JobQuery.state(JobState.RUNNING).order(JobOrder.DUE))).containsExactly(running);
        assertThat(find(JobQuery.state(JobState.READY).order(JobOrder.DUE))).containsExactly(ready);
        assertThat(find(JobQuery.state(JobState.DELAYED).order(JobOrder.DUE))).containsExactly(delayed);
    }

    @Test
    default void queryByDueTime_looksAtABoundedNumberOfRowsAndGoesOn() {
        thirtyDueAtDifferentTimes();
        Job rare = given().waiting(given().job().name("rare").at(StoreScenario.NOW.plusSeconds(9)));
        JobQuery query = JobQuery.all().name("rare").order(JobOrder.DUE).lookAt(8);

        JobPage first = find(query);

        assertThat(first.isComplete()).isFalse();
        assertThat(first.lookedAt()).isBetween(1, 8);
        assertThat(all(query)).containsExactly(rare);
    }

    @Test
    default void queryByDueTime_beginsAndEndsWithItsSpan() {
        List<Job> due = thirtyDueAtDifferentTimes();
        Instant from = StoreScenario.NOW.plusMillis(2);
        Instant until = StoreScenario.NOW.plusMillis(7);
        List<Job> within = due.stream()
                .filter(job -> !job.dueAt().isBefore(from) && job.dueAt().isBefore(until))
                .sorted(BY_DUE_TIME)
                .toList();

        JobQuery query = JobQuery.all().order(JobOrder.DUE).from(from).until(until);

        assertThat(within).isNotEmpty();
        assertPaged(query, within);
        assertThat(find(query.lookAt(within.size() + 40)).lookedAt())
                .as("rows looked at")
                .isEqualTo(within.size());
        assertThat(find(JobQuery.all().from(from).until(until)).jobs()).containsExactlyInAnyOrderElementsOf(within);
    }

    @Test
    default void queryByEnd_beginsWithTheLastEndWhateverItsState() {
        List<Job> ended = new ArrayList<>(sixThatEnded(JobState.FAILED));
        ended.addAll(sixThatEnded(JobState.FINISHED));
        given().waiting(given().job());
        ended.sort(LAST_END_FIRST);

        assertPaged(JobQuery.all().order(JobOrder.ENDED), ended);
        assertPaged(
                JobQuery.state(JobState.FINISHED).order(JobOrder.ENDED),
                ended.stream().filter(job -> job.state() == JobState.FINISHED).toList());
    }

    @Test
    default void queryByEnd_beginsAndEndsWithItsSpan() {
        List<Job> ended = new ArrayList<>(sixThatEnded(JobState.FAILED));
        ended.addAll(sixThatEnded(JobState.FINISHED));
        Instant from = StoreScenario.NOW.plusMillis(1);
        Instant until = StoreScenario.NOW.plusMillis(3);
        List<Job> within = ended.stream()
                .filter(job -> {
                    Instant end = Objects.requireNonNull(job.endedAt());
                    return !end.isBefore(from) && end.isBefore(until);
                })
                .sorted(LAST_END_FIRST)
                .toList();

        assertThat(within).isNotEmpty();
        assertPaged(JobQuery.all().order(JobOrder.ENDED).from(from).until(until), within);
        assertThat(find(JobQuery.state(JobState.FAILED).from(from).until(until)).jobs())
                .containsExactlyElementsOf(within.stream()
                        .filter(job -> job.state() == JobState.FAILED)
                        .sorted(LAST_END_FIRST.reversed())
                        .toList());
    }

    @Test
    default void query_filtersByQueue() {
        Job waiting = given().waiting(given().job().in(new Partition("bulk", 3)));
        Job failed = given().failed(given().job().in(new Partition("bulk", 1)));
        given().waiting(given().job());

        assertThat(find(JobQuery.all().queue("bulk"))).containsExactly(waiting, failed);
        assertThat(find(JobQuery.all().queue("bulk").order(JobOrder.DUE))).containsExactly(waiting);
        assertThat(find(JobQuery.all().queue("bulk").order(JobOrder.ENDED))).containsExactly(failed);
        assertThat(find(JobQuery.all().queue("never"))).isEmpty();
    }

    @Test
    default void query_filtersByTheTypeOfTheFailure() {
        Job refused = failed(Failure.of("java.net.ConnectException", "refused"));
        Job late = failed(Failure.of("java.net.SocketTimeoutException", "late"));
        given().waiting(given().job());
        given().finished(given().job());

        assertThat(find(JobQuery.all().error("java.net.ConnectException"))).containsExactly(refused);
        assertThat(find(JobQuery.state(JobState.FAILED).error("java.net.SocketTimeoutException")))
                .containsExactly(late);
        assertThat(find(JobQuery.all().error("java.net"))).isEmpty();
    }

    @Test
    default void queryOfOneKey_heedsTheOrder() {
        Job first = given().finished(given().job().name("mail").key("1"));
        Job second = given().failed(given().job().name("mail").key("1"));
        Job waiting = given().waiting(given().job().name("mail").key("1"));
        JobQuery query = JobQuery.all().name("mail").key("1");

        assertThat(find(query.order(JobOrder.NEWEST))).containsExactly(waiting, second, first);
        assertThat(find(query.order(JobOrder.ENDED))).containsExactly(second, first);
        assertThat(find(query.order(JobOrder.DUE))).containsExactly(waiting);
    }

    private List<Job> thirtyDueAtDifferentTimes() {
        List<Job> due = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Partition partition = new Partition(i % 5 == 0 ? "bulk" : "mail", i % 3);
            Instant at = StoreScenario.NOW.plusMillis(i * 7 % 11 - 2);
            due.add(given().waiting(given().job().in(partition).at(at)));
        }
        return due;
    }

    private List<Job> sixThatEnded(JobState state) {
        List<JobId> ended = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Job running = given().running(given().job());
            CompletionDraft end = given().completing(running).endedAt(StoreScenario.NOW.plusMillis(i * 5 % 4));
            given().complete(state == JobState.FAILED ? end.failed("boom") : end);
            ended.add(running.id());
        }
        return ended.stream().map(given()::find).toList();
    }

    private Job failed(Failure failure) {
        Job running = given().running(given().job());
        given().complete(given().completing(running).failed(failure));
        return given().find(running.id());
    }

    private void assertPaged(JobQuery query, List<Job> expected) {
        for (int limit : new int[] {1, 4, 7, 50}) {
            assertThat(all(query.limit(limit))).as("pages of %d", limit).containsExactlyElementsOf(expected);
        }
    }

    private List<Job> all(JobQuery query) {
        List<Job> found = new ArrayList<>();
        JobPage page = find(query);
        found.addAll(page.jobs());
        while (!page.isComplete()) {
            page = find(query.after(Stream.ofNullable(page.next())
                    .map(next -> JobCursor.parse(next.toString()))
                    .findFirst()
                    .orElseThrow()));
            found.addAll(page.jobs());
        }
        return found;
    }

    private JobPage find(JobQuery query) {
        return given().store().find(query, StoreScenario.NOW);
    }
}
