package io.delayjob.test;

import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Time that passes when the test says so. All that engines do, agents and handlers alike, happens on the thread that
 * calls {@link #advance}, in the order of its virtual time, and in the order of its being asked for within one moment:
 * the same test takes the same course each time.
 *
 * <pre>
 *       advance(30 min)
 *   |------------------------------------------------&gt;|
 *   o        o              o  o                  o   |      the clock jumps from event to event
 *   agents   agent woken    handler                   now
 * </pre>
 *
 * <p>Nothing takes virtual time by itself. A handler that is to take long returns a {@code CompletionStage} which the
 * test completes later, or calls {@link #advance} itself: what else comes due meanwhile runs within that call.
 *
 * <p>Several {@linkplain #process processes} can share it, and one of them can be {@linkplain VirtualProcess#kill()
 * killed}.
 *
 * <p>Other threads may wake agents and hand in tasks; they run at the next {@link #advance} or {@link #runDue}.
 */
public final class VirtualTime {

    /** Agents called so often at one instant are calling each other for ever. */
    private static final int MAX_CALLS_AT_ONE_INSTANT = 100_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final VirtualClock clock;
    private final TreeSet<VirtualEvent> events = new TreeSet<>();
    private long lastNumber;
    private @Nullable AssertionError pendingFailure;
    private long instantNanos;
    private int callsAtThisInstant;

    /** Time that begins at {@code start}, cut to the millisecond. */
    public VirtualTime(Instant start) {
        clock = new VirtualClock(start);
    }

    /** The clock. */
    public VirtualClock clock() {
        return clock;
    }

    /**
     * A new process whose agents and workers live in this time; failures of its agents end the {@link #advance} under
     * way.
     */
    public VirtualProcess process(String name) {
        return process(name, AgentFailures.FAIL_TEST);
    }

    /**
     * A new process whose agents and workers live in this time.
     *
     * @param failures is told when an agent throws
     */
    public VirtualProcess process(String name, AgentFailures failures) {
        return new VirtualProcess(name, this, failures);
    }

    /**
     * Lets time pass, and runs all that comes due until then: at the end, everything due at or before the present
     * millisecond has run.
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
            // A handler may have let more time pass than was asked for here.
            event = next(Math.max(target, clock.nanoTime()));
        }
        if (clock.nanoTime() < target) {
            clock.moveTo(target);
        }
    }

    /** Lets time pass until store time is {@code instant}, as {@link #advance} does. */
    public void advanceTo(Instant instant) {
        Stated.notNull(instant, "instant", "must be the present store time or later");
        Instant now = clock.storeTime();
        if (instant.isBefore(now)) {
            throw new IllegalArgumentException(
                    "Invalid instant %s: it is %s already, and virtual time goes forwards only."
                            .formatted(instant, now));
        }
        advance(Duration.between(now, instant));
    }

    /** Runs all that is due now, without moving on to a later millisecond. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Store time knows no more than milliseconds; the timers of a wheel are due within theirs, not at its start. */
    private synchronized @Nullable VirtualEvent next(long nanos) {
        long lastOfMillisecond = nanos - nanos % NANOS_PER_MILLI + NANOS_PER_MILLI - 1;
        boolean due = !events.isEmpty() && events.first().atNanos() <= lastOfMillisecond;
        return due ? events.pollFirst() : null;
    }

    /** Ends the {@link #advance} under way with this. */
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

    /** Has {@code action} run after {@code delayNanos}. */
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

    /** Counts the call of an agent, lest a test hang without a word. */
    void countCall(String role) {
        long now = clock.nanoTime();
        if (now != instantNanos) {
            instantNanos = now;
            callsAtThisInstant = 0;
        }
        if (++callsAtThisInstant > MAX_CALLS_AT_ONE_INSTANT) {
            callsAtThisInstant = 0;
            throw new IllegalStateException(
                    "Time stands still at %s: agents have been called %d times at this instant, the last one is '%s'. Does a job or an agent ask to be run again without a delay?"
                            .formatted(clock.storeTime(), MAX_CALLS_AT_ONE_INSTANT, role));
        }
    }

    @Override
    public String toString() {
        return "VirtualTime[" + clock.storeTime() + "]";
    }
}
