package io.delayjob.test;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.Next;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.MisfirePolicy;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests handlers that are not ready and snooze. */
class SnoozeInVirtualTimeTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final DelayJobTester tester = DelayJobTester.builder()
            .time(time)
            .store(store)
            .settings(settings -> settings.attempts(AttemptLog.ALL))
            .build();
    private final Instant start = tester.now();
    private final Calls calls = new Calls(tester);

    @Test
    void snoozedRun_comesBackWithoutAFailure() {
        tester.register(calls.with(Handler.named("sms"), notReadyUntil(3)));
        Scheduled scheduled = tester.operations().schedule("sms").key(42).now();

        tester.advance(ofSeconds(15));
        Job snoozed = job(scheduled.id());
        assertThat(snoozed.state()).isEqualTo(JobState.DELAYED);
        assertThat(snoozed.dueAt()).isEqualTo(start.plusSeconds(20));
        assertThat(snoozed.plannedAt()).isEqualTo(start);
        assertThat(snoozed.failures()).isZero();
        assertThat(snoozed.key()).isEqualTo("42");
        assertThat(tester.operations().schedule("sms").key(42).now().outcome()).isEqualTo(Scheduled.Outcome.KEPT);

        tester.advance(ofMinutes(1));
        assertThat(calls.after(start)).containsExactly(Duration.ZERO, ofSeconds(10), ofSeconds(20));
        assertThat(calls.all()).extracting(Calls.Call::run).containsOnly(1);
        assertThat(calls.all()).extracting(Calls.Call::attempt).containsExactly(1, 2, 3);
        assertThat(store.attempts(scheduled.id(), 10))
                .extracting(AttemptRecord::outcome)
                .containsExactly("SUCCEEDED", "SNOOZED", "SNOOZED");
        assertThat(job(scheduled.id()).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void snoozeBeyondItsLimit_isAFailureThatIsRetried() {
        tester.register(calls.with(
                Handler.named("sms").maxSnooze(ofSeconds(25)).retry(RetryPolicy.gaps(ofHours(1))),
                (arguments, job) -> Next.snooze(ofSeconds(10))));
        JobId id = tester.operations().schedule("sms").now().id();

        tester.advance(ofMinutes(1));
        assertThat(calls.after(start)).containsExactly(Duration.ZERO, ofSeconds(10), ofSeconds(20));
        assertThat(job(id).failures()).isEqualTo(1);

        tester.advance(ofHours(2));
        assertThat(calls.count()).isEqualTo(4);
        assertThat(tester)
                .hasFailed("sms")
                .once()
                .withError("a run may be delayed by at most PT25S in total (maxSnooze)");
        assertThat(job(id).failure().type()).isEqualTo("SnoozedTooLong");
    }

    @Test
    void bound_isADayUnlessTheHandlerSaysOtherwise() {
        tester.register(calls.with(
                Handler.named("sms").retry(RetryPolicy.none()), (arguments, job) -> Next.snooze(ofHours(5))));
        tester.operations().schedule("sms").now();

        tester.advance(ofDays(3));

        assertThat(calls.after(start))
                .containsExactly(Duration.ZERO, ofHours(5), ofHours(10), ofHours(15), ofHours(20));
        assertThat(tester).hasFailed("sms").once();
    }

    @Test
    void bound_countsFromThePlannedTimeThroughARestart() {
        tester.register(calls.with(
                Handler.named("sms").maxSnooze(ofMinutes(10)).retry(RetryPolicy.none()),
                (arguments, job) -> Next.snooze(ofMinutes(4))));
        tester.operations().schedule("sms").now();
        tester.advance(ofMinutes(5));
        tester.engine().stop();
        tester.engine().start();

        tester.advance(ofHours(3));

        assertThat(calls.count()).isEqualTo(3);
        assertThat(tester).hasFailed("sms").once();
    }

    @Test
    void boundOfZero_makesEverySnoozeAFailure() {
        tester.register(calls.with(
                Handler.named("sms").maxSnooze(Duration.ZERO).retry(RetryPolicy.none()),
                (arguments, job) -> Next.snooze(ofSeconds(1))));
        tester.operations().schedule("sms").now();
        tester.runDue();

        assertThat(tester).hasFailed("sms").once();
    }

    @Test
    void extremelyLongDelay_isAFailure_andDoesNotOverflow() {
        tester.register(calls.with(
                Handler.named("sms").retry(RetryPolicy.none()),
                (arguments, job) -> Next.snooze(Duration.ofSeconds(Long.MAX_VALUE))));
        tester.operations().schedule("sms").now();
        tester.runDue();

        assertThat(tester).hasFailed("sms").once();
    }

    @Test
    void snooze_betweenRetries_usesUpNoRetry() {
        tester.register(calls.with(
                Handler.named("sms").retry(RetryPolicy.gaps(ofSeconds(1), ofSeconds(1))), (arguments, job) -> {
                    if (calls.count() % 2 == 1) {
                        throw new IllegalStateException("refused");
                    }
                    return Next.snooze(ofSeconds(10));
                }));
        JobId id = tester.operations().schedule("sms").now().id();

        tester.advance(ofHours(1));

        assertThat(calls.after(start))
                .containsExactly(Duration.ZERO, ofSeconds(1), ofSeconds(11), ofSeconds(12), ofSeconds(22));
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void handlerThatMustNotBeRepeated_maySnooze() {
        tester.register(calls.with(Handler.named("sms").delivery(Delivery.AT_MOST_ONCE), notReadyUntil(2)));
        JobId id = tester.operations().schedule("sms").now().id();

        tester.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(2);
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void stage_mayAnswerThatItIsNotReady() {
        tester.register(calls.with(
                Handler.named("sms"),
                (arguments, job) ->
                        CompletableFuture.completedFuture(calls.count() == 1 ? Next.snooze(ofSeconds(7)) : null)));
        tester.operations().schedule("sms").now();

        tester.advance(ofMinutes(1));

        assertThat(calls.after(start)).containsExactly(Duration.ZERO, ofSeconds(7));
    }

    @Test
    void snooze_shiftsNoLaterRun() {
        tester.register(calls.with(Handler.named("poll"), notReadyUntil(2)));
        tester.operations().schedule("poll").repeat(Repeat.every(ofMinutes(1)).times(3));

        tester.advance(ofMinutes(10));

        assertThat(calls.after(start)).containsExactly(ofMinutes(1), ofSeconds(70), ofMinutes(2), ofMinutes(3));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 1, 2, 3);
    }

    @Test
    void runThatWasSnoozedBeyondTheNextRun_isNoMissedRun() {
        tester.register(calls.with(
                Handler.named("poll"),
                (arguments, job) -> calls.count() == 1 ? Next.snooze(ofSeconds(150)) : Next.asPlanned()));
        tester.operations().schedule("poll").repeat(Repeat.every(ofMinutes(1)).misfire(MisfirePolicy.SKIP));

        tester.advance(ofMinutes(4).minusMillis(1));

        assertThat(calls.all()).extracting(Calls.Call::run).startsWith(1, 1);
        assertThat(calls.after(start)).startsWith(ofMinutes(1), ofSeconds(210));
    }

    @Test
    void cancelledWhileItRuns_aSnoozeEndsTheJob() {
        tester.register(calls.with(Handler.named("sms"), (arguments, job) -> {
            tester.operations().cancel(job.id());
            return Next.snooze(ofSeconds(10));
        }));
        JobId id = tester.operations().schedule("sms").now().id();

        tester.advance(ofHours(1));

        assertThat(calls.count()).isEqualTo(1);
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    /** Returns a handler that is ready at the given call. Before, it snoozes for ten seconds at each call. */
    private JobHandler notReadyUntil(int call) {
        return (arguments, job) -> calls.count() < call ? Next.snooze(ofSeconds(10)) : Next.asPlanned();
    }

    private Job job(JobId id) {
        return store.find(id).orElseThrow();
    }
}
