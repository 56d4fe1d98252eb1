package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Writing new jobs, and finding them. */
interface SubmitContract extends GivenStore {

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
                .at(planned)
                .due(planned.plusMillis(17))
                .toNewJob();

        List<Scheduled> results = given().store().submit(List.of(job), given().sink());

        assertThat(results).containsExactly(new Scheduled(job.id(), Scheduled.Outcome.CREATED, JobState.DELAYED));
        assertThat(given().store().find(job.id()))
                .contains(new Job(
                        job.id(),
                        new Partition("mail", 7),
                        "send-webhook",
                        "order-42",
                        "{\"url\":\"https://example.com\",\"times\":3}",
                        "gaps:PT1S,PT5S*",
                        "delays:PT10S,PT1M",
                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                        JobState.DELAYED,
                        job.token(),
                        StoreScenario.NOW,
                        planned,
                        planned.plusMillis(17),
                        1,
                        0,
                        0,
                        0,
                        0,
                        false,
                        0,
                        null,
                        null,
                        null));
    }

    @Test
    default void submit_leavesOutWhatIsNotGiven() {
        Job job = given().waiting(given().job());

        assertThat(job.key()).isNull();
        assertThat(job.payload()).isNull();
        assertThat(job.schedule()).isNull();
        assertThat(job.retry()).isNull();
        assertThat(job.trace()).isNull();
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
            Job job = given().waiting(new JobDraft(given().id(), token));

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
