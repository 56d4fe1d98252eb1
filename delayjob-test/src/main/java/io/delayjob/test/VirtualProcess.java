package io.delayjob.test;

import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Represents one process in {@link VirtualTime}, with its agents and its workers. Pass this object to an engine as its
 * {@link AgentRunner}, and {@link #workers()} as its executor. A test can {@linkplain #kill() kill} the process. A test
 * can also {@linkplain #pause() pause} it, as a long garbage collection pauses a real process.
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

    /**
     * Starts an agent. The agent is first called when virtual time runs. Each call returns the delay until the next
     * call.
     */
    @Override
    public AgentHandle start(Agent agent) {
        VirtualAgent started = new VirtualAgent(agent, this);
        started.wake();
        return started;
    }

    /**
     * Returns an executor for tasks such as handlers. Each task runs on the thread that advances virtual time. No
     * virtual time passes between the submission of a task and its start.
     */
    public Executor workers() {
        return task -> schedule(0, task);
    }

    /**
     * Kills the process. After this call, the agents and workers of the process no longer run. The process returns no
     * leases and releases no rows. A handler that is running continues to its end, but its result is lost.
     */
    public void kill() {
        killed = true;
    }

    /** Tells whether the process was killed. */
    public boolean isKilled() {
        return killed;
    }

    boolean isPaused() {
        return paused;
    }

    /** Pauses the process. Work that becomes due waits until the process is {@linkplain #resume() resumed}. */
    public void pause() {
        paused = true;
    }

    /** Resumes the process. All work that has waited for this call is then due at the present virtual time. */
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
