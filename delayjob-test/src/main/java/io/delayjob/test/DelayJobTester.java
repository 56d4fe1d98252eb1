package io.delayjob.test;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleWatch;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.time.Instant;

/**
 * An engine whose time passes when the test says so.
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
 * <p>Handlers run on the thread that calls {@link #advance}, to the millisecond, in the order in which they come due. A
 * failure in the engine itself, such as a store that throws, ends the {@code advance} under way with an
 * {@link AssertionError}, unless the test {@linkplain #tolerateFailures() expects such}.
 *
 * <p>Not thread-safe: one thread tests.
 */
public final class DelayJobTester {

    private final VirtualTime time;
    private final DelayJobEngine engine;
    private final HandlerRegistry handlers;
    private final ScheduleWatch watch = new ScheduleWatch();
    private final DelayJobOperations operations;
    private boolean toleratesFailures;

    /**
     * Wraps an engine that was made with this time's clock and a {@linkplain VirtualTime#process process} of it;
     * starting and stopping it is left to the caller.
     *
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

    /** A started engine over the memory store, with defaults. */
    public static DelayJobTester create() {
        return builder().build();
    }

    /** Starts to build an engine over the memory store, or a store of your choice. */
    public static DelayJobTesterBuilder builder() {
        return new DelayJobTesterBuilder();
    }

    /**
     * These settings, with pauses that suit virtual time: what an engine does by the second for the sake of real
     * clocks, crashes and other instances would be done 31 million times in a virtual year. Due times are kept to the
     * millisecond all the same. Changed are:
     *
     * <ul>
     *   <li>heartbeat (12 hours), liveness (2 days) and leases (2 days): so long it takes until a
     *       {@linkplain VirtualProcess#kill() killed} process is given up for lost;
     *   <li>window (1 day), sweep interval (1 hour), grace (1 minute), adoption (after 2 hours);
     *   <li>the wheel's tick (1 microsecond);
     *   <li>what stopping waits for (nothing: real time would pass).
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

    /** Lets time pass, and runs whatever comes due until then, to the present millisecond inclusive. */
    public void advance(Duration duration) {
        time.advance(duration);
    }

    /** Lets time pass until store time is {@code instant}, as {@link #advance} does. */
    public void advanceTo(Instant instant) {
        time.advanceTo(instant);
    }

    /** Runs whatever is due now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** From now on failures of the engine's agents are the test's business: they are retried, as in real life. */
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
     * @param name the name its jobs are stored under
     * @param bean the object it is called on
     * @param method the method's name; there must be one of that name only
     */
    public DelayJobTester register(String name, Object bean, String method) {
        return register(ObjectMethod.of(bean, method).handler(Handler.named(name)));
    }

    /** The operations of applications, watched for calls of {@code schedule(…)} that never get a time. */
    public DelayJobOperations operations() {
        return operations;
    }

    /** The engine. */
    public DelayJobEngine engine() {
        return engine;
    }

    /** The time it lives in. */
    public VirtualTime time() {
        return time;
    }

    /** The present store time. */
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
