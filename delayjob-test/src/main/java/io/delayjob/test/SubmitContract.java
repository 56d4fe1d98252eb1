package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Checks how new jobs are written and found. */
interface SubmitContract extends GivenStore {

    /** Number of jobs that is large enough for a store to use its faster method for many rows. */
    int MANY = 1_000;

    /** Texts with characters that are special in stream formats, or that take several bytes. */
    List<String> ODD_TEXTS = List.of(
            "",
            " ",
            "\\N",
            "\\.",
            "\n\\.\n",
            "tab\tline\nreturn\r\\t\\n\\\\",
            "NULL",
            "'\"`;--:x ? $1 {job}",
            "{\"url\":\"https://example.com\",\"times\":3}",
            "\u0001\u0008\u001F\u007F\u0085\u2028\uFEFF",
            "Grüße, Ελλάδα, 日本語, e\u0301, \uD83D\uDE80\uD83C\uDFF3\uFE0F");

    @Test
    default void submit_writesAWaitingJobWithEveryField() {
        Instant planned = StoreScenario.NOW.plusMillis(1_001);
        NewJob job = given().job()
                .in(new Partition("mail", 7))
                .name("send-webhook")
                .key("order-42")
                .payload("{\"url\":\"https://example.com\",\"times\":3}")
                .schedule("gaps:PT1S,PT5S*")
                .retry("delays:PT10S,PT1M")
                .trace("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .extras("expires PT10M")
                .at(planned)
                .due(planned.plusMillis(17))
                .toNewJob();

        List<Scheduled> results = given().store().submit(List.of(job), given().sink());

        assertThat(results).containsExactly(new Scheduled(job.id(), Scheduled.Outcome.CREATED, JobState.DELAYED));
        assertThat(given().store().find(job.id()))
                .contains(new Job(
                        job.id(),
                        job.partition(),
                        new JobTask(
                                "send-webhook",
                                "order-42",
                                "{\"url\":\"https://example.com\",\"times\":3}",
                                null,
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                "expires PT10M"),
                        new JobPlan(
                                "gaps:PT1S,PT5S*",
                                "delays:PT10S,PT1M",
                                StoreScenario.NOW,
                                1,
                                planned,
                                planned.plusMillis(17)),
                        JobProgress.first(job.token()),
                        JobEnd.NONE));
    }

    @Test
    default void submit_leavesOutWhatIsNotGiven() {
        Job job = given().waiting(given().job());

        assertThat(job.key()).isNull();
        assertThat(job.payload()).isNull();
        assertThat(job.schedule()).isNull();
        assertThat(job.retry()).isNull();
        assertThat(job.trace()).isNull();
        assertThat(job.task().extras()).isNull();
    }

    @Test
    default void submit_answersInTheOrderOfTheJobs() {
        List<NewJob> jobs = given().jobs(1_000).stream().map(JobDraft::toNewJob).toList();

        List<Scheduled> results = given().store().submit(jobs, DueSink.NONE);

        assertThat(results)
                .extracting(Scheduled::id)
                .containsExactlyElementsOf(jobs.stream().map(NewJob::id).toList());
        assertThat(results).extracting(Scheduled::outcome).containsOnly(Scheduled.Outcome.CREATED);
        assertThat(given().waitingRows(JobDraft.PARTITION)).hasSize(1_000);
    }

    @Test
    default void submit_ofManyJobsWritesEachWithEveryField() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String odd = ODD_TEXTS.get(i % ODD_TEXTS.size());
            JobDraft job = given().job()
                    .in(new Partition(i % 2 == 0 ? "mail" : "default", i % 1_024))
                    .name("name-" + i % 3)
                    .at(StoreScenario.NOW.plusMillis(i))
                    .due(StoreScenario.NOW.plusMillis(2L * i));
            if (i % 4 != 0) {
                job.payload(odd);
            }
            if (i % 4 != 1) {
                job.schedule(odd).trace(odd);
            }
            if (i % 4 != 2) {
                job.retry(odd);
            }
            jobs.add(job.toNewJob());
        }

        List<Scheduled> results = given().store().submit(jobs, given().sink());

        assertThat(results)
                .containsExactlyElementsOf(jobs.stream()
                        .map(job -> new Scheduled(job.id(), Scheduled.Outcome.CREATED, JobState.DELAYED))
                        .toList());
        assertThat(given().handedOver())
                .containsExactlyInAnyOrderElementsOf(
                        jobs.stream().map(NewJob::toDueRow).toList());
        for (NewJob job : jobs) {
            assertThat(given().find(job.id())).isEqualTo(job.toJob());
        }
    }

    @Test
    default void submit_ofManyJobsTakesTextsOfTheGreatestLengthAndTokensOfEveryBitPattern() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            long token = i % 2 == 0 ? Long.MIN_VALUE + i : Long.MAX_VALUE - i;
            jobs.add(given().job(token)
                    .payload(i % 300 == 0 ? "語".repeat(65_534 - i) : "{\"n\":" + i + "}")
                    .toNewJob());
        }

        given().store().submit(jobs, DueSink.NONE);

        for (NewJob job : jobs) {
            assertThat(given().find(job.id())).isEqualTo(job.toJob());
        }
    }

    @Test
    default void submit_ofManyJobsSomeOfWhichHaveAKeyDecidesEachKey() {
        Job existing = given().waiting(given().job().key("taken"));
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            JobDraft job = given().job();
            jobs.add((i == 7 ? job.key("taken") : i % 10 == 0 ? job.key("key-" + i) : job).toNewJob());
        }

        List<Scheduled> results = given().store().submit(jobs, DueSink.NONE);

        assertThat(results.get(7)).isEqualTo(new Scheduled(existing.id(), Scheduled.Outcome.KEPT, JobState.DELAYED));
        for (int i = 0; i < MANY; i++) {
            if (i != 7) {
                assertThat(results.get(i).id()).isEqualTo(jobs.get(i).id());
                assertThat(given().find(jobs.get(i).id()).key())
                        .isEqualTo(jobs.get(i).key());
            }
        }
    }

    @Test
    default void submit_ofNothingDoesNothing() {
        assertThat(given().submit(List.of())).isEmpty();
        assertThat(given().store().partitionsInUse()).isEmpty();
    }

    @Test
    default void submit_handsTheCommittedRowsToTheSink() {
        List<JobDraft> jobs = given().jobs(3);

        given().submit(jobs);

        assertThat(given().handedOver())
                .containsExactlyInAnyOrderElementsOf(
                        jobs.stream().map(job -> job.toNewJob().toDueRow()).toList());
    }

    @Test
    default void submit_callsTheSinkOnlyOnceTheRowsCanBeClaimed() {
        AtomicInteger claimed = new AtomicInteger();
        DueSink eager = rows -> claimed.addAndGet(given().store()
                .claim(rows, given().worker(), given().token(), StoreScenario.NOW)
                .size());

        given().store().submit(List.of(given().job().toNewJob(), given().job().toNewJob()), eager);

        assertThat(claimed).hasValue(2);
    }

    @Test
    default void submit_keepsTimesToTheMillisecondFromThePastToTheYear9999() {
        for (String time : List.of(
                "1950-06-01T00:00:00.001Z",
                "1970-01-01T00:00:00Z",
                "2038-01-19T03:14:08.999Z",
                "2030-03-31T01:30:00.123Z",
                "2030-10-27T00:30:00.456Z",
                "9999-12-31T23:59:59.999Z")) {
            Instant instant = Instant.parse(time);

            Job job = given().waiting(given().job().at(instant));

            assertThat(job.plannedAt()).isEqualTo(instant);
            assertThat(job.dueAt()).isEqualTo(instant);
        }
    }

    @Test
    default void submit_takesTokensOfEveryBitPattern() {
        for (long token : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            Job job = given().waiting(given().job(token));

            assertThat(job.token()).isEqualTo(token);
            assertThat(given().claim(job).id()).isEqualTo(job.id());
        }
    }

    @Test
    default void find_answersNothingForAnUnknownId() {
        assertThat(given().store().find(given().id())).isEmpty();
    }

    @Test
    default void find_findsWaitingRunningAndEndedJobs() {
        JobId waiting = given().waiting(given().job()).id();
        JobId running = given().running(given().job()).id();
        JobId finished = given().finished(given().job()).id();
        JobId failed = given().failed(given().job()).id();

        assertThat(given().find(waiting).state()).isEqualTo(JobState.DELAYED);
        assertThat(given().find(running).state()).isEqualTo(JobState.RUNNING);
        assertThat(given().find(finished).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().find(failed).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    default void dueRows_areTheSameFromTheSinkAndFromTheTable() {
        given().waiting(5);
        List<DueRow> handedOver = given().handedOver();

        assertThat(given().waitingRows(JobDraft.PARTITION)).containsExactlyInAnyOrderElementsOf(handedOver);
    }
}
