package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests handlers that return a result. */
class ResultInVirtualTimeTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final DelayJobTester tester =
            DelayJobTester.builder().time(time).store(store).build();

    @Test
    void result_isFoundWithTheFinishedJob() {
        tester.register(Handler.named("count").calls((arguments, job) -> Next.done(4711)));
        JobId id = tester.operations()
                .schedule("count")
                .expiresAfter(ofHours(1))
                .now()
                .id();

        tester.advance(ofMinutes(1));

        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(id).result()).isEqualTo("4711");
        assertThat(job(id).extras().expiresAfter()).isEqualTo(ofHours(1));
    }

    @Test
    void result_ofAStage_isKept() {
        tester.register(Handler.named("count")
                .calls((arguments, job) -> CompletableFuture.completedFuture(Next.done("done later"))));
        JobId id = tester.operations().schedule("count").now().id();

        tester.advance(ofMinutes(1));

        assertThat(job(id).result()).isEqualTo("done later");
    }

    @Test
    void result_ofAnAnswerFromOutside_isKept() {
        AtomicReference<AnswerTicket> ticket = new AtomicReference<>();
        tester.register(Handler.named("export").calls((arguments, job) -> {
            ticket.set(job.ticket());
            return Next.awaitAnswer(ofHours(1));
        }));
        JobId id = tester.operations().schedule("export").now().id();
        tester.advance(ofMinutes(1));

        tester.operations().answer(ticket.get(), Answer.of(Next.done("42 rows")));

        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(id).result()).isEqualTo("42 rows");
    }

    @Test
    void onlyTheLastRun_leavesItsResult() {
        tester.register(Handler.named("count").calls((arguments, job) -> Next.done("run " + job.run())));
        JobId id = tester.operations()
                .schedule("count")
                .repeat(Repeat.every(ofHours(1)).times(3))
                .id();

        tester.advance(ofHours(2));
        assertThat(job(id).result()).isNull();

        tester.advance(ofHours(2));
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(id).result()).isEqualTo("run 3");
    }

    @Test
    void resultThatIsTooLong_doesNotFailTheJob_andTheHistorySaysSo() {
        tester.register(Handler.named("count").calls((arguments, job) -> Next.done("\u00fc".repeat(8_193))));
        JobId id = tester.operations().schedule("count").now().id();

        tester.advance(ofMinutes(1));

        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(id).result()).isNull();
        assertThat(job(id).extras().resultMissing())
                .isEqualTo("the result has 16386 bytes, but at most 16384 are allowed; store the data elsewhere and "
                        + "return its id");
    }

    @Test
    void resultThatCannotBeWritten_doesNotFailTheJob() {
        Object broken = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("no text");
            }
        };
        tester.register(Handler.named("count").calls((arguments, job) -> Next.done(broken)));
        JobId id = tester.operations().schedule("count").now().id();

        tester.advance(ofMinutes(1));

        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(id).extras().resultMissing()).isEqualTo("the result cannot be written: no text");
    }

    @Test
    void jobWithAResult_canBeAskedForAgainById() {
        tester.register(Handler.named("count").calls((arguments, job) -> Next.done(1)));
        JobId id = JobId.parse("01234567-89ab-7cde-8000-000000000001");
        tester.operations().schedule("count").id(id).now();
        tester.advance(ofMinutes(1));

        assertThat(tester.operations()
                        .schedule("count")
                        .id(id)
                        .after(Duration.ZERO)
                        .state())
                .isEqualTo(JobState.FINISHED);
    }

    @Test
    void noResult_isRefusedAtOnce() {
        assertThatThrownBy(() -> Next.done(null)).hasMessageContaining("Next.asPlanned()");
    }

    private Job job(JobId id) {
        return tester.operations().find(id).orElseThrow();
    }
}
