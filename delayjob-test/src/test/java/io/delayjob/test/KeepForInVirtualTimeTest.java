package io.delayjob.test;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests handlers that state how long their finished jobs are kept. By default a finished job is kept for a week. */
class KeepForInVirtualTimeTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final DelayJobTester tester =
            DelayJobTester.builder().time(time).store(store).build();

    private JobId finished(String name, Duration keepFor) {
        tester.register(Handler.named(name).keepFor(keepFor).calls((arguments, job) -> null));
        JobId id = tester.operations().schedule(name).now().id();
        tester.runDue();
        return id;
    }

    private Optional<JobState> stateOf(JobId id) {
        return tester.operations().find(id).map(job -> job.state());
    }

    @Test
    void finishedJobs_stayForTheTimeOfTheirHandlers() {
        JobId longer = finished("audit-export", ofDays(90));
        JobId usual = finished("usual", null);
        JobId shorter = finished("ping", ofHours(1));
        JobId none = finished("tick", ZERO);
        assertThat(stateOf(none)).isEmpty();

        tester.advance(ofMinutes(59));
        assertThat(stateOf(shorter)).contains(JobState.FINISHED);
        tester.advance(ofMinutes(3));
        assertThat(stateOf(shorter)).isEmpty();
        tester.advance(ofDays(8));
        assertThat(stateOf(usual)).isEmpty();
        assertThat(stateOf(longer)).contains(JobState.FINISHED);
        tester.advance(ofDays(83));
        assertThat(stateOf(longer)).isEmpty();
    }

    @Test
    void instanceWithoutTheHandler_deletesNothingTooEarly_afterAnAnswer() {
        AtomicReference<AnswerTicket> ticket = new AtomicReference<>();
        tester.register(Handler.named("audit-export").keepFor(ofDays(90)).calls((arguments, job) -> {
            ticket.set(job.ticket());
            return Next.awaitAnswer(ofHours(1));
        }));
        JobId id = tester.operations().schedule("audit-export").now().id();
        tester.runDue();
        DelayJobTester other = DelayJobTester.builder().time(time).store(store).build();

        other.operations().answer(ticket.get(), Answer.of(Next.done("done")));

        assertThat(stateOf(id)).contains(JobState.FINISHED);
        time.advance(ofDays(89));
        assertThat(stateOf(id)).contains(JobState.FINISHED);
        time.advance(ofDays(2));
        assertThat(stateOf(id)).isEmpty();
    }

    /** Nobody has written yet how long the job is kept. The general time is a week. */
    @Test
    void answerThatIsEarlierThanTheHandlersReturn_onAnInstanceWithoutTheHandler_makesTheGeneralTimeApply() {
        DelayJobTester other = DelayJobTester.builder().time(time).store(store).build();
        tester.register(Handler.named("audit-export").keepFor(ofDays(90)).calls((arguments, job) -> {
            other.operations().answer(job.ticket(), Answer.of(Next.done("done")));
            return Next.awaitAnswer(ofHours(1));
        }));
        JobId id = tester.operations().schedule("audit-export").now().id();
        tester.runDue();

        assertThat(stateOf(id)).contains(JobState.FINISHED);
        time.advance(ofDays(8));
        assertThat(stateOf(id)).isEmpty();
    }

    @Test
    void failedJobs_stayForTheTimeOfDeadLetters() {
        tester.tolerateFailures();
        tester.register(Handler.named("ping")
                .keepFor(ofMinutes(1))
                .retry(RetryPolicy.none())
                .calls((arguments, job) -> {
                    throw new IllegalStateException("down");
                }));
        JobId id = tester.operations().schedule("ping").now().id();

        tester.advance(ofDays(29));

        assertThat(stateOf(id)).contains(JobState.FAILED);
    }

    @Test
    void impossibleTimes_areRefusedWithTheRule() {
        for (Duration impossible : new Duration[] {ofDays(-1), ofMillis(1), ofDays(30_000)}) {
            assertThatThrownBy(() ->
                            Handler.named("audit-export").keepFor(impossible).calls((arguments, job) -> null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Invalid keepFor " + impossible + " of handler 'audit-export'")
                    .hasMessageContaining("whole seconds, from zero to 24855 days");
        }
    }
}
