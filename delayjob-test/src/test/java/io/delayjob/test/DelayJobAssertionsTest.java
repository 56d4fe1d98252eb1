package io.delayjob.test;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DelayJobAssertionsTest {

    private final UnpaidOrders orders = new UnpaidOrders();
    private final DelayJobTester tester = DelayJobTester.create()
            .register("cancel-unpaid-order", orders, "cancel")
            .register("remind", orders, "remind")
            .register("refuse", orders, "refuse")
            .register("sweep-up", orders, "sweepUp")
            .register("audit", orders, "audit");

    @Test
    void hasDelayed_findsWaitingJobsByReferenceAndName() {
        tester.operations().schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));
        tester.operations().schedule(UnpaidOrders::remind).with(42L, "please").after(ofMinutes(30));
        tester.operations().schedule(UnpaidOrders::sweepUp).after(ofMinutes(30));
        tester.operations().schedule(UnpaidOrders::audit).after(ofMinutes(30));

        assertThat(tester)
                .hasDelayed(UnpaidOrders::cancel)
                .once()
                .withKey(42)
                .dueAt(tester.now().plus(ofMinutes(30)));
        assertThat(tester).hasDelayed(UnpaidOrders::remind).times(1);
        assertThat(tester).hasDelayed(UnpaidOrders::sweepUp);
        assertThat(tester).hasDelayed(UnpaidOrders::audit);
        assertThat(tester).hasDelayed("cancel-unpaid-order").withKey(42);
        assertThat(tester.operations()).hasDelayed("cancel-unpaid-order").withKey(42);
        assertThat(tester).hasNoDelayed(UnpaidOrders::refuse).hasNoFailed(UnpaidOrders::refuse);
        assertThat(tester.operations()).hasNoDelayed("refuse").hasNoFailed("refuse");
    }

    @Test
    void hasDelayed_includesWhatIsDueAndNotYetStarted() {
        tester.operations().schedule(UnpaidOrders::cancel).with(42L).now();

        assertThat(tester).hasDelayed(UnpaidOrders::cancel);
        tester.runDue();
        assertThat(tester).hasNoDelayed(UnpaidOrders::cancel);
    }

    @Test
    void hasDelayed_followsARename() {
        tester.register(
                Handler.named("new-name").formerNames(Set.of("old-name")).calls((arguments, job) -> null));
        tester.operations().schedule("new-name").after(ofMinutes(1));

        assertThat(tester).hasDelayed("new-name");
    }

    @Test
    void hasDelayed_narrowsByRunAndFailures() {
        tester.register(Handler.named("flaky").calls((arguments, job) -> {
            if (job.run() == 2) {
                throw new IllegalStateException("not today");
            }
            return null;
        }));
        tester.operations().schedule("flaky").repeat(Repeat.every(ofMinutes(10)));

        tester.advance(ofMinutes(20));

        assertThat(tester).hasDelayed("flaky").atRun(2).withFailures(1);
        assertFails(
                () -> assertThat(tester).hasDelayed("flaky").atRun(3),
                "Expected a delayed job 'flaky' at run 3, but found only:",
                "run 2, 1 failures");
    }

    @Test
    void hasFailed_findsDeadLettersWithTheirError() {
        tester.register(Handler.named("doomed").retry(RetryPolicy.none()).calls((arguments, job) -> {
            throw new IllegalStateException("order 42 is locked");
        }));
        tester.operations().schedule("doomed").key("a").now();
        tester.operations().schedule("doomed").key("b").now();
        tester.runDue();

        assertThat(tester).hasFailed("doomed").times(2).withKey("b").withError("locked");
        assertThat(tester).hasFailed("doomed").withError("IllegalStateException");
        assertThat(tester.operations()).hasFailed("doomed");
        assertFails(
                () -> assertThat(tester).hasNoFailed("doomed"),
                "Expected no failed job 'doomed', but found 2:",
                "order 42 is locked");
    }

    @Test
    void failures_listWhatWasFound() {
        tester.operations().schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));

        assertFails(
                () -> assertThat(tester).hasDelayed(UnpaidOrders::refuse),
                "Expected a delayed job 'refuse', but found none.");
        assertFails(
                () -> assertThat(tester).hasDelayed(UnpaidOrders::cancel).withKey(43),
                "Expected a delayed job 'cancel-unpaid-order' with key '43', but found only:",
                "key 42",
                "due 2030-01-01T00:30:00Z");
        assertFails(
                () -> assertThat(tester).hasDelayed(UnpaidOrders::cancel).times(2),
                "Expected 2 x delayed job 'cancel-unpaid-order', but found 1:");
        assertFails(
                () -> assertThat(tester).hasNoDelayed(UnpaidOrders::cancel),
                "Expected no delayed job 'cancel-unpaid-order', but found 1:");
    }

    @Test
    void hasDelayed_countsFromThePresent() {
        tester.advance(ofMinutes(7));
        tester.operations().schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));

        assertThat(tester).hasDelayed(UnpaidOrders::cancel).withKey(42L).dueIn(ofMinutes(30));
        tester.advance(ofMinutes(10));
        assertThat(tester).hasDelayed(UnpaidOrders::cancel).dueIn(ofMinutes(20));
        assertFails(
                () -> assertThat(tester).hasDelayed(UnpaidOrders::cancel).dueIn(ofMinutes(30)),
                "due at 2030-01-01T00:47:00Z, but found only:");
        assertThatThrownBy(() -> assertThat(tester.operations())
                        .hasDelayed("cancel-unpaid-order")
                        .dueIn(ofMinutes(20)))
                .hasMessage(
                        "dueIn(PT20M) counts from a tester's virtual time: begin with assertThat(tester), or use dueAt(…).");
    }

    @Test
    void hasFinished_findsWhatHasRun() {
        tester.operations().schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));
        tester.operations().schedule(UnpaidOrders::remind).with(42L, "please").now();
        tester.operations().schedule(UnpaidOrders::sweepUp).now();
        tester.operations().schedule(UnpaidOrders::audit).now();

        assertFails(
                () -> assertThat(tester).hasFinished(UnpaidOrders::cancel),
                "Expected a finished job 'cancel-unpaid-order', but found none.");
        tester.advance(ofMinutes(30));

        assertThat(tester).hasFinished(UnpaidOrders::cancel).withKey(42).once();
        assertThat(tester).hasFinished(UnpaidOrders::remind).once();
        assertThat(tester).hasFinished(UnpaidOrders::sweepUp);
        assertThat(tester).hasFinished(UnpaidOrders::audit);
        assertThat(tester).hasFinished("cancel-unpaid-order");
        assertThat(tester.operations()).hasFinished("cancel-unpaid-order").withKey(42);
    }

    @Test
    void hasDelayed_narrowsByWhatEachJobCarries() {
        tester.register(Handler.named("plain").calls((arguments, job) -> null));
        tester.register(Handler.named("limited")
                .rate(RateLimit.of("1/s"))
                .rateBy(arguments -> "any")
                .fairBy(arguments -> "any")
                .calls((arguments, job) -> null));
        tester.operations()
                .schedule("plain")
                .mutex(7)
                .label("customer:42")
                .group("import-42")
                .expiresAfter(ofMinutes(5))
                .after(ofMinutes(30));
        tester.operations().schedule("limited").rateKey(8).fairKey(9).after(ofMinutes(30));

        assertThat(tester)
                .hasDelayed("plain")
                .withMutex(7)
                .withLabel("customer:42")
                .inGroup("import-42")
                .expiringAt(tester.now().plus(ofMinutes(35)));
        assertThat(tester).hasDelayed("limited").withRateKey(8).withFairKey(9);
        assertFails(() -> assertThat(tester).hasDelayed("plain").withMutex(8), "'plain' with mutex '8', but found");
        assertFails(() -> assertThat(tester).hasDelayed("plain").withLabel("x"), "'plain' with label 'x', but found");
        assertFails(() -> assertThat(tester).hasDelayed("plain").inGroup("x"), "'plain' in group 'x', but found");
        assertFails(
                () -> assertThat(tester).hasDelayed("plain").expiringAt(tester.now()),
                "'plain' that expires at 2030-01-01T00:00:00Z, but found");
        assertFails(() -> assertThat(tester).hasDelayed("limited").withRateKey(9), "with rate key '9', but found");
        assertFails(() -> assertThat(tester).hasDelayed("limited").withFairKey(8), "with fair key '8', but found");
    }

    @Test
    void hasFinished_narrowsByResultAndPlaceInAChain() {
        tester.register(Handler.named("count").calls((arguments, job) -> Next.done(4711)));
        tester.register(Handler.named("report").calls((arguments, job) -> null));
        ScheduledChain chain =
                tester.operations().schedule("count").then("report").now();

        tester.runDue();

        JobId first = chain.first().id();
        assertThat(tester).hasFinished("count").withResult("4711");
        assertThat(tester).hasFinished("report").following(first);
        assertFails(() -> assertThat(tester).hasFinished("count").withResult("1"), "with result 1, but found");
        assertFails(() -> assertThat(tester).hasFinished("count").following(first), "that follows job " + first);
    }

    @Test
    void jobs_areInTheOrderOfTheirCreation_evenIfTheyEndedInAnother() {
        JobId first = tester.operations()
                .schedule(UnpaidOrders::sweepUp)
                .after(ofMinutes(2))
                .id();
        tester.advance(ofMinutes(1));
        JobId second = tester.operations()
                .schedule(UnpaidOrders::sweepUp)
                .after(ofMinutes(1))
                .id();
        tester.operations().reschedule(first, ofMinutes(5));
        tester.advance(ofMinutes(5));

        assertThat(tester)
                .hasFinished(UnpaidOrders::sweepUp)
                .jobs()
                .extracting(Job::id)
                .containsExactly(first, second);
    }

    @Test
    void hasCancelled_findsJobsThatWereCancelledOrExpired() {
        JobId id = tester.operations()
                .schedule(UnpaidOrders::cancel)
                .with(42L)
                .key(42L)
                .after(ofMinutes(30))
                .id();
        tester.operations().cancel(id);

        assertThat(tester).hasCancelled(UnpaidOrders::cancel).withKey(42).once();
        assertThat(tester).hasCancelled("cancel-unpaid-order");
        assertThat(tester.operations()).hasCancelled("cancel-unpaid-order");
        assertFails(() -> assertThat(tester).hasCancelled(UnpaidOrders::remind), "Expected a cancelled job 'remind'");
        assertFails(() -> assertThat(tester).hasCancelled(UnpaidOrders::sweepUp), "Expected a cancelled job");
        assertFails(() -> assertThat(tester).hasCancelled(UnpaidOrders::audit), "Expected a cancelled job 'audit'");
    }

    @Test
    void unknownNames_areRefused() {
        String message = "Unknown handler 'greett'. The handlers are 'audit', 'cancel-unpaid-order', 'refuse', "
                + "'remind', 'sweep-up'.";

        assertFails(() -> assertThat(tester).hasDelayed("greett"), message);
        assertFails(() -> assertThat(tester).hasNoDelayed("greett"), message);
        assertFails(() -> assertThat(tester).hasFailed("greett"), message);
        assertFails(() -> assertThat(tester).hasNoFailed("greett"), message);
        assertFails(() -> assertThat(tester).hasFinished("greett"), message);
        assertFails(() -> assertThat(tester).hasCancelled("greett"), message);

        tester.operations().schedule("elsewhere").after(ofMinutes(1));
        assertThat(tester).hasNoFailed("elsewhere").hasDelayed("elsewhere");
    }

    @Test
    void manyJobs_areAllFound() {
        for (int i = 0; i < 1_201; i++) {
            tester.operations().schedule(UnpaidOrders::cancel).with((long) i).after(ofMinutes(i));
        }

        assertThat(tester).hasDelayed(UnpaidOrders::cancel).times(1_201);
        assertThat(tester).hasDelayed(UnpaidOrders::cancel).jobs().hasSize(1_201);
    }

    private static void assertFails(ThrowingCallable assertion, String... parts) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessageContainingAll(parts);
    }
}
