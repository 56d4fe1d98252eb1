package io.delayjob.test;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DelayJobTesterTest {

    private final UnpaidOrders orders = new UnpaidOrders();
    private final DelayJobTester tester = DelayJobTester.create()
            .register("cancel-unpaid-order", orders, "cancel")
            .register("remind", orders, "remind")
            .register("sweep-up", orders, "sweepUp")
            .register("audit", orders, "audit");

    @Test
    void tester_runsJobsOfBeanMethodsOnTheTestsThread() {
        tester.operations().schedule(UnpaidOrders::cancel).with(42L).after(ofMinutes(30));
        tester.operations().schedule(UnpaidOrders::remind).with(7L, "please").after(ofMinutes(10));
        tester.operations().schedule(UnpaidOrders::sweepUp).now();
        tester.operations().schedule(UnpaidOrders::audit).now();

        tester.runDue();
        assertThat(orders.log).containsExactly("sweepUp", "audit, attempt 1");
        tester.advance(ofMinutes(30).minusMillis(1));
        assertThat(orders.log).hasSize(3).endsWith("remind 7 please, run 1");
        tester.advance(Duration.ofMillis(1));
        assertThat(orders.log).hasSize(4).endsWith("cancel 42");
    }

    @Test
    void advanceTo_runsWhatIsDueUntilThen() {
        tester.operations().schedule(UnpaidOrders::cancel).with(42L).at(Instant.parse("2031-07-01T12:00:00.007Z"));

        tester.advanceTo(Instant.parse("2031-07-01T12:00:00.006Z"));
        assertThat(orders.log).isEmpty();
        tester.advanceTo(Instant.parse("2031-07-01T12:00:00.007Z"));
        assertThat(orders.log).containsExactly("cancel 42");
        assertThat(tester.now()).isEqualTo(Instant.parse("2031-07-01T12:00:00.007Z"));
    }

    @Test
    void answer_reachesTheOneJobThatAwaitsIt() {
        tester.register(Handler.named("ship").calls((arguments, job) -> Next.awaitAnswer(ofMinutes(30))));
        JobId first = tester.operations().schedule("ship").now().id();
        tester.runDue();

        assertThat(tester.answer("ship", Answer.stillWorking(ofMinutes(60)))).isEqualTo(AnswerResult.TAKEN);
        JobId second = tester.operations().schedule("ship").now().id();
        tester.runDue();

        assertThatThrownBy(() -> tester.answer("ship", Answer.done()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Expected one job 'ship' to await an answer, but 2 do");
        assertThat(tester.answer(first, Answer.done())).isEqualTo(AnswerResult.TAKEN);
        assertThat(tester.answer(second, Answer.failedForGood("no van"))).isEqualTo(AnswerResult.TAKEN);
        assertThat(tester.answer(first, Answer.done())).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThatThrownBy(() -> tester.answer("ship", Answer.done())).isInstanceOf(AssertionError.class);
    }

    @Test
    void handler_maySchedule() {
        List<String> seen = new ArrayList<>();
        tester.register(Handler.named("countdown")
                .parameters(new PayloadParameter("n", int.class))
                .calls((arguments, job) -> {
                    int n = (int) arguments.get(0);
                    seen.add(n + "@" + Duration.between(Instant.parse("2030-01-01T00:00:00Z"), tester.now()));
                    if (n > 0) {
                        tester.operations()
                                .schedule("countdown")
                                .with(Map.of("n", n - 1))
                                .after(ofSeconds(n));
                    }
                    return null;
                }));
        tester.operations().schedule("countdown").with(Map.of("n", 3)).now();

        tester.advance(ofHours(1));

        assertThat(seen).containsExactly("3@PT0S", "2@PT3S", "1@PT5S", "0@PT6S");
    }

    @Test
    void handler_thatTakesLongCompletesItsStageLater() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        tester.register(Handler.named("ask").calls((arguments, job) -> answer));
        JobId id = tester.operations().schedule("ask").now().id();

        tester.advance(ofMinutes(5));
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        answer.complete(null);
        tester.runDue();

        assertThat(state(id)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void handler_afterItsTimeout_isInterrupted_andMayEndItself() {
        List<Boolean> interrupted = new ArrayList<>();
        tester.register(Handler.named("slow").timeout(ofSeconds(30)).calls((arguments, job) -> {
            tester.advance(ofSeconds(29));
            interrupted.add(job.isInterrupted());
            tester.advance(ofSeconds(1));
            interrupted.add(job.isInterrupted());
            return null;
        }));
        JobId id = tester.operations().schedule("slow").now().id();

        tester.runDue();

        assertThat(interrupted).containsExactly(false, true);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(state(id)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void handler_thatDoesNotEnd_isWrittenOff_andInDoubtUntilItEnds() {
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        tester.register(Handler.named("hang").timeout(ofSeconds(30)).calls((arguments, job) -> {
            answers.add(answers.isEmpty() ? new CompletableFuture<>() : CompletableFuture.completedFuture(null));
            return answers.get(answers.size() - 1);
        }));
        JobId id = tester.operations().schedule("hang").now().id();

        tester.advance(ofSeconds(36));
        Job writtenOff = tester.operations().find(id).orElseThrow();
        assertThat(writtenOff.inDoubt()).isEqualTo(1);
        assertThat(writtenOff.failures()).isEqualTo(1);
        tester.advance(ofSeconds(20));
        assertThat(answers).as("a retry would cost this instance another slot").hasSize(1);

        answers.get(0).complete(null);
        tester.advance(ofHours(2));

        assertThat(answers).as("a retry followed").hasSize(2);
        assertThat(tester.operations().find(id)).get().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.FINISHED);
            assertThat(job.inDoubt()).isZero();
        });
    }

    @Test
    void sameTest_runsInTheSameWayEachTime() {
        assertThat(course()).isEqualTo(course());
    }

    private static List<String> course() {
        DelayJobTester tester = DelayJobTester.create();
        List<String> seen = new ArrayList<>();
        tester.register(Handler.named("flaky").calls((arguments, job) -> {
            seen.add(job.id() + "/" + job.attempt() + "@" + tester.now());
            if (job.attempt() < 4) {
                throw new IllegalStateException("not yet");
            }
            return null;
        }));
        for (int i = 0; i < 20; i++) {
            tester.operations().schedule("flaky").after(ofSeconds(i % 7));
        }
        tester.advance(ofDays(1));
        return seen;
    }

    @Test
    void engineThatFails_endsTheTest() {
        DelayJobTester broken = DelayJobTester.builder()
                .store(new FaultyStore(new MemoryJobStore(() -> 0), method -> method.equals("partitionsInUse")).store())
                .build()
                .register("sweep-up", orders, "sweepUp");

        assertThatThrownBy(() -> broken.advance(ofDays(2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("lease")
                .hasCauseInstanceOf(StoreException.class);
    }

    @Test
    void engineThatFails_isToleratedOnRequest() {
        DelayJobTester broken = DelayJobTester.builder()
                .store(new FaultyStore(new MemoryJobStore(() -> 0), method -> method.equals("dueAfter")).store())
                .build();
        broken.tolerateFailures();
        broken.register("sweep-up", orders, "sweepUp");
        broken.operations().schedule(UnpaidOrders::sweepUp).after(ofHours(1));

        broken.advance(ofHours(2));

        assertThat(orders.log).containsExactly("sweepUp");
    }

    @Test
    void jobThatSchedulesItselfWithoutEnd_isDetected() {
        tester.register(Handler.named("again").calls((arguments, job) -> {
            tester.operations().schedule("again").now();
            return null;
        }));
        tester.operations().schedule("again").now();

        assertThatThrownBy(tester::runDue)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Time stands still at 2030-01-01T00:00:00Z");
    }

    @Test
    void register_refusesAMethodNameThatIsNotUnique() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.register("x", orders, "twice"))
                .withMessageContaining("twice")
                .withMessageContaining("2 methods");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.register("x", orders, "missing"))
                .withMessageContaining("missing")
                .withMessageContaining("0 methods");
    }

    @Test
    void payloads_keepTheirTypes() {
        tester.register(Handler.named("typed")
                .parameters(
                        new PayloadParameter("n", long.class),
                        new PayloadParameter("flag", boolean.class),
                        new PayloadParameter("text", String.class, true),
                        new PayloadParameter("maybe", Optional.class))
                .calls((arguments, job) -> {
                    orders.log.add(arguments.toString());
                    return null;
                }));

        tester.operations()
                .schedule("typed")
                .with(Map.of("n", 5L, "flag", true))
                .now();
        tester.runDue();

        assertThat(orders.log).containsExactly("[5, true, null, Optional.empty]");
    }

    @Test
    void payloads_withoutAnArgumentAreReadIfItMayBeMissing() {
        ReferencePayloads payloads = new ReferencePayloads();
        String stored = payloads.encodeNamed(Map.of("n", 5L));
        PayloadParameter number = new PayloadParameter("n", long.class);

        assertThat(payloads.decode(List.of(number, new PayloadParameter("flag", Boolean.class, true)), stored))
                .containsExactly(5L, null);
        assertThatThrownBy(() -> payloads.decode(List.of(number, new PayloadParameter("flag", boolean.class)), stored))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("'flag' (boolean) is missing");
        assertThatThrownBy(() -> payloads.decode(List.of(new PayloadParameter("m", Long.class, true)), stored))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("no parameter is named 'n'");
    }

    @Test
    void nullInput_isRefusedByNameAndRule() {
        DelayJobTester tester = DelayJobTester.create();
        Object bean = new Object();
        Map.<ThrowingCallable, String>of(
                        () -> tester.advance(null), "duration to advance by",
                        () -> tester.advanceTo(null), "instant",
                        () -> tester.register(null), "handler",
                        () -> tester.register(null, bean, "toString"), "job name",
                        () -> tester.register("x", null, "toString"), "bean",
                        () -> tester.register("x", bean, null), "handler method")
                .forEach((call, what) -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("Invalid " + what + " null: must be "));
    }

    @Test
    void payloads_ofAWrongTypeAreRefusedWhereTheyAreRead() {
        ReferencePayloads payloads = new ReferencePayloads();
        String stored = payloads.encodeNamed(Map.of("n", "five"));

        assertThatThrownBy(() -> payloads.decode(List.of(new PayloadParameter("n", long.class)), stored))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("at 'n': must be long, but is a java.lang.String")
                .hasMessageNotContaining("five");
        assertThatThrownBy(() -> payloads.decode(List.of(), "\"#99\""))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("#99");
    }

    @Test
    void context_tellsOfTheAttempt() {
        List<String> seen = new ArrayList<>();
        tester.register(Handler.named("told").calls((arguments, job) -> {
            seen.add(describe(job));
            return null;
        }));

        tester.operations().schedule("told").key("k").after(ofSeconds(2));
        tester.advance(ofSeconds(2));

        assertThat(seen).containsExactly("told k 1 1 0 2030-01-01T00:00:02Z 2030-01-01T00:00:02Z");
    }

    private static String describe(JobContext job) {
        return "%s %s %d %d %d %s %s"
                .formatted(
                        job.name(), job.key(), job.run(), job.attempt(), job.failures(), job.plannedAt(), job.dueAt());
    }

    private JobState state(JobId id) {
        return tester.operations().find(id).orElseThrow().state();
    }
}
