package io.delayjob.test;

import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The agents and workers of one process in {@link VirtualTime}: give it to an engine as its {@link AgentRunner}, and
 * {@link #workers()} as its executor. It can be {@linkplain #kill() killed}, like a process by {@code kill -9}, and
 * {@linkplain #pause() paused}, like one by a long garbage collection or a suspended machine.
 */
public final class VirtualProcess implements AgentRunner {

    private final String name;
    private final VirtualTime time;
    private final AgentFailures failures;
    private final List<Runnable> held = new ArrayList<>();
    private volatile boolean killed;
    private volatile boolean paused;

    VirtualProcess(String name, VirtualTime time, AgentFailures failures) {
        this.name = name;
        this.time = time;
        this.failures = failures;
    }

    /** Calls the agent when virtual time is next run, and then as it wishes. */
    @Override
    public AgentHandle start(Agent agent) {
        VirtualAgent started = new VirtualAgent(agent, this);
        started.wake();
        return started;
    }

    /**
     * Runs tasks, such as handlers, at the moment at which they are handed in, on the thread that runs virtual time.
     */
    public Executor workers() {
        return task -> schedule(0, task);
    }

    /**
     * From now on nothing of this process runs, and nothing is tidied up: no lease is handed back, no row released.
     * Handlers that are under way end, but nobody hears of it.
     */
    public void kill() {
        killed = true;
    }

    /** Whether it was killed. */
    public boolean isKilled() {
        return killed;
    }

    boolean isPaused() {
        return paused;
    }

    /** Until it is {@linkplain #resume() resumed}, whatever comes due in this process waits. */
    public void pause() {
        paused = true;
    }

    /** Goes on: what came due meanwhile is due now. */
    public void resume() {
        paused = false;
        held.forEach(action -> schedule(0, action));
        held.clear();
    }

    VirtualEvent schedule(long delayNanos, Runnable action) {
        return time.schedule(delayNanos, () -> {
            if (paused) {
                held.add(action);
            } else if (!killed) {
                action.run();
            }
        });
    }

    VirtualTime time() {
        return time;
    }

    AgentFailures failures() {
        return failures;
    }

    @Override
    public String toString() {
        return "VirtualProcess[" + name + (killed ? ", killed]" : "]");
    }
}
