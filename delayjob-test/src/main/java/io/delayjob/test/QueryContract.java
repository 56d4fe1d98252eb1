package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the methods that find and count jobs to show them to people. */
interface QueryContract extends GivenStore {

    @Test
    default void query_findsEveryJobOfBothTablesInTheOrderOfIds() {
        List<JobId> made = oneOfEachState();

        JobPage page = find(JobQuery.all());

        assertThat(page.jobs()).extracting(Job::id).containsExactlyElementsOf(made);
        assertThat(page.next()).isNull();
    }

    @Test
    default void query_findsTheRowsAsFindByIdDoes() {
        oneOfEachState();

        for (Job job : find(JobQuery.all())) {
            assertThat(job).isEqualTo(given().find(job.id()));
        }
    }

    @Test
    default void query_pagesOverBothTablesWithoutRepeatingOrMissingAJob() {
        List<JobId> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.addAll(oneOfEachState());
        }
        for (int limit : new int[] {1, 4, 7, 15, 34, 35, 36}) {
            List<JobId> paged = new ArrayList<>();
            JobQuery query = JobQuery.all().limit(limit);
            JobPage page = find(query);
            while (page.next() != null) {
                assertThat(page.jobs()).hasSize(limit);
                page.stream().map(Job::id).forEach(paged::add);
                page = find(query.after(page.next()));
            }
            assertThat(page.jobs()).as("the last page").isNotEmpty();
            page.stream().map(Job::id).forEach(paged::add);

            assertThat(paged).as("pages of %d", limit).containsExactlyElementsOf(made);
        }
    }

    @Test
    default void findByKey_answersTheUnfinishedJobElseTheNewestThatEnded() {
        given().waiting(given().job().name("other").key("42"));
        given().finished(given().job().key("43"));
        assertThat(given().store().find(JobDraft.NAME, "42")).isEmpty();

        given().finished(given().job().key("42"));
        Job failed = given().failed(given().job().key("42"));
        given().finished(given().job());
        assertThat(given().store().find(JobDraft.NAME, "42")).contains(failed);

        Job running = given().running(given().job().key("42"));
        assertThat(given().store().find(JobDraft.NAME, "42")).contains(running);
    }

    @Test
    default void query_filtersByEachStateWithReadyDerived() {
        List<JobId> made = oneOfEachState();
        List<JobState> states = List.of(
                JobState.DELAYED,
                JobState.READY,
                JobState.RUNNING,
                JobState.AWAITING,
                JobState.FINISHED,
                JobState.FAILED,
                JobState.CANCELLED);

        for (int i = 0; i < states.size(); i++) {
            JobState state = states.get(i);
            JobPage page = find(JobQuery.state(state));

            assertThat(page.jobs()).as(state.name()).extracting(Job::id).containsExactly(made.get(i));
            assertThat(page.jobs().get(0).stateAt(StoreScenario.NOW)).isEqualTo(state);
        }
    }

    @Test
    default void payload_findsPartsOfIt_amongWaitingAndFailedJobs() {
        String part = "50%_off\\\\\"É";
        Job waiting = given().waiting(given().job().payload("{\"code\":\"" + part + "\"}"));
        Job failed = given().failed(given().job().payload("\"" + part + "\""));
        given().waiting(given().job().payload("\"50%_OFF\\\\\"É\""));
        given().waiting(given().job().payload("\"50 off\""));
        given().waiting(given().job());

        assertThat(find(JobQuery.state(JobState.READY).payload(part))).containsExactly(waiting);
        assertThat(find(JobQuery.state(JobState.READY).name(waiting.name()).payload("code")))
                .containsExactly(waiting);
        assertThat(find(JobQuery.state(JobState.FAILED).payload(part))).containsExactly(failed);
        assertThat(find(JobQuery.state(JobState.READY).payload("60%"))).isEmpty();
    }

    @Test
    default void query_judgesDueJobsByTheTimeHandedIn() {
        given().waiting(given().job().at(StoreScenario.NOW));

        assertThat(given().store().find(JobQuery.state(JobState.READY), StoreScenario.NOW))
                .hasSize(1);
        assertThat(given().store().find(JobQuery.state(JobState.DELAYED), StoreScenario.NOW))
                .isEmpty();
        assertThat(given().store().find(JobQuery.state(JobState.READY), StoreScenario.NOW.minusMillis(1)))
                .isEmpty();
        assertThat(given().store().find(JobQuery.state(JobState.DELAYED), StoreScenario.NOW.minusMillis(1)))
                .hasSize(1);
    }

    @Test
    default void query_filtersByNameAndKeyInBothTables() {
        Job waiting = given().waiting(given().job().name("mail").key("1"));
        Job failed = given().failed(given().job().name("mail").key("2"));
        Job failedBefore = given().failed(given().job().name("sms").key("1"));
        given().waiting(given().job().name("mail"));

        assertThat(find(JobQuery.all().name("sms"))).containsExactly(failedBefore);
        assertThat(find(JobQuery.all().key("1"))).containsExactly(waiting, failedBefore);
        assertThat(find(JobQuery.all().name("mail").key("2"))).containsExactly(failed);
        assertThat(find(JobQuery.state(JobState.FAILED).name("mail"))).containsExactly(failed);
        assertThat(find(JobQuery.state(JobState.FAILED).name("mail").key("1"))).isEmpty();
        assertThat(find(JobQuery.all().name("never"))).isEmpty();
    }

    @Test
    default void query_pagesWithinAFilter() {
        for (int i = 0; i < 6; i++) {
            given().waiting(given().job().name(i % 2 == 0 ? "mail" : "sms").at(StoreScenario.NOW));
        }
        JobQuery query = JobQuery.state(JobState.READY).name("mail").limit(2);

        JobPage first = find(query);
        assertThat(first.jobs()).hasSize(2);
        JobPage second = find(query.after(Objects.requireNonNull(first.next())));
        assertThat(second.jobs()).hasSize(1).doesNotContainAnyElementsOf(first.jobs());
        assertThat(second.next()).isNull();
    }

    @Test
    default void query_takesACursorWhoseJobIsGone() {
        List<Job> jobs = given().waiting(3);
        Job first = jobs.get(0);
        given().claim(first);
        given().complete(given().completing(given().find(first.id())).dropped());

        assertThat(find(JobQuery.all().after(JobCursor.behind(first.id())))).containsExactly(jobs.get(1), jobs.get(2));
    }

    @Test
    default void query_looksAtABoundedNumberOfRowsAndSaysWhereToGoOn() {
        given().waiting(given().job().name("rare"));
        given().waiting(120);
        Job rare = given().waiting(given().job().name("rare"));
        JobQuery query = JobQuery.all().name("rare").lookAt(50);

        List<Job> found = new ArrayList<>();
        int pages = 0;
        JobPage page = find(query);
        while (page.next() != null) {
            assertThat(page.lookedAt()).as("rows looked at").isBetween(1, 50);
            found.addAll(page.jobs());
            page = find(query.after(page.next()));
            pages++;
        }
        found.addAll(page.jobs());

        assertThat(pages).as("pages without the last").isEqualTo(2);
        assertThat(found).hasSize(2).endsWith(rare);
    }

    @Test
    default void query_ofBothTables_missesNothingWhereOnlyOneLookIsCutOff() {
        List<JobId> made = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            made.add(given().finished(given().job()).id());
            if (i % 10 == 0) {
                made.add(given().waiting(given().job()).id());
            }
        }
        List<JobId> paged = new ArrayList<>();
        JobQuery query = JobQuery.all().lookAt(4).limit(7);
        JobPage page = find(query);
        page.stream().map(Job::id).forEach(paged::add);
        while (page.next() != null) {
            page = find(query.after(page.next()));
            page.stream().map(Job::id).forEach(paged::add);
        }

        assertThat(paged).containsExactlyElementsOf(made);
    }

    @Test
    default void query_ofAnEndedState_comesInTheOrderOfEnds() {
        List<Job> running = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            running.add(given().running(given().job()));
        }
        List<JobId> ended = new ArrayList<>();
        for (int i : new int[] {4, 1, 6, 0, 5, 2, 3}) {
            Instant end = StoreScenario.NOW.plusMillis(ended.size() / 2);
            given().complete(given().completing(running.get(i)).failed("boom").endedAt(end));
            ended.add(running.get(i).id());
        }
        List<JobId> byEnd = ended.stream()
                .sorted(Comparator.comparing((JobId id) ->
                                Objects.requireNonNull(given().find(id).endedAt()))
                        .thenComparing(id -> id))
                .toList();
        for (int limit : new int[] {1, 2, 3, 7}) {
            List<JobId> paged = new ArrayList<>();
            JobQuery query = JobQuery.state(JobState.FAILED).limit(limit);
            JobPage page = find(query);
            page.stream().map(Job::id).forEach(paged::add);
            while (page.next() != null) {
                page = find(query.after(JobCursor.parse(page.next().toString())));
                page.stream().map(Job::id).forEach(paged::add);
            }
            assertThat(paged).as("pages of %d", limit).containsExactlyElementsOf(byEnd);
        }
    }

    @Test
    default void query_ofOneKey_findsAllItsJobsWithoutALookAtOthers() {
        Job finished = given().finished(given().job().name("mail").key("1"));
        Job failed = given().failed(given().job().name("mail").key("1"));
        given().waiting(100);
        Job waiting = given().waiting(given().job().name("mail").key("1"));
        JobQuery query = JobQuery.all().name("mail").key("1").lookAt(10);

        assertThat(find(query)).containsExactly(finished, failed, waiting);
        assertThat(find(query).lookedAt()).isEqualTo(3);
        JobPage first = find(query.limit(1));
        assertThat(first).containsExactly(finished);
        assertThat(find(query.after(Objects.requireNonNull(first.next())))).containsExactly(failed, waiting);
    }

    @Test
    default void counts_areZeroInAnEmptyStore() {
        JobCounts counts = given().store().counts(StoreScenario.NOW);

        for (JobState state : JobState.values()) {
            assertThat(counts.in(state)).as(state.name()).isZero();
        }
        assertThat(counts.oldestDue()).isNull();
    }

    @Test
    default void counts_tellWhereJobsStandWithReadyDerived() {
        oneOfEachState();
        oneOfEachState();

        JobCounts counts = given().store().counts(StoreScenario.NOW);

        for (JobState state : JobState.values()) {
            assertThat(counts.in(state)).as(state.name()).isEqualTo(2);
        }
    }

    @Test
    default void counts_tellSinceWhenTheOldestDueJobWaits() {
        Instant oldest = StoreScenario.NOW.minusSeconds(60);
        given().running(given().job().at(oldest.minusSeconds(60)));
        given().waiting(given().job().at(StoreScenario.NOW));
        given().waiting(given().job().at(oldest));
        given().waiting(given().job().at(StoreScenario.NOW.plusSeconds(60)));

        assertThat(given().store().counts(StoreScenario.NOW).oldestDue()).isEqualTo(oldest);
        assertThat(given().store().counts(oldest.minusMillis(1)).oldestDue()).isNull();
    }

    @Test
    default void counts_tellSinceWhenAnAnswerIsOverdue() {
        Instant deadline = StoreScenario.NOW.plusSeconds(5);
        given().awaiting(given().job(), deadline);

        assertThat(given().store().counts(deadline.minusMillis(1)).oldestDue()).isNull();
        assertThat(given().store().counts(deadline).oldestDue()).isEqualTo(deadline);
    }

    @Test
    default void query_ofOneEndedStateReadsNoJobsOfOtherStates() {
        IntStream.range(0, 20).forEach(i -> given().finished(given().job()));
        given().waiting(20);
        Job failed = given().failed(given().job());

        JobPage page = find(JobQuery.state(JobState.FAILED).lookAt(2));

        assertThat(page).containsExactly(failed);
        assertThat(page.lookedAt()).isEqualTo(1);
    }

    /** One job for each state, in the order of {@link JobState}. */
    private List<JobId> oneOfEachState() {
        JobId delayed = given().waiting(given().job().at(StoreScenario.NOW.plusMillis(1)))
                .id();
        JobId ready = given().waiting(given().job().at(StoreScenario.NOW)).id();
        JobId running = given().running(given().job()).id();
        JobId awaiting = given().awaiting(given().job(), StoreScenario.NOW.plusSeconds(60))
                .id();
        JobId finished = given().finished(given().job()).id();
        JobId failed = given().failed(given().job()).id();
        JobId cancelled = given().waiting(given().job()).id();
        given().store().cancel(cancelled, StoreScenario.NOW);
        return List.of(delayed, ready, running, awaiting, finished, failed, cancelled);
    }

    private JobPage find(JobQuery query) {
        return given().store().find(query, StoreScenario.NOW);
    }
}
