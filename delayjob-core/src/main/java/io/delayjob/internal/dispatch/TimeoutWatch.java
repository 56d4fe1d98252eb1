package io.delayjob.internal.dispatch;

import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Interrupts attempts whose time is up, and writes off those that do not end within the grace after it. It looks
 * through the attempts under way, of which there are no more than slots, instead of keeping a timer for each.
 */
public final class TimeoutWatch implements Agent {

    private final EngineClock clock;
    private final long graceNanos;
    private final Runnable wake;
    private final Set<Attempt> running = ConcurrentHashMap.newKeySet();
    private volatile long nextNanos;
    private volatile boolean idle = true;

    /** @param wake wakes this agent */
    public TimeoutWatch(EngineClock clock, Duration grace, Runnable wake) {
        this.clock = clock;
        this.graceNanos = grace.toNanos();
        this.wake = wake;
    }

    @Override
    public String roleName() {
        return "timeout";
    }

    /** Watches over an attempt. */
    void add(Attempt attempt) {
        running.add(attempt);
        long deadline = attempt.deadlineNanos();
        if (deadline != Long.MAX_VALUE && (idle || deadline - nextNanos < 0)) {
            wake.run();
        }
    }

    void remove(Attempt attempt) {
        running.remove(attempt);
    }

    /** All attempts under way. */
    Collection<Attempt> running() {
        return running;
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        // From here on whoever comes with a deadline wakes the agent, until the next one is known.
        idle = true;
        long next = Long.MAX_VALUE;
        for (Attempt attempt : running) {
            long deadline = attempt.deadlineNanos();
            if (deadline == Long.MAX_VALUE) {
                continue;
            }
            if (now - deadline >= graceNanos) {
                attempt.writeOff();
            } else if (now - deadline >= 0) {
                attempt.timeOut();
                next = Math.min(next, deadline + graceNanos - now);
            } else {
                next = Math.min(next, deadline - now);
            }
        }
        if (next == Long.MAX_VALUE) {
            return UNTIL_WOKEN;
        }
        nextNanos = now + next;
        idle = false;
        return next;
    }
}
