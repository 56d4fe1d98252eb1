package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.ChangeResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.store.DueSink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks how a waiting job is rescheduled, and how a failed job is retried. */
interface ChangeContract extends GivenStore {

    Instant DUE = StoreScenario.NOW.plusSeconds(7_200);

    @Test
    default void reschedule_movesDueTimeAndPlanOfAWaitingJob() {
        Job waiting = given().waiting(given().job().key("42").payload("{\"n\":1}"));
        given().forgetHandedOver();
        long token = given().token();

        assertThat(reschedule(waiting.id(), token)).isEqualTo(ChangeResult.CHANGED);

        Job moved = given().find(waiting.id());
        assertThat(moved.dueAt()).isEqualTo(DUE);
        assertThat(moved.plannedAt()).isEqualTo(DUE);
        assertThat(moved.token()).isEqualTo(token);
        assertThat(moved)
                .usingRecursiveComparison()
                .ignoringFields("plan.dueAt", "plan.plannedAt", "progress.token")
                .isEqualTo(waiting);
        assertThat(given().handedOver()).containsExactly(moved.toDueRow());
        assertThat(given().waitingRows(waiting.partition())).containsExactly(moved.toDueRow());
    }

    @Test
    default void reschedule_betweenRetriesLeavesThePlan() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).retryAt(StoreScenario.NOW.plusSeconds(10)));

        assertThat(reschedule(running.id(), given().token())).isEqualTo(ChangeResult.CHANGED);

        Job moved = given().find(running.id());
        assertThat(moved.dueAt()).isEqualTo(DUE);
        assertThat(moved.plannedAt()).isEqualTo(running.plannedAt());
        assertThat(moved.failures()).isEqualTo(1);
    }

    @Test
    default void reschedule_leavesRunningEndedAndUnknownJobs() {
        Job running = given().running(given().job());
        Job finished = given().finished(given().job());
        Job failed = given().failed(given().job());
        given().forgetHandedOver();

        assertThat(reschedule(running.id(), given().token())).isEqualTo(ChangeResult.RUNNING);
        assertThat(reschedule(finished.id(), given().token())).isEqualTo(ChangeResult.ALREADY_ENDED);
        assertThat(reschedule(failed.id(), given().token())).isEqualTo(ChangeResult.ALREADY_ENDED);
        assertThat(reschedule(given().id(), given().token())).isEqualTo(ChangeResult.NOT_FOUND);

        for (Job job : List.of(running, finished, failed)) {
            assertThat(given().find(job.id())).isEqualTo(job);
        }
        assertThat(given().handedOver()).isEmpty();
    }

    @Test
    default void retry_makesAFailedJobDueAgain() {
        Job running = given().running(given().job()
                .key("42")
                .payload("{\"n\":1}")
                .schedule("gaps:PT1S,PT5S")
                .retry("delays:PT1S")
                .trace("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
        given().complete(given().completing(running).retryAt(StoreScenario.NOW));
        Job again = given().claim(given().find(running.id()));
        given().complete(given().completing(again).failed("boom"));
        given().forgetHandedOver();
        long token = given().token();

        assertThat(retry(running.id(), token)).isEqualTo(ChangeResult.CHANGED);

        Job back = given().find(running.id());
        assertThat(back.state()).isEqualTo(JobState.DELAYED);
        assertThat(back.token()).isEqualTo(token);
        assertThat(back.dueAt()).isEqualTo(DUE);
        assertThat(back.plannedAt()).as("the run is planned again").isEqualTo(DUE);
        assertThat(back.failures()).isZero();
        assertThat(back.rescues()).isZero();
        assertThat(back.run()).isEqualTo(1);
        assertThat(back.attempt()).isEqualTo(2);
        assertThat(back.endedAt()).isNull();
        assertThat(back.failure()).isNull();
        assertThat(back.key()).isEqualTo("42");
        assertThat(back.payload()).isEqualTo("{\"n\":1}");
        assertThat(back.schedule()).isEqualTo("gaps:PT1S,PT5S");
        assertThat(back.retry()).isEqualTo("delays:PT1S");
        assertThat(back.trace()).isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        assertThat(back.scheduledAt()).isEqualTo(running.scheduledAt());
        assertThat(given().handedOver()).containsExactly(back.toDueRow());
        assertThat(given().claim(back).attempt()).isEqualTo(3);
    }

    @Test
    default void retry_leavesNoSecondRowBehind() {
        Job failed = given().failed(given().job());
        retry(failed.id(), given().token());

        assertThat(given().store().counts(DUE.minusSeconds(1))).satisfies(counts -> {
            assertThat(counts.in(JobState.FAILED)).isZero();
            assertThat(counts.in(JobState.DELAYED)).isEqualTo(1);
        });
    }

    @Test
    default void retry_keepsTheAttemptLog() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).failed("boom").logged());

        retry(running.id(), given().token());

        assertThat(given().store().attempts(running.id(), 10)).hasSize(1);
    }

    @Test
    default void retry_answersThatItsKeyIsInUse() {
        Job failed = given().failed(given().job().key("42").payload("{\"n\":1}"));
        Job successor = given().waiting(given().job().key("42"));
        given().forgetHandedOver();

        assertThat(retry(failed.id(), given().token())).isEqualTo(ChangeResult.KEY_IN_USE);

        assertThat(given().find(failed.id())).isEqualTo(failed);
        assertThat(given().find(successor.id())).isEqualTo(successor);
        assertThat(given().handedOver()).isEmpty();
    }

    @Test
    default void retry_takesItsKeyAgainOnceItIsFree() {
        Job failed = given().failed(given().job().key("42"));
        given().finished(given().job().key("42"));

        assertThat(retry(failed.id(), given().token())).isEqualTo(ChangeResult.CHANGED);
        assertThat(given().submit(given().job().key("42")).id()).isEqualTo(failed.id());
    }

    @Test
    default void retry_leavesWaitingRunningEndedAndUnknownJobs() {
        Job waiting = given().waiting(given().job());
        Job running = given().running(given().job());
        Job finished = given().finished(given().job());
        Job cancelled = given().waiting(given().job());
        given().store().cancel(cancelled.id(), StoreScenario.NOW);
        Job cancelledRow = given().find(cancelled.id());

        assertThat(retry(waiting.id(), given().token())).isEqualTo(ChangeResult.WAITING);
        assertThat(retry(running.id(), given().token())).isEqualTo(ChangeResult.RUNNING);
        assertThat(retry(finished.id(), given().token())).isEqualTo(ChangeResult.ALREADY_ENDED);
        assertThat(retry(cancelled.id(), given().token())).isEqualTo(ChangeResult.ALREADY_ENDED);
        assertThat(retry(given().id(), given().token())).isEqualTo(ChangeResult.NOT_FOUND);

        for (Job job : List.of(waiting, running, finished, cancelledRow)) {
            assertThat(given().find(job.id())).isEqualTo(job);
        }
    }

    @Test
    default void retry_keepsTheDoubt() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).timedOut(StoreScenario.NOW));
        Job again = given().claim(given().find(running.id()));
        given().complete(given().completing(again).failed("boom"));

        retry(running.id(), given().token());

        assertThat(given().find(running.id()).inDoubt()).isEqualTo(1);
    }

    @Test
    default void sink_ofTheTimeOfAChange_getsItsRows() {
        Job moved = given().waiting(given().job());
        Job retried = given().failed(given().job());
        List<JobId> handedOver = new ArrayList<>();
        DueSink sink = new DueSink() {
            @Override
            public DueSink asOfNow() {
                return rows -> rows.forEach(row -> handedOver.add(row.id()));
            }

            @Override
            public void accept(List<DueRow> rows) {
                throw new IllegalStateException("Only the sink of the time of a change takes rows here.");
            }
        };
        NewJob added = given().job().toNewJob();

        given().store().reschedule(moved.id(), DUE, given().token(), sink);
        given().store().retry(retried.id(), DUE, given().token(), sink);
        given().store().submit(List.of(added), sink);

        assertThat(handedOver).containsExactly(moved.id(), retried.id(), added.id());
    }

    private ChangeResult reschedule(JobId id, long token) {
        return given().store().reschedule(id, DUE, token, given().sink());
    }

    private ChangeResult retry(JobId id, long token) {
        return given().store().retry(id, DUE, token, given().sink());
    }
}
