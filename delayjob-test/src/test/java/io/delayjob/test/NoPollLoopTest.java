package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.job.Completion;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests that show the difference between the engine and a poll loop. To start jobs on time, the engine needs no
 * polling. To find all jobs, it needs no memory.
 */
class NoPollLoopTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore memory = new MemoryJobStore(time.clock()::storeMicros);
    private final Calls calls = new Calls(time);

    @Test
    void withoutAnyRead_andWithIntervalsOfAnHour_passedOnJobsStartOnTime() {
        DelayJobTester tester = DelayJobTester.builder()
                .time(time)
                .store(withoutReads())
                .settings(settings -> settings.heartbeat(ofHours(1))
                        .liveness(ofHours(4))
                        .leaseDuration(ofHours(1))
                        .window(ofHours(1))
                        .sweepInterval(ofHours(1))
                        .sweepGrace(ofHours(1))
                        .adoptAfter(ofHours(1)))
                .build();
        register(tester);
        tester.runDue();

        schedule(tester);
        tester.advance(ofMinutes(59));

        assertThat(calls.count()).isEqualTo(1_000 + 200 + 100 * 5);
        assertThat(calls.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
        assertAllEnded();
    }

    @Test
    void ifNoRowIsPassedOn_allJobsStillRun() {
        DelayJobTester tester = DelayJobTester.builder()
                .time(time)
                .store(withoutHandOvers())
                .settings(settings -> settings.heartbeat(ofSeconds(2))
                        .liveness(ofSeconds(10))
                        .leaseDuration(ofSeconds(10))
                        .window(ofSeconds(10))
                        .sweepInterval(ofSeconds(1))
                        .sweepGrace(ofMillis(200))
                        .adoptAfter(ofSeconds(5)))
                .build();
        register(tester);
        tester.runDue();

        schedule(tester);
        tester.advance(ofHours(2));

        assertThat(calls.count()).isEqualTo(1_000 + 200 + 100 * 5);
        assertThat(calls.all())
                .allSatisfy(call ->
                        assertThat(Duration.between(call.dueAt(), call.at())).isBetween(Duration.ZERO, ofSeconds(2)));
        assertAllEnded();
    }

    @Test
    void rowThatIsCommittedLate_beforeTheSweptRows_isFound() {
        DelayJobTester tester =
                DelayJobTester.builder().time(time).store(memory).build();
        register(tester);
        StoreScenario rows = new StoreScenario(memory);
        rows.submit(rows.job().name("once").at(time.clock().storeTime().minusSeconds(600)));
        tester.advance(ofHours(2));
        assertThat(calls.count()).isEqualTo(1);

        for (int minutes = 10_000; minutes > 0; minutes -= 1_000) {
            rows.submit(rows.job().name("once").at(time.clock().storeTime().minus(ofMinutes(minutes))));
            tester.advance(ofHours(2));
        }

        assertThat(calls.count()).isEqualTo(11);
    }

    private void register(DelayJobTester tester) {
        tester.register(calls.named("once"));
        tester.register(calls.with(Handler.named("flaky").retry(RetryPolicy.gaps(ofSeconds(3))), (arguments, job) -> {
            if (job.failures() == 0) {
                throw new IllegalStateException("not yet");
            }
            return null;
        }));
        tester.register(calls.named("repeated"));
    }

    private static void schedule(DelayJobTester tester) {
        Random random = new Random(5);
        for (int i = 0; i < 1_000; i++) {
            tester.operations().schedule("once").after(ofMillis(random.nextInt(3_000_000)));
        }
        for (int i = 0; i < 100; i++) {
            tester.operations().schedule("flaky").after(ofMillis(random.nextInt(3_000_000)));
            tester.operations()
                    .schedule("repeated")
                    .repeat(Repeat.every(ofMillis(100 + random.nextInt(600_000)))
                            .times(5));
        }
    }

    private void assertAllEnded() {
        assertThat(memory.counts(time.clock().storeTime())).satisfies(counts -> {
            assertThat(counts.in(JobState.FINISHED)).isEqualTo(1_200);
            assertThat(counts.in(JobState.DELAYED)
                            + counts.in(JobState.READY)
                            + counts.in(JobState.RUNNING)
                            + counts.in(JobState.FAILED))
                    .isZero();
        });
    }

    /** Returns a store in which neither the window reader nor the sweep ever finds a row. */
    private JobStore withoutReads() {
        return wrapped((method, arguments) -> switch (method) {
            case "dueAfter" -> DuePage.none();
            case "overdue" -> DuePage.none();
            default -> CALL_THROUGH;
        });
    }

    /**
     * Returns a store whose written rows never reach a wheel. Rows of applications are not passed on. Rows of
     * completions have another token than the completer expects.
     */
    private JobStore withoutHandOvers() {
        Random tokens = new Random(6);
        return wrapped((method, arguments) -> {
            for (int i = 0; arguments != null && i < arguments.length; i++) {
                if (arguments[i] instanceof DueSink) {
                    arguments[i] = DueSink.NONE;
                }
            }
            if (method.equals("complete")) {
                arguments[0] = ((List<?>) arguments[0])
                        .stream()
                                .map(Completion.class::cast)
                                .map(c -> new Completion(
                                        c.job(),
                                        c.outcome(),
                                        c.next(),
                                        tokens.nextLong(),
                                        c.endedAt(),
                                        c.failure(),
                                        c.keep(),
                                        c.log()))
                                .toList();
            }
            return CALL_THROUGH;
        });
    }

    private static final Object CALL_THROUGH = new Object();

    private interface Interception {
        Object call(String method, Object[] arguments);
    }

    private JobStore wrapped(Interception interception) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    Object answer = interception.call(method.getName(), arguments);
                    if (answer != CALL_THROUGH) {
                        return answer;
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
