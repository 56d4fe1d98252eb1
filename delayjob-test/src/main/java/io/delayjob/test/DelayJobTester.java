package io.delayjob.test;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleWatch;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Runs an engine in virtual time. The test advances the time.
 *
 * <pre>{@code
 * DelayJobTester tester = DelayJobTester.create();
 * tester.register("cancel-unpaid-order", unpaidOrders, "cancel");
 *
 * tester.operations().schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));
 *
 * assertThat(tester).hasDelayed(UnpaidOrders::cancel).withKey(42L);
 * tester.advance(ofMinutes(30));
 * assertThat(tester).hasNoDelayed(UnpaidOrders::cancel);
 * }</pre>
 *
 * <p>Handlers run on the thread that calls {@link #advance}, at the exact millisecond, in the order of their due times.
 * If the engine itself fails, the method {@code advance} throws an {@link AssertionError}. A test can {@linkplain
 * #tolerateFailures() ignore such failures}.
 *
 * <p>Not thread-safe: only one thread may use a tester.
 */
public final class DelayJobTester {

    private final VirtualTime time;
    private final DelayJobEngine engine;
    private final HandlerRegistry handlers;
    private final ScheduleWatch watch = new ScheduleWatch();
    private final DelayJobOperations operations;
    private boolean toleratesFailures;

    /**
     * Creates a tester for an existing engine. The caller starts and stops the engine.
     *
     * @param time the virtual time, with the {@linkplain VirtualTime#clock clock} that the engine uses
     * @param engine the engine. It must run in a process that {@link VirtualTime#process time.process} has created
     * @param handlers the engine's handlers
     * @param listeners the engine's listeners
     */
    public DelayJobTester(VirtualTime time, DelayJobEngine engine, HandlerRegistry handlers, JobListeners listeners) {
        this.time = time;
        this.engine = engine;
        this.handlers = handlers;
        this.operations = watch.over(engine.operations());
        listeners.add(new JobListener() {
            @Override
            public void agentFailed(String role, Throwable failure) {
                if (!toleratesFailures) {
                    time.fail(
                            new AssertionError("The engine's agent '%s' failed: %s".formatted(role, failure), failure));
                }
            }
        });
    }

    /** Returns a tester with a started engine, the memory store and default settings. */
    public static DelayJobTester create() {
        return builder().build();
    }

    /** Starts to build a tester. By default, the tester uses the memory store. */
    public static DelayJobTesterBuilder builder() {
        return new DelayJobTesterBuilder();
    }

    /**
     * Returns a copy of these settings with longer intervals. Otherwise, an engine would do some work in each second of
     * a virtual year. Due times are still exact to the millisecond. The method changes these settings:
     *
     * <ul>
     *   <li>heartbeat (12 hours), liveness (2 days; a {@linkplain VirtualProcess#kill() killed} process counts as lost
     *   after this time) and leases (2 days);
     *   <li>window (1 day), sweep interval (1 hour), grace (1 minute), adoption (after 2 hours);
     *   <li>the tick of the timing wheel (1 microsecond);
     *   <li>how long a stop waits for handlers (zero, because this wait would take real time).
     * </ul>
     */
    public static EngineSettings unhurried(EngineSettings settings) {
        return settings.toBuilder()
                .heartbeat(Duration.ofHours(12))
                .liveness(Duration.ofDays(2))
                .leaseDuration(Duration.ofDays(2))
                .window(Duration.ofDays(1))
                .sweepInterval(Duration.ofHours(1))
                .sweepGrace(Duration.ofMinutes(1))
                .adoptAfter(Duration.ofHours(2))
                .wheelTick(Duration.ofNanos(1_000))
                .stopAwait(Duration.ZERO)
                .build();
    }

    /**
     * Advances time by this duration. Runs every job that becomes due in this time, including the last millisecond of
     * the duration.
     */
    public void advance(Duration duration) {
        time.advance(duration);
    }

    /** Advances store time to this instant. Runs every job that becomes due, like {@link #advance}. */
    public void advanceTo(Instant instant) {
        time.advanceTo(instant);
    }

    /** Runs all jobs that are due at present. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /**
     * Answers the waiting attempt of this handler's job, as another system would do.
     *
     * <pre>{@code
     * tester.answer("ship", Answer.done());
     * }</pre>
     *
     * @throws AssertionError if no job of the handler awaits an answer, or if several jobs do
     */
    public AnswerResult answer(String name, Answer answer) {
        List<Job> awaiting =
                operations.stream(JobQuery.state(JobState.AWAITING).name(name)).toList();
        if (awaiting.size() != 1) {
            throw new AssertionError("Expected one job '%s' to await an answer, but %d do: %s"
                    .formatted(name, awaiting.size(), awaiting));
        }
        return answer(awaiting.get(0).id(), answer);
    }

    /**
     * Answers the present attempt of this job, as another system would do.
     *
     * @throws AssertionError if the job does not exist
     */
    public AnswerResult answer(JobId id, Answer answer) {
        Job job = operations.find(id).orElseThrow(() -> new AssertionError("Job %s does not exist.".formatted(id)));
        return operations.answer(
                new AnswerTicket(id, job.scheduledAt(), job.run(), Math.max(1, job.attempt())), answer);
    }

    /**
     * Ignores failures of the engine's agents from now on. After a failure, the agent is called again, as in
     * production.
     */
    public void tolerateFailures() {
        toleratesFailures = true;
    }

    /** Registers a handler. */
    public DelayJobTester register(Handler handler) {
        handlers.register(handler);
        return this;
    }

    /**
     * Registers a method as a handler, with default rules.
     *
     * @param name the name of the handler in stored jobs
     * @param bean the object with the method
     * @param method name of the method, which must be unique in its class
     */
    public DelayJobTester register(String name, Object bean, String method) {
        return register(ObjectMethod.of(bean, method).handler(Handler.named(name)));
    }

    /**
     * Returns the operations for applications. If a test calls {@code schedule} but never states a time, these
     * operations detect this mistake.
     */
    public DelayJobOperations operations() {
        return operations;
    }

    /** Returns the engine. */
    public DelayJobEngine engine() {
        return engine;
    }

    /** Returns the engine's time. */
    public VirtualTime time() {
        return time;
    }

    /** Returns the present store time. */
    public Instant now() {
        return time.clock().storeTime();
    }

    ScheduleWatch watch() {
        return watch;
    }

    HandlerRegistry handlers() {
        return handlers;
    }

    @Override
    public String toString() {
        return "DelayJobTester[" + now() + "]";
    }
}
