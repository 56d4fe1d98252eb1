package io.delayjob.internal.agent;

import io.delayjob.event.JobListeners;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls an agent, and repeats a failed call after a growing pause. A caller may wake up the agent before the agent
 * exists. If the store does not answer, one log line reports this for all agents.
 */
public final class SupervisedAgent implements Agent, Runnable {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    /** An agent is called again at most 0.8 s after an outage has ended. */
    private static final int MAX_DOUBLINGS = 4;

    /** A call that takes longer is probably waiting for a connection or for the store. */
    private static final long SLOW_NANOS = Duration.ofSeconds(2).toNanos();

    private final EngineClock clock;
    private final JobListeners listeners;
    private final OutageLog outages;
    private final FaultLog faults;
    private volatile @Nullable Agent agent;
    private volatile @Nullable AgentHandle handle;
    private volatile @Nullable Failures failures;
    private volatile @Nullable Call call;
    private long retryNanos;

    public SupervisedAgent(EngineClock clock, JobListeners listeners, OutageLog outages, FaultLog faults) {
        this.clock = clock;
        this.listeners = listeners;
        this.outages = outages;
        this.faults = faults;
    }

    public void start(Agent agent, AgentRunner runner) {
        this.agent = agent;
        AgentHandle started = runner.start(this);
        handle = started;
        // A caller may have tried to wake up the agent before this handle existed.
        started.wake();
    }

    /** Wakes up the agent. */
    @Override
    public void run() {
        AgentHandle started = handle;
        if (started != null) {
            started.wake();
        }
    }

    /** Returns when the agent is no longer running. */
    public void stop() {
        AgentHandle started = handle;
        if (started != null) {
            started.stop();
        }
    }

    @Override
    public String roleName() {
        Agent supervised = agent;
        return supervised == null ? "idle" : supervised.roleName();
    }

    /** Reports failing calls, or a call that takes very long; {@code null} if there is no problem. */
    @Nullable
    public Blockage trouble() {
        Failures failing = failures;
        if (failing != null) {
            return new Blockage(failing.sinceNanos, failing.latest.toString());
        }
        Call underWay = call;
        long taking = underWay == null ? 0 : clock.nanoTime() - underWay.sinceNanos;
        return taking < SLOW_NANOS || underWay == null
                ? null
                : new Blockage(underWay.sinceNanos, "waits for a connection or an answer of the store");
    }

    @Override
    public long doWork() {
        Agent supervised = agent;
        if (supervised == null) {
            return UNTIL_WOKEN;
        }
        Failures before = failures;
        long now = clock.nanoTime();
        long rest = before == null ? 0 : retryNanos - now;
        if (rest > 0) {
            // A wake-up does not end the pause. Otherwise every job that becomes due would cause a request to a store
            // that does not answer.
            return rest;
        }
        call = new Call(now);
        try {
            long pause = supervised.doWork();
            if (before != null) {
                failures = null;
                listeners.tell(l -> l.agentRecovered(supervised.roleName()));
            }
            outages.worked(supervised.roleName(), clock.nanoTime());
            return pause;
        } catch (Throwable failure) {
            // An exception that is not caught here would end the agent's thread.
            return failed(supervised, now, before, failure);
        } finally {
            call = null;
        }
    }

    private long failed(Agent supervised, long calledNanos, @Nullable Failures before, Throwable failure) {
        Failures current = before == null
                ? new Failures(calledNanos, failure, 1)
                : new Failures(before.sinceNanos, failure, before.times + 1);
        failures = current;
        long now = clock.nanoTime();
        long pause = FIRST_PAUSE_NANOS << Math.min(current.times - 1, MAX_DOUBLINGS);
        retryNanos = now + pause;
        if (OutageLog.isOutage(failure)) {
            outages.failed(supervised.roleName(), failure, calledNanos, now);
        } else {
            faults.failed(supervised.roleName(), failure, now);
        }
        listeners.tell(l -> l.agentFailed(supervised.roleName(), failure));
        return pause;
    }

    /** @param sinceNanos monotonic time at which the problem began */
    public record Blockage(long sinceNanos, String reason) {}

    /** @param sinceNanos monotonic time of the first of the failed calls */
    private record Failures(long sinceNanos, Throwable latest, int times) {}

    private record Call(long sinceNanos) {}
}
