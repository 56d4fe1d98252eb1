package io.delayjob.test;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.QueueSettings;
import io.delayjob.store.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that a problem of one job does not affect other jobs. Its slot must become free, and the others must run,
 * wherever an exception is thrown.
 */
class NeighboursInVirtualTimeTest {

    private static final Map<String, QueueSettings> ONE_SLOT = Map.of("default", new QueueSettings(1, true));
    private static final JobHandler RETURNS = (arguments, job) -> null;

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final Calls calls = new Calls(time);

    @Test
    void payloadWhoseClassIsMissing_isLeftToOthersAndFailsAtLast() {
        UnlinkedCodec codec = new UnlinkedCodec();
        DelayJobTester tester = builder().codec(codec).build();
        tester.register(Handler.named("poison")
                .parameters(new PayloadParameter("order", String.class))
                .calls(RETURNS));
        tester.register(calls.with(Handler.named("neighbour"), RETURNS));
        tester.runDue();

        JobId poison = tester.operations()
                .schedule("poison")
                .with(Map.of("order", "42"))
                .now()
                .id();
        codec.linked = false;
        tester.advance(ofMillis(100));
        tester.operations().schedule("neighbour").now();
        tester.advance(ofSeconds(5));
        assertThat(calls.count()).as("the neighbour").isEqualTo(1);
        assertThat(stateOf(poison)).isEqualTo(JobState.DELAYED);

        tester.advance(ofDays(2));
        assertThat(stateOf(poison)).isEqualTo(JobState.FAILED);
    }

    @Test
    void stageThatAcceptsNoCallback_isAFailure() {
        DelayJobTester tester = builder().build();
        JobId poison = poisonAndNeighbour(
                tester, Handler.named("poison").retry(RetryPolicy.none()), (arguments, job) -> new DeafStage());

        tester.advance(ofSeconds(5));

        assertThat(calls.count()).as("the neighbour").isEqualTo(1);
        assertThat(stateOf(poison)).isEqualTo(JobState.FAILED);
    }

    @Test
    void timeoutBeyondTheRangeOfNanoseconds_meansNoTimeout() {
        DelayJobTester tester = builder().build();
        JobId lasting = poisonAndNeighbour(tester, Handler.named("poison").timeout(ofSeconds(Long.MAX_VALUE)), RETURNS);

        tester.advance(ofSeconds(5));

        assertThat(calls.count()).as("the neighbour").isEqualTo(1);
        assertThat(stateOf(lasting)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void listenerThatThrowsAnyError_affectsNoJob() {
        DelayJobTester tester = builder()
                .listener(new JobListener() {
                    @Override
                    public void started(Job job, Duration lateness) {
                        throw new StackOverflowError("pretended");
                    }
                })
                .build();
        JobId job = poisonAndNeighbour(tester, Handler.named("poison"), RETURNS);

        tester.advance(ofSeconds(5));

        assertThat(calls.count()).as("the neighbour").isEqualTo(1);
        assertThat(stateOf(job)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void claimThatWasAppliedAndEndedInAnError_isReleased() {
        boolean[] exhausted = {true};
        DelayJobTester tester = builder()
                .store(after(store, (method, answer) -> {
                    if (method.equals("claim") && exhausted[0]) {
                        exhausted[0] = false;
                        throw new OutOfMemoryError("pretended");
                    }
                }))
                .build();
        tester.tolerateFailures();
        JobId job = poisonAndNeighbour(tester, Handler.named("poison"), RETURNS);

        tester.advance(ofSeconds(5));

        assertThat(calls.count()).as("the neighbour").isEqualTo(1);
        assertThat(stateOf(job)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void handlerThatIsSaturated_leavesMemoryToTheOthers() {
        DelayJobTester tester = saturated(Duration.ZERO);

        JobId quick = tester.operations().schedule("quick").now().id();
        tester.advance(ofSeconds(2));

        assertThat(stateOf(quick)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void backlogWithoutRoom_doesNotDelayJobsThatBecomeDue() {
        DelayJobTester tester = saturated(ofSeconds(15));

        tester.operations().schedule("quick").after(ofSeconds(60));
        tester.advance(ofSeconds(90));

        assertThat(calls.all())
                .singleElement()
                .satisfies(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
    }

    @Test
    void backlogOfTheSameHandler_doesNotDelayJobsThatBecomeDue() {
        Map<JobId, Duration> latenesses = new HashMap<>();
        List<CompletableFuture<Object>> underWay = new ArrayList<>();
        DelayJobTester tester = DelayJobTester.builder()
                .time(time)
                .store(store)
                .listener(new JobListener() {
                    @Override
                    public void started(Job job, Duration lateness) {
                        latenesses.put(job.id(), lateness);
                    }
                })
                .settings(settings -> settings.maxJobs(100))
                .build();
        tester.register(Handler.named("busy").concurrency(1).calls((arguments, job) -> {
            CompletableFuture<Object> end = new CompletableFuture<>();
            underWay.add(end);
            return end;
        }));
        tester.runDue();
        for (int i = 0; i < 400; i++) {
            tester.operations().schedule("busy").now();
        }

        JobId onTime = tester.operations().schedule("busy").after(ofSeconds(10)).id();
        for (int i = 0; i < 120; i++) {
            tester.advance(ofMillis(100));
            underWay.forEach(end -> end.complete(null));
            underWay.clear();
        }

        assertThat(latenesses).as("of the backlog, forty seconds of work").hasSizeLessThan(150);
        assertThat(latenesses.get(onTime)).isLessThan(ofMillis(500));
    }

    /** Returns a tester with a handler that never ends, and with more of its jobs than memory may hold. */
    private DelayJobTester saturated(Duration after) {
        DelayJobTester tester = DelayJobTester.builder()
                .time(time)
                .store(store)
                .settings(settings -> settings.maxJobs(100)
                        .window(ofSeconds(10))
                        .sweepInterval(ofSeconds(1))
                        .sweepGrace(ofMillis(200)))
                .build();
        tester.register(
                Handler.named("slow").concurrency(1).calls((arguments, job) -> new CompletableFuture<Object>()));
        tester.register(calls.with(Handler.named("quick"), RETURNS));
        tester.runDue();
        for (int i = 0; i < 300; i++) {
            tester.operations().schedule("slow").after(after);
        }
        return tester;
    }

    private DelayJobTesterBuilder builder() {
        return DelayJobTester.builder()
                .time(time)
                .store(store)
                .settings(settings ->
                        settings.queues(ONE_SLOT).sweepInterval(ofSeconds(1)).sweepGrace(ofMillis(200)));
    }

    private JobId poisonAndNeighbour(DelayJobTester tester, Handler.Builder poison, JobHandler does) {
        tester.register(poison.calls(does));
        tester.register(calls.with(Handler.named("neighbour"), RETURNS));
        tester.runDue();
        JobId id = tester.operations().schedule("poison").now().id();
        tester.advance(ofMillis(100));
        tester.operations().schedule("neighbour").now();
        return id;
    }

    private JobState stateOf(JobId id) {
        return store.find(id).orElseThrow().state();
    }

    /** Returns a store that runs an action after each reply. */
    private static JobStore after(JobStore healthy, BiConsumer<String, @Nullable Object> then) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(healthy, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                    then.accept(method.getName(), answer);
                    return answer;
                });
    }

    /** A codec that cannot read payloads with a parameter, as if a class was missing. */
    private static final class UnlinkedCodec implements PayloadCodec {

        private boolean linked = true;

        @Override
        public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
            if (!linked && !parameters.isEmpty()) {
                throw new NoClassDefFoundError("shop/Order");
            }
            return parameters.isEmpty() ? List.of() : List.of("42");
        }
    }

    private static final class DeafStage extends CompletableFuture<Object> {
        @Override
        public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> action) {
            throw new UnsupportedOperationException("pretended");
        }
    }
}
