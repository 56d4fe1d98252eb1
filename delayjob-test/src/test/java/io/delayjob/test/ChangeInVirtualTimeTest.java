package io.delayjob.test;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests how jobs are cancelled and rescheduled, and how their keys are taken over: before, during and between attempts.
 */
class ChangeInVirtualTimeTest {

    private final DelayJobTester tester = DelayJobTester.create();
    private final Instant start = tester.now();
    private final Calls calls = new Calls(tester);
    private final List<CompletableFuture<Object>> underWay = new ArrayList<>();

    @BeforeEach
    void registerHandlers() {
        tester.register(calls.named("quick"));
        tester.register(calls.with(Handler.named("slow").timeout(ofDays(1_000)), (arguments, job) -> {
            underWay.add(new CompletableFuture<>());
            return underWay.get(underWay.size() - 1);
        }));
    }

    @Test
    void cancel_beforeItsTimeMeansThatItNeverRuns() {
        JobId id = tester.operations()
                .schedule("quick")
                .key(42)
                .after(ofMinutes(30))
                .id();
        tester.advance(ofMinutes(29));

        assertThat(tester.operations().cancel("quick", 42)).isEqualTo(CancelResult.CANCELLED);
        tester.advance(ofDays(1));

        assertThat(calls.count()).isZero();
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.CANCELLED);
        assertThat(tester.operations().cancel("quick", 42)).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    void cancel_atTheDueMillisecond_holdsIfItReturnsCancelled() {
        JobId id = tester.operations().schedule("quick").now().id();

        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.CANCELLED);
        tester.advance(ofDays(1));

        assertThat(calls.count()).isZero();
    }

    @Test
    void cancel_ofARunningJobIsKnownToItsHandlerAtOnce() {
        List<JobContext> contexts = new ArrayList<>();
        tester.register(calls.with(Handler.named("patient"), (arguments, job) -> {
            contexts.add(job);
            return new CompletableFuture<>();
        }));
        JobId id = tester.operations().schedule("patient").now().id();
        tester.runDue();
        assertThat(contexts.get(0).isCancelRequested()).isFalse();

        tester.operations().cancel(id);
        tester.runDue();

        assertThat(contexts.get(0).isCancelRequested()).isTrue();
    }

    @Test
    void cancel_ofARunningJob_letsItEnd_andNoAttemptFollows() {
        JobId id = tester.operations()
                .schedule("slow")
                .repeat(Repeat.every(ofHours(1)))
                .id();
        tester.advance(ofHours(1));

        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.RUNNING);
        tester.advance(ofMinutes(10));
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        underWay.get(0).complete(null);
        tester.advance(ofDays(1));

        assertThat(calls.count()).isEqualTo(1);
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void cancel_ofAFailingJobMeansNoRetry() {
        JobId id = tester.operations().schedule("slow").now().id();
        tester.runDue();
        tester.operations().cancel(id);

        underWay.get(0).completeExceptionally(new IllegalStateException("down"));
        tester.advance(ofDays(6));

        assertThat(calls.count()).isEqualTo(1);
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void cancel_fromWithinTheHandlerEndsARepeat() {
        tester.register(calls.with(Handler.named("self"), (arguments, job) -> {
            if (job.run() == 3) {
                tester.operations().cancel(job.id());
            }
            return Next.asPlanned();
        }));
        tester.operations().schedule("self").repeat(Repeat.every(ofMinutes(1)));

        tester.advance(ofDays(1));

        assertThat(calls.count()).isEqualTo(3);
        assertThat(tester).hasNoDelayed("self");
    }

    @Test
    void cancel_ofAnEndedJob_returnsAlreadyEnded() {
        JobId id = tester.operations().schedule("quick").now().id();
        tester.runDue();

        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.ALREADY_ENDED);
    }

    @Test
    void reschedule_movesAJobWithinTheWheelAndBeyondTheWindow() {
        JobId sooner = tester.operations().schedule("quick").after(ofDays(30)).id();
        JobId later = tester.operations().schedule("quick").after(ofMinutes(1)).id();

        assertThat(tester.operations().reschedule(sooner, ofMinutes(5))).isEqualTo(ChangeResult.CHANGED);
        assertThat(tester.operations().reschedule(later, ofDays(10))).isEqualTo(ChangeResult.CHANGED);
        tester.advance(ofDays(60));

        assertThat(calls.all()).extracting(Calls.Call::id).containsExactly(sooner, later);
        assertThat(calls.after(start)).containsExactly(ofMinutes(5), ofDays(10));
    }

    @Test
    void reschedule_toNowRunsItNow() {
        JobId id = tester.operations().schedule("quick").after(ofDays(30)).id();

        tester.operations().reschedule(id, Duration.ZERO);
        tester.runDue();

        assertThat(calls.after(start)).containsExactly(Duration.ZERO);
    }

    @Test
    void reschedule_ofARepeatMovesItsLaterRuns() {
        JobId id = tester.operations()
                .schedule("quick")
                .repeat(Repeat.every(ofHours(1)).times(3))
                .id();

        tester.operations().reschedule(id, ofMinutes(90));
        tester.advance(ofDays(1));

        assertThat(calls.after(start)).containsExactly(ofMinutes(90), ofMinutes(150), ofMinutes(210));
    }

    @Test
    void sameKey_keptReplacedAndPostponed() {
        tester.operations().schedule("quick").key("k").after(ofMinutes(10));

        assertThat(tester.operations()
                        .schedule("quick")
                        .key("k")
                        .after(ofMinutes(1))
                        .outcome())
                .isEqualTo(Scheduled.Outcome.KEPT);
        assertThat(tester.operations()
                        .schedule("quick")
                        .key("k", OnExisting.POSTPONE)
                        .after(ofMinutes(20))
                        .outcome())
                .isEqualTo(Scheduled.Outcome.POSTPONED);
        assertThat(tester.operations()
                        .schedule("quick")
                        .key("k", OnExisting.REPLACE)
                        .after(ofMinutes(15))
                        .outcome())
                .isEqualTo(Scheduled.Outcome.REPLACED);
        tester.advance(ofDays(1));

        assertThat(calls.after(start)).containsExactly(ofMinutes(15));
    }

    @Test
    void keyOfARunningJob_isTakenOverByANewJob() {
        JobId first = tester.operations().schedule("slow").key("k").now().id();
        tester.runDue();

        Scheduled second = tester.operations()
                .schedule("slow")
                .key("k", OnExisting.REPLACE)
                .after(ofSeconds(1));
        assertThat(second.outcome()).isEqualTo(Scheduled.Outcome.CREATED);
        tester.advance(ofSeconds(1));
        assertThat(calls.count()).isEqualTo(2);
        underWay.get(0).completeExceptionally(new IllegalStateException("down"));
        underWay.get(1).complete(null);
        tester.advance(ofDays(6));

        assertThat(calls.count()).as("the old job is not retried").isEqualTo(2);
        assertThat(state(first)).isEqualTo(JobState.CANCELLED);
        assertThat(state(second.id())).isEqualTo(JobState.FINISHED);
    }

    @Test
    void bulk_isSpreadEvenly() {
        UnpaidOrders orders = new UnpaidOrders();
        tester.register("cancel-unpaid-order", orders, "cancel");

        tester.operations()
                .schedule(UnpaidOrders::cancel)
                .withEach(List.of(1L, 2L, 3L, 4L))
                .key(id -> id)
                .spreadOver(ofHours(1))
                .after(ofHours(1));

        tester.advance(ofHours(1));
        assertThat(orders.log).containsExactly("cancel 1");
        tester.advance(ofHours(1));
        assertThat(orders.log).containsExactly("cancel 1", "cancel 2", "cancel 3", "cancel 4");
    }

    private JobState state(JobId id) {
        return tester.operations().find(id).orElseThrow().state();
    }
}
