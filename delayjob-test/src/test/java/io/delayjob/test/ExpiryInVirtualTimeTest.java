package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Handler;
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
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests jobs that must not start too late. */
class ExpiryInVirtualTimeTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final DelayJobTester tester = DelayJobTester.builder()
            .time(time)
            .store(store)
            .settings(settings -> settings.attempts(AttemptLog.NONE))
            .build();
    private final Instant start = tester.now();
    private final Calls calls = new Calls(tester);

    @Test
    void job_thatStartsInTime_isCalled() {
        tester.register(calls.with(Handler.named("report").expiresAfter(ofMinutes(10)), (arguments, job) -> null));
        JobId id = tester.operations().schedule("report").after(ofHours(1)).id();

        tester.advance(ofHours(2));

        assertThat(calls.after(start)).containsExactly(ofHours(1));
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void job_thatComesTooLate_isCancelledWithItsReason_andNotCalled() {
        tester.register(calls.with(Handler.named("report").expiresAfter(ofMinutes(10)), (arguments, job) -> null));
        JobId late = tester.operations().schedule("report").after(ofMinutes(5)).id();
        JobId inTime =
                tester.operations().schedule("report").after(ofMinutes(50)).id();
        tester.operations().pause("report");
        tester.advance(ofHours(1));

        tester.operations().resume("report");
        tester.advance(ofMinutes(1));

        assertThat(calls.all()).extracting(Calls.Call::id).containsExactly(inTime);
        Job expired = job(late);
        assertThat(expired.state()).isEqualTo(JobState.CANCELLED);
        assertThat(expired.failure().type()).isEqualTo("Expired");
        assertThat(expired.failure().message())
                .contains("planned for " + start.plus(ofMinutes(5)))
                .contains("within PT10M (expiresAfter)");
        assertThat(expired.calledAt()).isNull();
        assertThat(outcomes(late)).as("even without an attempt log").containsExactly("EXPIRED");
    }

    @Test
    void ownExpiry_overridesTheExpiryOfTheHandler_andIsShown() {
        tester.register(calls.with(Handler.named("report").expiresAfter(ofMinutes(1)), (arguments, job) -> null));
        Scheduled scheduled =
                tester.operations().schedule("report").expiresAfter(ofHours(3)).after(ofMinutes(5));
        assertThat(job(scheduled.id()).expiresAt())
                .isEqualTo(start.plus(ofMinutes(5)).plus(ofHours(3)));
        tester.operations().pause("report");
        tester.advance(ofHours(1));

        tester.operations().resume("report");
        tester.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(1);
    }

    @Test
    void retry_afterTheExpiry_isADeadLetterThatCanBeRetriedByHand() {
        tester.register(calls.with(
                Handler.named("report").expiresAfter(ofMinutes(10)).retry(RetryPolicy.gaps(ofHours(1))),
                (arguments, job) -> {
                    if (calls.count() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return null;
                }));
        JobId id = tester.operations().schedule("report").now().id();

        tester.advance(ofHours(2));
        assertThat(calls.count()).isEqualTo(1);
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(job(id).failure().message()).contains("failed attempts of this run: 1");

        tester.operations().retry(id);
        tester.advance(ofMinutes(1));
        assertThat(calls.count()).isEqualTo(2);
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void snooze_doesNotProlongTheTime() {
        tester.register(calls.with(
                Handler.named("report").expiresAfter(ofMinutes(10)), (arguments, job) -> Next.snooze(ofMinutes(4))));
        JobId id = tester.operations().schedule("report").now().id();

        tester.advance(ofHours(1));

        assertThat(calls.after(start)).containsExactly(Duration.ZERO, ofMinutes(4), ofMinutes(8));
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void job_thatContinuesItself_andComesTooLateOnce_isADeadLetterThatCanBeRetriedByHand() {
        tester.register(calls.with(
                Handler.named("poll").expiresAfter(ofMinutes(10)), (arguments, job) -> Next.after(ofHours(1))));
        JobId id = tester.operations().schedule("poll").now().id();
        tester.advance(ofMinutes(1));
        expireInAPause("poll");

        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(job(id).failure().type()).isEqualTo("Expired");

        tester.operations().retry(id);
        tester.advance(ofMinutes(1));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 2);
    }

    @Test
    void deadLetter_thatIsRetriedByHand_andComesTooLate_isADeadLetterAgain() {
        tester.register(calls.with(
                Handler.named("report").expiresAfter(ofMinutes(10)).retry(RetryPolicy.none()), (arguments, job) -> {
                    throw new IllegalStateException("not today");
                }));
        JobId id = tester.operations().schedule("report").now().id();
        tester.advance(ofMinutes(1));
        tester.operations().pause("report");
        tester.operations().retry(id);
        expireInAPause("report");

        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(job(id).failure().type()).isEqualTo("Expired");
    }

    @Test
    void run_ofARepeatingJob_isLeftOut_andTheNextRunComesAsPlanned() {
        tester.register(calls.with(Handler.named("report").expiresAfter(ofMinutes(10)), (arguments, job) -> null));
        Repeat hourly = Repeat.every(ofHours(1)).misfire(MisfirePolicy.RUN_EACH);
        JobId id = tester.operations().schedule("report").repeat(hourly).id();
        tester.operations().pause("report");
        tester.advance(ofHours(2).plusMinutes(30));

        tester.operations().resume("report");
        tester.advance(ofHours(1));

        assertThat(calls.after(start)).containsExactly(ofHours(3));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(3);
        assertThat(outcomes(id)).containsExactly("EXPIRED", "EXPIRED");
    }

    @Test
    void mergedRuns_areJudgedByTheNewestRun() {
        tester.register(calls.with(Handler.named("report").expiresAfter(ofMinutes(10)), (arguments, job) -> null));
        Repeat hourly = Repeat.every(ofHours(1)).misfire(MisfirePolicy.RUN_ONCE);
        JobId id = tester.operations().schedule("report").repeat(hourly).id();
        tester.operations().pause("report");
        tester.advance(ofHours(5).plusMinutes(30));
        tester.operations().resume("report");
        tester.advance(ofMinutes(1));
        assertThat(calls.count())
                .as("the newest missed run is half an hour old")
                .isZero();
        assertThat(outcomes(id)).containsExactly("EXPIRED", "MERGED");

        tester.advance(ofHours(1));

        assertThat(calls.after(start)).containsExactly(ofHours(6));
    }

    @Test
    void lastRunOfASchedule_thatExpires_leavesTheJobFinished() {
        tester.register(calls.with(Handler.named("report").expiresAfter(ofMinutes(10)), (arguments, job) -> null));
        JobId id = tester.operations()
                .schedule("report")
                .repeat(Repeat.every(ofHours(1)).times(2).misfire(MisfirePolicy.RUN_EACH))
                .id();
        tester.advance(ofMinutes(70));
        tester.operations().pause("report");
        tester.advance(ofHours(3));
        tester.operations().resume("report");
        tester.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(1);
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(id).failure()).isNull();
        assertThat(outcomes(id)).containsExactly("EXPIRED");
    }

    @Test
    void job_thatAwaitsItsAnswer_doesNotExpire() {
        tester.register(calls.with(
                Handler.named("report").expiresAfter(ofSeconds(1)).retry(RetryPolicy.none()),
                (arguments, job) -> Next.awaitAnswer(ofHours(1))));
        JobId id = tester.operations().schedule("report").now().id();

        tester.advance(ofHours(2));

        assertThat(job(id).failure().type()).isEqualTo("NotAnswered");
    }

    @Test
    void repeatedCall_withAnotherExpiry_isRefused() {
        tester.register(calls.named("report"));
        JobId id = new JobId(new UUID(0x0123_4567_89ab_7cdeL, 0x8000_0000_0000_0001L));
        tester.operations().schedule("report").id(id).expiresAfter(ofHours(1)).after(ofHours(5));

        assertThat(tester.operations()
                        .schedule("report")
                        .id(id)
                        .expiresAfter(ofHours(1))
                        .after(ofHours(5))
                        .outcome())
                .isEqualTo(Scheduled.Outcome.KEPT);
        assertThatThrownBy(() -> tester.operations().schedule("report").id(id).after(ofHours(5)))
                .hasMessageContaining("expiry, mutex, rate key, labels, group or chain");
    }

    @Test
    void impossibleExpiry_isRefusedAtTheCall() {
        tester.register(calls.named("report"));

        for (Duration impossible : List.of(Duration.ZERO, ofSeconds(-1), Duration.ofDays(36_501))) {
            assertThatThrownBy(() -> tester.operations().schedule("report").expiresAfter(impossible))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Invalid expiresAfter " + impossible + " of a job 'report'");
        }
    }

    private void expireInAPause(String handler) {
        tester.operations().pause(handler);
        tester.advance(ofHours(2));
        tester.operations().resume(handler);
        tester.advance(ofMinutes(1));
    }

    private Job job(JobId id) {
        return tester.operations().find(id).orElseThrow();
    }

    private List<String> outcomes(JobId id) {
        return store.attempts(id, 10).stream().map(AttemptRecord::outcome).toList();
    }
}
