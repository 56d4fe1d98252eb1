package io.delayjob.test;

import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs agents and handlers in virtual time, which passes only when a test advances it. All agents and handlers run on
 * the thread that calls {@link #advance}, in the order of virtual time. If several agents or handlers are due at the
 * same moment, they run in the order of their requests. Therefore a test always runs in the same way.
 *
 * <pre>
 *       advance(30 min)
 *   |------------------------------------------------&gt;|
 *   o        o              o  o                  o   |      the clock jumps from event to event
 *   agents   agent woken    handler                   now
 * </pre>
 *
 * <p>The work of agents and handlers takes no virtual time. To test a long handler, let the handler return a {@code
 * CompletionStage} that the test completes later. The handler itself may also advance the time with {@link #advance}.
 *
 * <p>Several {@linkplain #process processes} can share a virtual time. Another thread can wake up an agent or submit a
 * task. The agent or the task then runs at the next {@link #advance} or {@link #runDue}.
 */
public final class VirtualTime {

    /** If there are more calls at one instant, the agents probably wake up each other for ever. */
    private static final int MAX_CALLS_AT_ONE_INSTANT = 100_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final VirtualClock clock;
    private final TreeSet<VirtualEvent> events = new TreeSet<>();
    private long lastNumber;
    private @Nullable AssertionError pendingFailure;
    private long instantNanos;
    private int callsAtThisInstant;

    /** Creates a virtual time that begins at {@code start}, rounded down to a millisecond. */
    public VirtualTime(Instant start) {
        clock = new VirtualClock(start);
    }

    /** Returns the clock. */
    public VirtualClock clock() {
        return clock;
    }

    /**
     * Returns a new process. If an agent of the process fails, the method {@link #advance} throws an {@link
     * AssertionError}.
     */
    public VirtualProcess process(String name) {
        return process(name, AgentFailures.FAIL_TEST);
    }

    /**
     * Returns a new process.
     *
     * @param failures receives the exceptions of the agents
     */
    public VirtualProcess process(String name, AgentFailures failures) {
        return new VirtualProcess(name, this, failures);
    }

    /**
     * Advances time by this duration. Runs all work that becomes due in this time, including the last millisecond of
     * the duration.
     */
    public void advance(Duration duration) {
        Stated.notNull(duration, "duration to advance by", "must be zero or more");
        long target = VirtualClock.after(clock.nanoTime(), duration);
        VirtualEvent event = next(target);
        while (event != null) {
            if (event.atNanos() > clock.nanoTime()) {
                clock.moveTo(event.atNanos());
            }
            event.action().run();
            throwFailure();
            // A handler may have advanced time beyond the target of this call.
            event = next(Math.max(target, clock.nanoTime()));
        }
        if (clock.nanoTime() < target) {
            clock.moveTo(target);
        }
    }

    /** Advances store time to this instant. Runs all work that becomes due, like {@link #advance}. */
    public void advanceTo(Instant instant) {
        Stated.notNull(instant, "instant", "must be the present store time or later");
        Instant now = clock.storeTime();
        if (instant.isBefore(now)) {
            throw new IllegalArgumentException(
                    "Invalid instant %s: it is already %s, and virtual time only goes forwards."
                            .formatted(instant, now));
        }
        advance(Duration.between(now, instant));
    }

    /** Runs all work that is due at present. The store time does not change. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Store time has only milliseconds, so this method includes events up to the end of the millisecond. */
    private synchronized @Nullable VirtualEvent next(long nanos) {
        long lastOfMillisecond = nanos - nanos % NANOS_PER_MILLI + NANOS_PER_MILLI - 1;
        boolean due = !events.isEmpty() && events.first().atNanos() <= lastOfMillisecond;
        return due ? events.pollFirst() : null;
    }

    synchronized void fail(AssertionError failure) {
        pendingFailure = pendingFailure == null ? failure : pendingFailure;
    }

    private synchronized void throwFailure() {
        AssertionError failure = pendingFailure;
        if (failure != null) {
            pendingFailure = null;
            throw failure;
        }
    }

    synchronized VirtualEvent schedule(long delayNanos, Runnable action) {
        long now = clock.nanoTime();
        long delay = Math.max(0, Math.min(delayNanos, Long.MAX_VALUE - now));
        VirtualEvent event = new VirtualEvent(now + delay, ++lastNumber, action);
        events.add(event);
        return event;
    }

    synchronized void cancel(VirtualEvent event) {
        events.remove(event);
    }

    void countCall(String role) {
        long now = clock.nanoTime();
        if (now != instantNanos) {
            instantNanos = now;
            callsAtThisInstant = 0;
        }
        if (++callsAtThisInstant > MAX_CALLS_AT_ONE_INSTANT) {
            callsAtThisInstant = 0;
            throw new IllegalStateException(
                    "Time stands still at %s: agents have been called %d times at this instant, and the last called agent is '%s'. Check whether a job or an agent asks to run again without a delay."
                            .formatted(clock.storeTime(), MAX_CALLS_AT_ONE_INSTANT, role));
        }
    }

    @Override
    public String toString() {
        return "VirtualTime[" + clock.storeTime() + "]";
    }
}
